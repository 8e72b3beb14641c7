/** Swaps under load: no failed request, every answer from one snapshot, and nothing of the old ones left open. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as after } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { descriptorsOf, frontsOf } from '../../support/faults/process-figures.js';
import { Connection, fieldOf, type Answer } from '../../support/service/connection.js';
import {
  objectsOf,
  snapshotDocument,
  type PlainDocument,
} from '../../support/documents/documents.js';
import { get, LEGACY_TARGETS } from '../../support/service/requests.js';
import { atLeast } from '../../support/faults/chance.js';
import { activate, eventually, publish, type Service } from '../../support/service/service.js';
import { activated, startServing } from '../../support/service/serve-documents.js';

/** Half of them take an import; the others go back to the copy before. */
const SWAPS = atLeast(5) * 2;
const FILE = 'observations_hourly_preliminary_last30days.csv';
const FILES_OF_A_COPY = 2;
const FRONTS = 2;
const CLIENTS = 4;

/** Answers from each snapshot after each swap to it, at least. */
const ANSWERS = 40;

/** Answers that are planned on request. */
const PLANNED = ['', '/stream', '.csv?layout=wide', '?station_id=1'].map(
  (end) => `/api/v1/observations${end}`,
);

const REQUESTS = [...LEGACY_TARGETS, ...PLANNED].flatMap((target) =>
  ['identity', 'gzip'].map((coding) => ({ target, fields: { 'Accept-Encoding': coding } })),
);

void t.test('swaps under load, with two fronts', async (t) => {
  const env = { FRONT_PROCESSES: String(FRONTS), POINTER_POLL_SECONDS: '0.05' };
  const documents = Array.from({ length: SWAPS / 2 + 1 }, (_, at) => documentOf(at));
  const service = await startServing(t, documents[0] ?? {}, { env });
  /** The first answers from each snapshot, which all others must equal; their values: the fuzzer. */
  const known = new Map<string, string[]>();
  const pids = await frontsOf(service);
  t.equal(pids.length, FRONTS);
  const before = await openAtRest(pids, 1);

  const seen = new Map<string, number>();
  const wrong: string[] = [];
  let isOver = false;
  const hammer = async (from: number): Promise<void> => {
    const connection = await Connection.open(service.port);
    for (let next = from; !isOver; next += 1) {
      const at = next % REQUESTS.length;
      const request = REQUESTS[at] ?? { target: '/' };
      try {
        const answer = await connection.ask(request);
        const id = fieldOf(answer, 'x-snapshot-id') ?? 'none';
        const answers = known.get(id) ?? [];
        known.set(id, answers);
        const shown = shownBy(answer);
        if ((answers[at] ??= shown) !== shown) wrong.push(`${request.target} of ${id}`);
        seen.set(id, (seen.get(id) ?? 0) + 1);
        // Clients without pauses would starve the import.
        await after(2);
      } catch (error) {
        wrong.push(`${request.target}: ${String(error)}`);
        break;
      }
    }
    connection.close();
  };
  const clients = Array.from({ length: CLIENTS }, (_, index) => hammer(index * 7));
  const readings = [await beginReading(service)];
  let imported = 0;
  for (let swap = 0; swap < SWAPS; swap += 1) {
    const isNew = swap % 2 === 0;
    const document = documents[isNew ? swap / 2 + 1 : (swap - 1) / 2] ?? {};
    const id = String(document['snapshot_id']);
    const from = service.lines.length;
    if (isNew) await publish(service, document);
    else await activate(service, id);
    imported += 'import_ms' in (await activated(service, document, from)) ? 1 : 0;
    const enough = (seen.get(id) ?? 0) + ANSWERS;
    const isEnough = async () => wrong.length > 0 || (seen.get(id) ?? 0) >= enough;
    await eventually(`clients are answered from ${id}`, isEnough);
    for (const reading of readings) await readPart(t, service, reading);
    if (isNew) readings.push(await beginReading(service));
  }
  isOver = true;
  await Promise.all(clients);

  const counts = [...seen.values()];
  t.same(wrong.slice(0, 5), [], `answers: ${counts.join()}, ${wrong.length} of them wrong`);
  const isSeen = counts.length === documents.length && Math.min(...counts) >= ANSWERS;
  t.ok(isSeen, JSON.stringify([...seen]));
  t.equal(imported, SWAPS / 2, 'the other swaps took no import');

  await t.test('a file is whole, read in parts at its own address over all swaps', async (t) => {
    t.equal(new Set(readings.map(({ address }) => address)).size, documents.length);
    for (const reading of readings) {
      const { address, sizeBytes, parts } = reading;
      while (Buffer.concat(parts).length < sizeBytes) await readPart(t, service, reading);
      const sha256 = createHash('sha256').update(Buffer.concat(parts)).digest('hex');
      t.equal(address, `/api/v1/bulk/${sha256}/${FILE}`);
    }
    const { address = '' } = readings[0] ?? {};
    const head = await get(service, address, { method: 'HEAD' });
    t.match(head.headers, {
      'cache-control': 'public, max-age=31536000, immutable, no-transform',
      'x-snapshot-id': 'swap-0',
      'last-modified': undefined,
    });
    const { etag: tag = '' } = head.headers;
    const conditions = { 'If-None-Match': tag };
    t.equal((await get(service, address, { headers: conditions })).status, 304);
    for (const wrong of [
      address.replace(/.csv$/, '.parquet'),
      address.replace(/[0-9a-f]{64}/, '0'),
    ]) {
      const refused = await get(service, wrong);
      t.same(
        [refused.status, String(refused.body)],
        [404, '{"detail":"Bulk resource not found."}'],
      );
    }
  });

  await eventually('no more files are open than those of the former copies', async () => {
    const open = await openAtRest(pids, documents.length);
    return open <= before + (documents.length - 1) * FRONTS * FILES_OF_A_COPY;
  });
  t.same(await frontsOf(service), pids, 'no front was replaced');
  t.same(await service.stop(), { code: 0, signal: null });
});

