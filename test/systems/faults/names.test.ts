/** Names that a pointer or a client gives never become paths: no such file is looked for, as the kernel's calls show. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { encodePointer } from '../../../src/snapshot/store/pointer.js';
import { snapshotDocument } from '../../support/documents/documents.js';
import { gzipped, putDocument, writePointer } from '../../support/faults/spoiled-store.js';
import { traceInto } from '../support/strace.js';
import { straceRefusal } from '../../../tools/system.mjs';
import { Connection } from '../../support/service/connection.js';
import { getJson } from '../../support/service/requests.js';
import { scrape } from '../../support/service/scrape.js';
import { eventually, makeRoot, startService } from '../../support/service/service.js';

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
  const right = await putDocument(
    { published },
    'first',
    await gzipped(snapshotDocument({ snapshot_id: 'first' })),
  );
  const text = encodePointer(right);
  const ids = [`../${MARK}`, `${MARK}\\u0000`, ''];
  const paths = [
    `../../${MARK}/s.csv`,
    join(root, MARK, 's.csv'),
    `snapshots/../../../${MARK}/s.csv`,
  ];
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
  t.match(await getJson(service, '/meta'), {
    status: 503,
    body: { detail: 'Active snapshot is not available or incompatible.' },
  });
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
  t.ok(
    calls.some((line) => line.includes('active.json')),
    `${calls.length} calls were seen`,
  );
  t.same(
    calls.filter((line) => line.includes(MARK)),
    [],
  );
});
