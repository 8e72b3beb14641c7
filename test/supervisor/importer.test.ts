/** The asking side of an import: what comes of a process that is slow, killed, or not a document's friend. */
import { mkdir, readdir, readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { importSnapshot } from '../../src/supervisor/importer.js';
import type { ImportRequest } from '../../src/workers/messages.js';
import { waitForChild, waitUntilGone } from '../support/service/children.js';
import { serveFaulty, type DocumentFault } from '../support/faults/web-store.js';
import { generateDocument, snapshotDocument } from '../support/documents/documents.js';
import { forkWithoutHooks } from '../support/service/plain-node.js';
import { activePointer, makeRoot, publish } from '../support/service/service.js';

await forkWithoutHooks(await makeRoot(t));

async function requestFor(
  t: Test,
  document: Parameters<typeof publish>[1],
): Promise<ImportRequest> {
  const root = await makeRoot(t);
  await publish({ root }, document);
  await mkdir(join(root, 'local'));
  return {
    store: { address: `file:${join(root, 'store')}`, keyPrefix: 'demo' },
    pointer: await activePointer({ root }),
    expectedSchemaVersion: '1.2.0',
    build: 'abcd0123',
    directory: join(root, 'local'),
    threads: 1,
  };
}

/** The request for an import that takes its time. */
const LARGE = await requestFor(t, generateDocument({ stations: 20, hours: 720 }));
const never = new AbortController().signal;

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
  const importing = importSnapshot(request, { deadlineMs: 60_000, signal: never, onProcess });
  t.equal(await nicenessOf(pid), 10);
  const { directory, milliseconds } = await importing;
  const name = ['first', request.pointer.sha256, 'abcd0123'].join('~');
  t.equal(directory, join(request.directory, name));
  t.ok(milliseconds > 0);
  await waitUntilGone([pid]);
  t.same(await readdir(request.directory), [name, '~history']);
});

void t.test('kills an import that is called off or late, and leaves nothing', async (t) => {
  const request = LARGE;
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
});

void t.test('tells how a process has ended that says nothing', async (t) => {
  const request = LARGE;
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

void t.test('a process that cannot be started is a failed import', async (t) => {
  // Longer than one variable may be.
  process.env['LONG'] = 'x'.repeat(200_000);
  t.teardown(() => {
    delete process.env['LONG'];
  });
  await t.rejects(importSnapshot(LARGE, { deadlineMs: 60_000, signal: never }), {
    code: 'import_failed',
    message: 'the import cannot be started: spawn E2BIG',
  });
});

void t.test('a process that runs out of memory says so', async (t) => {
  const request = LARGE;
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

void t.test('a store that breaks off in a document is unreachable', async (t) => {
  const root = await makeRoot(t);
  await publish({ root }, generateDocument({ stations: 3, hours: 48 }));
  const pointer = await activePointer({ root });
  const codeWith = async (fault: DocumentFault): Promise<unknown> => {
    const address = await serveFaulty(t, { root, faultOf: () => fault });
    const store = { address, keyPrefix: 'demo' };
    const request = { ...LARGE, store, pointer, directory: join(root, 'local') };
    return await importSnapshot(request, { deadlineMs: 60_000, signal: never }).catch(
      (error: unknown) => (error as { code?: unknown }).code,
    );
  };
  const half = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length / 2);
  const faults: readonly DocumentFault[] = [
    (response, bytes) => {
      response.writeHead(200, { 'Content-Length': bytes.length });
      response.write(half(bytes), () => response.destroy());
    },
    // In chunks.
    (response, bytes) => response.write(half(bytes), () => response.destroy()),
    // The connection ends: RFC 9112 section 6.3, rule 8.
    (response, bytes) => {
      response.socket?.write('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n');
      response.socket?.end(half(bytes));
    },
    (response, bytes) => response.end(half(bytes)),
  ];
  const codes = ['store_unreachable', 'store_unreachable', 'store_unreachable', 'document_corrupt'];
  t.same(await Promise.all(faults.map(codeWith)), codes);
});

void t.test('reads a document that never ends no further than the pointer says', async (t) => {
  const request = await requestFor(t, snapshotDocument());
  const { document, sizeBytes, sha256 } = request.pointer;
  const path = join(request.store.address.slice('file:'.length), 'demo', document);
  // A terabyte of nothing, which takes no room.
  await truncate(path, 1e12);
  await t.rejects(importSnapshot(request, { deadlineMs: 60_000, signal: never }), {
    code: 'document_corrupt',
    message: `document ${document} has more bytes; the pointer says ${sizeBytes} bytes, SHA-256 ${sha256}`,
  });
  t.same(await readdir(request.directory), []);
});