/** An answer without dates: a snapshot that is activated again has another Last-Modified. */
function shownBy({ status, fields, body }: Answer): string {
  const others = fields.filter(([name]) => name !== 'Date' && name !== 'Last-Modified');
  return JSON.stringify([status, others, body.toString('latin1')]);
}

/** A bulk file in parts, at the address that its first answer names. */
interface Reading {
  readonly address: string;
  readonly sizeBytes: number;
  readonly parts: Buffer[];
}

async function beginReading(service: Service): Promise<Reading> {
  const { headers } = await get(service, `/api/v1/bulk/${FILE}`, { method: 'HEAD' });
  const { 'content-location': address = '', 'content-length': size } = headers;
  return { address, sizeBytes: Number(size), parts: [] };
}

async function readPart(t: Test, service: Service, { address, sizeBytes, parts }: Reading) {
  const start = Buffer.concat(parts).length;
  const Range = `bytes=${start}-${start + Math.ceil(sizeBytes / SWAPS)}`;
  const { status, body } = await get(service, address, { headers: { Range } });
  t.equal(status, 206, `${Range} of ${address}`);
  parts.push(body);
}

/** A document whose names and values have something of their own. */
function documentOf(number: number): PlainDocument {
  const plain = snapshotDocument();
  const stations = objectsOf(plain, 'stations').map((one) => ({
    ...one,
    station_name: `${String(one['station_name'])} ${number}`,
  }));
  const measurements = objectsOf(plain, 'measurements').map((row) => ({
    ...row,
    value: Number(row['value']) + number * 1000,
  }));
  return snapshotDocument({ snapshot_id: `swap-${number}`, stations, measurements });
}

/** Number of files that the fronts hold open, when all have this number of copies open, the same ones. */
async function openAtRest(pids: readonly number[], copiesOpen: number): Promise<number> {
  let open: readonly number[] = [];
  await eventually(`the fronts have ${copiesOpen} copies open`, async () => {
    const copies = await Promise.all(pids.map(copiesOf));
    open = await Promise.all(pids.map(descriptorsOf));
    const isAll = copies.every(({ length }) => length === copiesOpen);
    return isAll && new Set(copies.flat()).size === copiesOpen;
  });
  return open.reduce((sum, count) => sum + count, 0);
}

/** Local copies that a process maps. */
async function copiesOf(pid: number): Promise<readonly string[]> {
  const maps = await readFile(`/proc/${pid}/maps`, 'utf8');
  return [...new Set(maps.match(/\/[^\s]+\/data\.mdb/g))];
}
