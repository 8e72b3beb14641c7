/** Clients that go before or in an answer, at any byte: nothing that it holds stays, on any path that opens a file. */
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setImmediate as turn, setTimeout as after } from 'node:timers/promises';
import t from 'tap';
import { monthDocument } from '../../support/documents/month-document.js';
import { atLeast, chanceOf, type Chance } from '../../support/faults/chance.js';
import { descriptorsOf, frontOf } from '../../support/faults/process-figures.js';
import { requestBytes } from '../../support/service/connection.js';
import { copyFolder } from '../../support/service/copy-folders.js';
import { get } from '../../support/service/requests.js';
import { standBy } from '../../support/service/steady-load.js';
import { scrape } from '../../support/service/scrape.js';
import { serveArchive } from '../../support/service/serve-archive.js';
import { eventually } from '../../support/service/service.js';

const SERIES = 'organization_id=1&station_id=1&component_id=1&window=30d';

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

void t.test('a client that goes leaves no file open, and no lease', async (t) => {
  const document = monthDocument('month');
  // Long enough that changes and wide CSV are read from files.
  const name = 'Merna stanica '.repeat(20);
  const stations = (document['stations'] as readonly object[]).map((station, at) => {
    return { ...station, station_name: `${name}${at}` };
  });
  const env = { ADMIN_PORT: '0', WORKER_THREADS: '1' };
  const { service, archive } = await serveArchive(t, { env }, undefined, { ...document, stations });
  const front = await frontOf(service);
  const chance = chanceOf(t);
  const bystander = standBy(service);
  const [{ path } = { path: '' }] = archive.files;
  for (const target of [...TARGETS, `/api/v1/archive/${path}`]) {
    // The first of each: a thread loads what makes it.
    await get(service, target);
    const before = await descriptorsOf(front);
    for (let at = 0; at < atLeast(20); at += 10) {
      const crowd = Array.from({ length: 10 }, (_, one) => at + one);
      await Promise.all(crowd.map((one) => drop(service.port, { target, at: one, chance })));
    }
    await eventually(`nothing is held of ${target}`, async () => {
      const { samples } = await scrape(service);
      const isFree = HELD.every((held) => samples.get(held) === 0);
      return isFree && (await descriptorsOf(front)) <= before;
    });
  }
  const { answers, failures } = await bystander.end();
  t.same(failures, [], `${answers} answers to others`);
  t.equal(await frontOf(service), front, 'it is the same front');

  const target = '/api/v1/observations.csv?layout=wide';
  const { body } = await get(service, target);
  const texts = join(copyFolder(service.copies, 'month'), 'texts');
  for (const text of await readdir(texts)) {
    await writeFile(join(texts, text), Buffer.alloc(64), { flag: 'r+' });
  }
  t.equal((await get(service, target)).status, 503, 'a text that is damaged');
  t.ok((await get(service, target)).body.equals(body), 'and made again');
});

interface Dropped {
  readonly target: string;
  readonly at: number;
  readonly chance: Chance;
}

/** Sends a request, a part of it, or two in one packet; then goes at one of several moments, or in the answer. */
async function drop(port: number, { target, at, chance }: Dropped): Promise<void> {
  const fields = at % 2 === 0 ? { 'Accept-Encoding': 'gzip' } : {};
  const bytes = requestBytes({ target, fields });
  const localAddress = `127.0.0.${10 + (at % 20)}`;
  const socket = connect({ host: '127.0.0.1', port, noDelay: true, localAddress });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  const part = bytes.subarray(0, chance.integer(bytes.length));
  socket.write([bytes, Buffer.concat([bytes, bytes]), part][(at >> 1) % 3] ?? bytes);
  const moment = at % 5;
  if (moment === 1) await turn();
  if (moment === 2) await after(at % 7);
  if (moment > 2) {
    let left = Math.floor(chance.number() ** 4 * 6_000_000);
    const enough = new Promise<void>((settle) => {
      socket.on('data', ({ length }: Buffer) => {
        left -= length;
        if (left <= 0) settle();
      });
    });
    // Nothing comes for a part, and an answer may be shorter.
    await Promise.race([enough, closed, after(200)]);
  }
  if (at % 3 === 0) socket.destroy();
  else socket.resetAndDestroy();
  await closed;
}
