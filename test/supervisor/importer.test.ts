/** The asking side of an import: what comes of a process that is slow, killed, or not a document's friend. */
import { readdir, readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { importSnapshot } from '../../src/supervisor/importer.js';
import { waitForChild, waitUntilGone } from '../support/service/children.js';
import { generateDocument, snapshotDocument } from '../support/documents/documents.js';
import { forkWithoutHooks } from '../support/service/plain-node.js';
import { makeRoot } from '../support/service/service.js';
import { PATIENT, requestFor } from './import-request.js';

await forkWithoutHooks(await makeRoot(t));

const LARGE = await requestFor(t, generateDocument({ stations: 20, hours: 720 }));
const importLarge = (options: Partial<Parameters<typeof importSnapshot>[1]> = {}) =>
  importSnapshot(LARGE, { ...PATIENT, ...options });

async function fails(t: Test, work: Promise<unknown>, message: string | RegExp): Promise<void> {
  await t.rejects(work, { code: 'import_failed', message });
}

/** The 19th field of `/proc/PID/stat`; the name in parentheses may hold blanks. */
async function nicenessOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8');
  return Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[16]);
}

void t.test('makes a copy in a process of low priority, which is gone afterwards', async (t) => {
  const request = await requestFor(t, snapshotDocument({ snapshot_id: 'first' }));
  let pid = 0;
  const onProcess = (its: number | undefined): void => {
    pid = its ?? pid;
  };
  const importing = importSnapshot(request, { ...PATIENT, onProcess });
  t.equal(await nicenessOf(pid), 10);
  const { directory } = await importing;
  const name = ['first', request.pointer.sha256, 'abcd0123'].join('~');
  t.equal(directory, join(request.directory, name));
  await waitUntilGone([pid]);
  t.same(await readdir(request.directory), [name, '~history']);
});

void t.test('an import that is late, called off or killed leaves nothing', async (t) => {
  await fails(t, importLarge({ deadlineMs: 300 }), 'the import was not done after 300 ms');
  const abort = new AbortController();
  const off = importLarge({ signal: abort.signal });
  const { pid } = await waitForChild(process.pid, 'import-process.js');
  abort.abort();
  await fails(t, off, 'the import was called off');
  await waitUntilGone([pid]);
  const killed = importLarge();
  process.kill((await waitForChild(process.pid, 'import-process.js')).pid, 'SIGKILL');
  await fails(t, killed, 'the import ended without a result, by SIGKILL');
  t.same(await readdir(LARGE.directory), []);
});

void t.test('a process that cannot be started is a failed import', async (t) => {
  // Longer than one variable may be.
  process.env['LONG'] = 'x'.repeat(200_000);
  t.teardown(() => {
    delete process.env['LONG'];
  });
  await fails(t, importLarge(), 'the import cannot be started: spawn E2BIG');
});

void t.test('a process that runs out of memory says so', async (t) => {
  const { execArgv } = process;
  process.execArgv = ['--max-old-space-size=10'];
  t.teardown(() => {
    process.execArgv = execArgv;
  });
  await fails(t, importLarge(), /heap out of memory/i);
});

void t.test('reads a document that never ends no further than the pointer says', async (t) => {
  const request = await requestFor(t, snapshotDocument());
  const { document, sizeBytes, sha256 } = request.pointer;
  const path = join(request.store.address.slice('file:'.length), 'demo', document);
  // A terabyte of nothing, which takes no room.
  await truncate(path, 1e12);
  await t.rejects(importSnapshot(request, PATIENT), {
    code: 'document_corrupt',
    message: `document ${document} has more bytes; the pointer says ${sizeBytes} bytes, SHA-256 ${sha256}`,
  });
  t.same(await readdir(request.directory), []);
});
