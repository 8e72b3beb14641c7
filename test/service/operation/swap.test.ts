/** Swaps under load: no failed request, every answer from one snapshot, and nothing of the old ones left open. */
import { readFile } from 'node:fs/promises';
import { setTimeout as after } from 'node:timers/promises';
import t from 'tap';
import { descriptorsOf, frontsOf } from '../../support/faults/process-figures.js';
import { Connection, fieldOf, type Answer } from '../../support/service/connection.js';
import {
  objectsOf,
  snapshotDocument,
  type PlainDocument,
} from '../../support/documents/documents.js';
import { LEGACY_TARGETS } from '../../support/service/requests.js';
import { atLeast } from '../../support/faults/chance.js';
import { activate, eventually } from '../../support/service/service.js';
import { activated, publishAndServe, startServing } from '../../support/service/serve-documents.js';

/** Three of them take an import; the others go back to the copy before. */
const SWAPS = atLeast(3) * 2;
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
  const [first, second, third] = [
    documentOf('prvi', 1),
    documentOf('drugi', 1000),
    documentOf('treci', 2000),
  ] as const;
  const service = await startServing(t, third, { env });
  /** The answers of each snapshot, which every later answer must equal; their values: the fuzzer. */
  const known = new Map<string, readonly string[]>();
  for (const document of [third, first, second]) {
    if (document !== third) await publishAndServe(service, document);
    const connection = await Connection.open(service.port);
    const answers: string[] = [];
    for (const request of REQUESTS) answers.push(shownBy(await connection.ask(request)));
    connection.close();
    known.set(String(document['snapshot_id']), answers);
  }
  const imports = (): number => service.lines.filter(({ msg }) => msg === 'importing').length;
  const importsBefore = imports();

  const pids = await frontsOf(service);
  t.equal(pids.length, FRONTS);
  const before = await openAtRest(pids);

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
        if (shownBy(answer) !== known.get(id)?.[at]) wrong.push(`${request.target} of ${id}`);
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
  let imported = 0;
  for (let swap = 0; swap < SWAPS; swap += 1) {
    // In the midst of them the third one has the first one removed, and then the first one the second.
    const isFirst = (swap % 2 === 0) === swap < SWAPS / 2;
    const document = swap === SWAPS / 2 ? third : isFirst ? first : second;
    const id = String(document['snapshot_id']);
    const from = service.lines.length;
    await activate(service, id);
    imported += 'import_ms' in (await activated(service, document, from)) ? 1 : 0;
    const enough = (seen.get(id) ?? 0) + ANSWERS;
    const isEnough = async () => wrong.length > 0 || (seen.get(id) ?? 0) >= enough;
    await eventually(`clients are answered from ${id}`, isEnough);
  }
  isOver = true;
  await Promise.all(clients);

  const counts = [...seen.values()];
  t.same(wrong.slice(0, 5), [], `answers: ${counts.join()}, ${wrong.length} of them wrong`);
  t.ok(counts.length === 3 && Math.min(...counts) >= ANSWERS, JSON.stringify([...seen]));
  t.same([imported, imports()], [3, importsBefore + 3], 'the other swaps took no import');

  await eventually('no more files are open than before', async () => {
    return (await openAtRest(pids)) <= before;
  });
  t.same(await frontsOf(service), pids, 'no front was replaced');
  t.same(await service.stop(), { code: 0, signal: null });
});

/** An answer without dates: a snapshot that is activated again has another Last-Modified. */
function shownBy({ status, fields, body }: Answer): string {
  const others = fields.filter(([name]) => name !== 'Date' && name !== 'Last-Modified');
  return JSON.stringify([status, others, body.toString('latin1')]);
}

/** A document whose names and values have something of their own. */
function documentOf(name: string, base: number): PlainDocument {
  const plain = snapshotDocument();
  const stations = objectsOf(plain, 'stations').map((one) => ({
    ...one,
    station_name: `${String(one['station_name'])} ${name}`,
  }));
  const measurements = objectsOf(plain, 'measurements').map((row) => ({
    ...row,
    value: Number(row['value']) + base,
  }));
  return snapshotDocument({ snapshot_id: `swap-${name}`, stations, measurements });
}

/**
 * Number of files that the fronts hold open, when none has any copy open but the active one: a front and its threads
 * close the copy before a moment after a swap.
 */
async function openAtRest(pids: readonly number[]): Promise<number> {
  let open: readonly number[] = [];
  await eventually('the fronts have one copy open', async () => {
    const copies = await Promise.all(pids.map(copiesOf));
    open = await Promise.all(pids.map(descriptorsOf));
    return copies.every(({ length }) => length === 1) && new Set(copies.flat()).size === 1;
  });
  return open.reduce((sum, count) => sum + count, 0);
}

/** Local copies that a process maps. */
async function copiesOf(pid: number): Promise<readonly string[]> {
  const maps = await readFile(`/proc/${pid}/maps`, 'utf8');
  return [...new Set(maps.match(/\/[^\s]+\/data\.mdb/g))];
}
