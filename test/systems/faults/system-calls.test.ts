/** By the calls of the kernel: no name of a pointer or a client is looked for as a file, and writes come in order. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { encodePointer } from '../../../src/snapshot/store/pointer.js';
import { snapshotDocument, writeDocument } from '../../support/documents/documents.js';
import { gzipped, putDocument, writePointer } from '../../support/faults/spoiled-store.js';
import { straceRefusal } from '../../../tools/system.mjs';
import { Connection } from '../../support/service/connection.js';
import { get, getJson } from '../../support/service/requests.js';
import { scrape } from '../../support/service/scrape.js';
import { eventually, makeRoot, publish, startService } from '../../support/service/service.js';
import { runBura } from '../../support/service/command.js';
import { activated, startServing } from '../../support/service/serve-documents.js';

/** @param options such as `-e trace=openat`, as words. */
function traceInto(file: string, options: readonly string[]) {
  return {
    // -D makes strace a grandchild, so that signals reach the program itself; -y adds the paths of descriptors.
    wrap: ['strace', '-D', '-f', '-qq', '-y', '-s', '4096', '-o', file, ...options],
    lines: async () => (await readFile(file, 'utf8').catch(() => '')).split('\n'),
  };
}

/** In the name of every file that is not to be looked for. */
const MARK = 'tajna-4711';
const UP = ['..%2f', '%2e%2e/', '..%5c', '....//', '..%252f', '%c0%ae%c0%ae%2f', '..;/', '../'];

/** Targets that would lead somewhere, were one of them a path. */
function targets(root: string): readonly string[] {
  const absolute = encodeURIComponent(join(root, MARK, 'stations.csv'));
  return ['/api/v1/bulk/', '/assets/', '/', '/legal/', '/1/stations/'].flatMap((start) => [
    `${start}${MARK}`,
    `${start}${MARK}%00.csv`,
    `${start}${absolute}`,
    `${start}%2f${absolute}`,
    `${start}stations.csv%00${MARK}`,
    ...UP.flatMap((up) =>
      [1, 3, 8].map((depth) => `${start}${up.repeat(depth)}${MARK}/stations.csv`),
    ),
  ]);
}

