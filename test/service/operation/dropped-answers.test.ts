/** Answers whose client is gone before their first byte: nothing that they hold stays, on any path that opens a file. */
import { once } from 'node:events';
import { open, readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setImmediate as turn, setTimeout as after } from 'node:timers/promises';
import t from 'tap';
import { monthDocument } from '../../support/documents/month-document.js';
import { atLeast } from '../../support/faults/chance.js';
import { descriptorsOf, frontOf } from '../../support/faults/process-figures.js';
import { requestBytes } from '../../support/service/connection.js';
import { copyFolder } from '../../support/service/copy-folders.js';
import { get } from '../../support/service/requests.js';
import { scrape } from '../../support/service/scrape.js';
import { serveArchive } from '../../support/service/serve-archive.js';
import { eventually, type Service } from '../../support/service/service.js';

const SERIES = 'organization_id=1&station_id=1&component_id=1&window=30d';

/** Long enough that changes and wide CSV are read from files. */
const NAME = 'Merna stanica '.repeat(20);

/** Paths whose answers are read from files, or are made by a worker that opens some. */
const TARGETS = [
  '/api/v1/bulk/observations_hourly_preliminary_last30days.csv',
  '/api/v1/bulk/observations_hourly_preliminary_last30days.parquet',
  '/api/v1/observations.csv?layout=wide',
  '/api/v1/observations.csv?layout=wide&station_id=1,2',
  '/api/v1/observations/stream',
  '/api/v1/observations',
  '/api/v1/daily.csv?from=2025-11-01&to=2025-11-10',
  ...['csv', 'xlsx', 'ods'].map((format) => `/portal/export?${SERIES}&format=${format}`),
  `/portal/chart.png?${SERIES}`,
  '/portal/map.svg',
  '/',
];

/** Metrics of everything that a front holds for answers. */
const HELD = ['bura_leases', 'bura_large_answers', 'bura_job_queue_work_seconds'];

const document = monthDocument('month');
const { service, archive } = await serveArchive(
  t,
  { env: { ADMIN_PORT: '0', WORKER_THREADS: '1' } },
  undefined,
  { ...document, stations: (document['stations'] as object[]).map(named) },
);
const front = await frontOf(service);

function named(station: object, at: number): object {
  return { ...station, station_name: `${NAME}${at}` };
}

/** Sends a request `times` over in one packet; then resets at one of several moments, or goes with the first byte of an answer. */
async function drop({ port }: Service, target: string, times: number, at: number): Promise<void> {
  const gzip = at % 2 === 0 ? { 'Accept-Encoding': 'gzip' } : {};
  const bytes = requestBytes({ target, fields: gzip });
  const socket = connect({
    host: '127.0.0.1',
    port,
    noDelay: true,
    localAddress: `127.0.0.${1 + (at % 20)}`,
  });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  socket.write(Buffer.concat(Array.from({ length: times }, () => bytes)));
  const moment = at % 5;
  if (moment === 1) await turn();
  if (moment > 1) await Promise.race([moment === 2 ? after(at % 7) : once(socket, 'data'), closed]);
  if (moment === 3) socket.destroy();
  else socket.resetAndDestroy();
  await closed;
}

void t.test('a damaged long text is never a whole answer, and is made again', async (t) => {
  const target = '/api/v1/observations.csv?layout=wide&station_id=2,3';
  const whole = await get(service, target);
  for (const share of [0, 0.01, 0.5]) {
    await damageTexts(share);
    const status = await get(service, target).then(
      (answer) => answer.status,
      () => 'cut',
    );
    t.ok(status === 503 || (status === 'cut' && share > 0), `${status} of ${share}`);
    t.ok((await get(service, target)).body.equals(whole.body), 'made again');
  }
});

/** Overwrites some bytes of the long texts of the copy that is served. */
async function damageTexts(share: number): Promise<void> {
  const folder = join(copyFolder(service.copies, 'month'), 'texts');
  for (const name of await readdir(folder)) {
    const file = await open(join(folder, name), 'r+');
    const { size } = await file.stat();
    await file.write(Buffer.alloc(64), 0, 64, Math.floor(size * share));
    await file.close();
  }
}

void t.test('a client that goes leaves no file open, and no lease', async (t) => {
  const [{ path } = { path: '' }] = archive.files;
  for (const target of [...TARGETS, `/api/v1/archive/${path}`]) {
    // The first of each: a thread loads what makes it.
    await get(service, target);
    const before = await descriptorsOf(front);
    for (let at = 0; at < atLeast(20); at += 10) {
      // One request, and two in one packet, by turns.
      await Promise.all(
        Array.from({ length: 10 }, async (_, one) => {
          await drop(service, target, 1 + (((at + one) >> 1) % 2), at + one);
        }),
      );
    }
    await eventually(`nothing is held of ${target}`, async () => {
      const { samples } = await scrape(service);
      return HELD.every((name) => samples.get(name) === 0);
    });
    await eventually(
      `files are closed of ${target}`,
      async () => (await descriptorsOf(front)) <= before,
    );
  }
  t.equal(await frontOf(service), front, 'it is the same front');
});
