/** The asking side of an import: what comes of a process that is slow, killed, or not a document's friend. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { importSnapshot, Standby } from '../../src/workers/importer.js';
import { removeCopy } from '../../src/snapshot/local/copies.js';
import { readManifest } from '../../src/snapshot/local/manifest.js';
import type { ImportRequest } from '../../src/workers/messages.js';
import { childrenOf, waitForChild, waitUntilGone } from '../support/service/children.js';
import { generateDocument, snapshotDocument } from '../support/documents/documents.js';
import { forkWithoutHooks } from '../support/service/plain-node.js';
import { eventually, makeRoot, publish, storeOf } from '../support/service/service.js';

await forkWithoutHooks(await makeRoot(t));

async function requestFor(
  t: Test,
  document: Parameters<typeof publish>[1],
): Promise<ImportRequest> {
  const root = await makeRoot(t);
  await publish({ root }, document);
  const reading = await storeOf({ root }).readPointer();
  if (reading.kind === 'absent') throw new Error('no pointer');
  return {
    store: `file:${join(root, 'store')}`,
    keyPrefix: 'demo',
    pointer: reading.pointer,
    expectedSchemaVersion: '1.2.0',
    directory: join(root, 'local'),
    threads: 1,
  };
}

/** Nothing where there is no such directory yet. */
async function namesIn(directory: string): Promise<readonly string[]> {
  return await readdir(directory).catch(() => []);
}

const large = () => generateDocument({ stations: 20, hours: 720 });
const never = new AbortController().signal;

/** The 19th field of `/proc/PID/stat`; the name in parentheses may hold blanks. */
async function nicenessOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8');
  return Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[16]);
}

void t.test('makes a copy in a process of low priority, which is gone afterwards', async (t) => {
  const request = await requestFor(t, snapshotDocument({ snapshot_id: 'first' }));
  const importing = importSnapshot(request, { deadlineMs: 60_000, signal: never });
  const { pid } = await waitForChild(process.pid, 'import-process.js');
  t.equal(await nicenessOf(pid), 10);
  const { directory, milliseconds } = await importing;
  t.equal(directory, join(request.directory, 'first'));
  t.ok(milliseconds > 0);
  await waitUntilGone([pid]);
  t.same(await readdir(request.directory), ['first']);
});

void t.test(
  'is the same import in a process that has waited, or is still rehearsing',
  async (t) => {
    const request = await requestFor(t, snapshotDocument({ snapshot_id: 'first' }));
    const { directory: local, threads } = request;
    const standby = new Standby({ directory: local, threads });
    t.teardown(() => standby.close());
    const digestOf = async (): Promise<string> => {
      await importSnapshot(request, { deadlineMs: 60_000, signal: never, standby });
      t.same(await readdir(local), ['first']);
      const { sha256 } = await readManifest(join(local, 'first'));
      await removeCopy(local, 'first');
      return sha256;
    };
    const expected = await digestOf();

    standby.prepare();
    t.equal(await digestOf(), expected, 'called while it rehearses');

    // The one that has just imported needs a moment to end, and would be taken for the next.
    await eventually('it is gone', async () => (await childrenOf(process.pid)).length === 0);
    standby.prepare();
    const { pid } = await waitForChild(process.pid, 'import-process.js');
    const rehearsal = `~${pid}-rehearsal`;
    await eventually('it rehearses', async () => (await namesIn(local)).includes(rehearsal));
    await eventually('it is done', async () => (await namesIn(local)).length === 0);
    t.equal(await digestOf(), expected, 'called when it has rehearsed');
    await waitUntilGone([pid]);
  },
);

void t.test('a process that rehearses leaves nothing when it is no longer needed', async (t) => {
  const directory = join(await makeRoot(t), 'local');
  const standby = new Standby({ directory, threads: 1 });
  standby.prepare();
  const { pid } = await waitForChild(process.pid, 'import-process.js');
  const rehearsal = `~${pid}-rehearsal`;
  await eventually('it rehearses', async () => (await namesIn(directory)).includes(rehearsal));
  await standby.close();
  await waitUntilGone([pid]);
  t.same(await readdir(directory), []);
  standby.prepare();
  t.same(await childrenOf(process.pid), [], 'nor is another one started');
});

void t.test(
  'kills an import that is called off, or past its deadline, and leaves nothing',
  async (t) => {
    const request = await requestFor(t, large());
    const late = importSnapshot(request, { deadlineMs: 300, signal: never });
    await t.rejects(late, {
      code: 'import_failed',
      message: 'the import was not done after 300 ms',
    });

    const abort = new AbortController();
    const off = importSnapshot(request, { deadlineMs: 60_000, signal: abort.signal });
    const { pid } = await waitForChild(process.pid, 'import-process.js');
    abort.abort();
    await t.rejects(off, { code: 'import_failed', message: 'the import was called off' });
    await waitUntilGone([pid]);
    t.same(await readdir(request.directory), []);
  },
);

void t.test('tells how a process has ended that says nothing', async (t) => {
  const request = await requestFor(t, large());
  for (const [signal, how] of [
    ['SIGKILL', 'by SIGKILL'],
    ['SIGTERM', 'by SIGTERM'],
  ] as const) {
    const importing = importSnapshot(request, { deadlineMs: 60_000, signal: never });
    const { pid } = await waitForChild(process.pid, 'import-process.js');
    process.kill(pid, signal);
    await t.rejects(importing, {
      code: 'import_failed',
      message: `the import ended without a result, ${how}`,
    });
  }
  t.same(await readdir(request.directory), []);
});

void t.test('a process that runs out of memory says so', async (t) => {
  const request = await requestFor(t, large());
  const { execArgv } = process;
  process.execArgv = ['--max-old-space-size=10'];
  t.teardown(() => {
    process.execArgv = execArgv;
  });
  await t.rejects(importSnapshot(request, { deadlineMs: 60_000, signal: never }), {
    code: 'import_failed',
    message: /heap out of memory/i,
  });
});

void t.test('gives the code of what the import itself refuses', async (t) => {
  const request = await requestFor(t, snapshotDocument());
  const pointer = { ...request.pointer, sha256: '0'.repeat(64) };
  await t.rejects(importSnapshot({ ...request, pointer }, { deadlineMs: 60_000, signal: never }), {
    name: 'SnapshotError',
    code: 'document_corrupt',
  });
});