void t.test('no name becomes a file', { skip: straceRefusal() ?? false }, async (t) => {
  const root = await makeRoot(t);
  await mkdir(join(root, MARK));
  await writeFile(join(root, MARK, 'stations.csv'), 'nobody is to have this');
  const published = join(root, 'store', 'demo');
  const document = await gzipped(snapshotDocument({ snapshot_id: 'first' }));
  const right = await putDocument({ published }, 'first', document);
  const text = encodePointer(right);
  const ids = [`../${MARK}`, `${MARK}\\u0000`, ''];
  const file = `${MARK}/s.csv`;
  const paths = [`../../${file}`, join(root, file), `snapshots/../../../${file}`];
  const malformed = [
    '',
    ...ids.map((id) => text.replace('"first"', `"${id}"`)),
    ...paths.map((path) => text.replace('snapshots/first.json.gz', path)),
  ];
  await writePointer({ published }, text.replace(/"sha256": ?"[^"]*",/, ''));
  const trace = traceInto(join(root, 'calls'), ['-e', 'trace=%file']);
  const service = await startService(t, {
    root,
    wrap: trace.wrap,
    env: { ADMIN_PORT: '0', POINTER_POLL_SECONDS: '1' },
    // The archive is read beside a pointer that is well-formed only.
    expect: ['pointer malformed', 'archive incomplete'],
  });
  await service.waitForLog('pointer malformed');
  const detail = 'Active snapshot is not available or incompatible.';
  t.match(await getJson(service, '/meta'), { status: 503, body: { detail } });
  t.equal((await getJson(service, '/health/ready')).status, 503);
  const refusals = async (): Promise<number> =>
    (await scrape(service)).samples.get('bura_failures_total{code="pointer_malformed"}') ?? 0;
  for (const one of malformed) {
    await writePointer(service, one);
    const before = await refusals();
    // The second one from now on was read after the pointer was written.
    await eventually('it is refused', async () => (await refusals()) >= before + 2);
  }
  await writePointer(service, right);
  await service.waitForLog('activated');
  let connection = await Connection.open(service.port);
  const found: string[] = [];
  for (const target of targets(root)) {
    if (connection.isClosed) connection = await Connection.open(service.port);
    const { status, body } = await connection.ask({ target });
    if (status < 400 || body.includes('nobody')) found.push(`${status} ${target}`);
  }
  connection.close();
  await service.stop();
  t.same(found, []);
  const calls = await trace.lines();
  t.match(calls.join('\n'), 'active.json', `${calls.length} calls were seen`);
  const marked = calls.filter((line) => line.includes(MARK));
  t.same(marked, []);
});

const FIRST = snapshotDocument({ snapshot_id: 'first' });
const needsTrace = { skip: straceRefusal() ?? false };

void t.test('refuses a copy whose bytes do not reach the disk', needsTrace, async (t) => {
  const { root, ...first } = await startServing(t, FIRST);
  await first.stop();
  await publish({ root }, snapshotDocument({ snapshot_id: 'second' }), { activate: false });
  for (const call of ['fdatasync', 'fsync']) {
    const failing = ['-e', `trace=${call}`, '-e', `inject=${call}:error=EIO`];
    const { wrap } = traceInto(join(root, `${call}.trace`), failing);
    const service = await startService(t, { root, wrap, expect: ['import failed'] });
    await service.waitForLog('activated');
    await publish(service, snapshotDocument({ snapshot_id: `not-${call}` }));
    await service.waitForLog('import failed');
    t.equal(service.lines.filter(({ msg }) => msg === 'activated').length, 1, call);
    t.equal((await get(service, '/stations')).headers['x-snapshot-id'], 'first');
    await service.stop();
  }
  const mended = await startService(t, { root });
  await activated(mended, { snapshot_id: 'not-fsync' }, 0);
  t.equal((await get(mended, '/stations')).headers['x-snapshot-id'], 'not-fsync');
});

/** Whatever gives a file its bytes, its name or its place on the disk. */
const WRITES =
  'write,writev,pwrite64,pwritev,fsync,fdatasync,rename,renameat,renameat2,link,linkat';

void t.test('a copy is named when all of its bytes are on the disk', needsTrace, async (t) => {
  const root = await makeRoot(t);
  const trace = traceInto(join(root, 'trace'), ['-e', `trace=${WRITES}`]);
  await publish({ root }, FIRST);
  const service = await startService(t, { root, wrap: trace.wrap });
  await service.waitForLog('activated');
  await service.stop();
  areInOrder(t, await trace.lines(), {
    written: / p?write\w*\(\d+<[^>]*\/~\d+-first\/data\.mdb>/,
    flushed: / fdatasync\(\d+<[^>]*\/~\d+-first\/data\.mdb>/,
    sealed: / fsync\(\d+<[^>]*\/~\d+-first\/copy\.json>/,
    listed: / fsync\(\d+<[^>]*\/~\d+-first>/,
    named: / rename\w*\("[^"]*\/~\d+-first", "[^"]*\/first~/,
    kept: / fsync\(\d+<[^>]*\/local\/demo>/,
  });
});

void t.test('a pointer moves only when its document is on the disk', needsTrace, async (t) => {
  const folder = t.testdir();
  const trace = traceInto(join(folder, 'trace'), ['-e', `trace=${WRITES}`]);
  const file = join(folder, 'document.json');
  await writeDocument(file, FIRST);
  const env = { SNAPSHOT_STORE: `file:${folder}/store` };
  t.equal((await runBura(['publish', file], { env, wrap: trace.wrap })).code, 0);
  areInOrder(t, await trace.lines(), {
    written: / write\w*\(\d+<[^>]*\/snapshots\/\.tmp-/,
    flushed: / fsync\(\d+<[^>]*\/snapshots\/\.tmp-/,
    named: / link\w*\(.*\/snapshots\/first\.json\.gz"/,
    kept: / fsync\(\d+<[^>]*\/snapshots>/,
    pointerFlushed: / fsync\(\d+<[^>]*\/demo\/[^>]*\/next>/,
    pointerMoved: / rename\w*\(.*\/active\.json"/,
    pointerKept: / fsync\(\d+<[^>]*\/demo>/,
  });
});

/** Each step is there, its last call after that of the one before it. */
function areInOrder(t: Test, calls: readonly string[], steps: Record<string, RegExp>): void {
  const places = Object.entries(steps).map(([name, call]) => {
    return { name, at: calls.findLastIndex((line) => call.test(line)) };
  });
  t.ok(Math.min(...places.map(({ at }) => at)) >= 0, JSON.stringify(places));
  const ordered = places.toSorted((a, b) => a.at - b.at);
  t.strictSame(places, ordered, 'in this order');
}
