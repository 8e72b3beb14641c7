/** Secrets that only the supervisor needs: the store's address and its password. */
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { encodePointer } from '../../../src/snapshot/store/pointer.js';
import {
  childrenOf,
  waitForChild,
  waitForNoChild,
  waitUntilGone,
} from '../../support/service/children.js';
import { snapshotDocument } from '../../support/documents/documents.js';
import { activePointer, makeRoot, publish, startService } from '../../support/service/service.js';

const PASSWORD = 'tajna-lozinka';

const SHA256 = 'a'.repeat(64);
const FILE = { path: `stations/${SHA256}.parquet`, from: null, to: null, rows: 1, size_bytes: 1 };
const ARCHIVE = { generated_at_utc: '2026-01-01T00:00:00Z', files: [{ ...FILE, sha256: SHA256 }] };

void t.test('no child process has the password of the store, or outlives its parent', async (t) => {
  const root = await makeRoot(t);
  await publish({ root }, snapshotDocument());
  const first = await activePointer({ root });
  let pointer = encodePointer(first);
  const document = join(root, 'store', 'demo', 'snapshots', `${first.snapshotId}.json.gz`);
  const authorizations = new Set<unknown>();
  const server = createServer(({ url = '', headers }, response) => {
    authorizations.add(headers.authorization);
    // The second document and the file never arrive, so that the processes that fetch them can be inspected.
    if (url.endsWith('/active.json')) response.end(pointer);
    if (url.endsWith(`/${first.snapshotId}.json.gz`)) createReadStream(document).pipe(response);
    if (url.endsWith('/index.json')) response.end(JSON.stringify(ARCHIVE));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const address = `http://sepa:${PASSWORD}@127.0.0.1:${port}/`;
  const service = await startService(t, {
    root,
    env: { SNAPSHOT_STORE: address, REDIS_URL: address, TZ: 'UTC' },
    args: ['--snapshot-store', address],
  });
  await service.waitForLog('activated');
  await waitForChild(service.pid, 'archive-process.js');
  await waitForNoChild(service.pid, 'import-process.js');
  pointer = encodePointer({ ...first, snapshotId: 'second', document: 'second' });
  await waitForChild(service.pid, 'import-process.js');
  const children = await childrenOf(service.pid);
  const scripts = ['archive-process.js', 'front.js', 'import-process.js'];
  t.same(children.map(({ script }) => script).toSorted(), scripts);
  for (const { pid, script } of children) {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
    t.match(environment, 'TZ=UTC', 'the rest stays');
    t.notMatch(environment, PASSWORD, script);
    t.notMatch(await readFile(`/proc/${pid}/cmdline`, 'utf8'), PASSWORD, script);
  }
  await service.kill();
  await waitUntilGone(children.map(({ pid }) => pid));
  t.notMatch(JSON.stringify(service.lines), PASSWORD);
  const basic = Buffer.from(`sepa:${PASSWORD}`).toString('base64');
  t.same([...authorizations], [`Basic ${basic}`], 'and the store was given it');
});
