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
import { activate, eventually, type Service } from '../../support/service/service.js';
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

/** Answers of one snapshot, by target and `Accept-Encoding`: what every later answer must equal. */
type Answers = ReadonlyMap<string, Answer>;

void t.test('swaps under load, with two fronts', async (t) => {
  const env = { FRONT_PROCESSES: String(FRONTS), POINTER_POLL_SECONDS: '0.05' };
  const documents = [
    documentOf('prvi', 1),
    documentOf('drugi', 1000),
    documentOf('treci', 2000),
  ] as const;
  const [first, second, third] = documents;
  const service = await startServing(t, third, { env });
  const known = new Map<string, Answers>();
  for (const document of [third, first, second]) {
    if (document !== third) await publishAndServe(service, document);
    known.set(String(document['snapshot_id']), await answersOf(service));
  }
  const imports = (): number => service.lines.filter(({ msg }) => msg === 'importing').length;
  const importsBefore = imports();

  const pids = await frontsOf(service);
  t.equal(pids.length, FRONTS);
  const before = await openAtRest(pids);

  const seen = new Map<string, number>();
  const wrong: string[] = [];
  let isOver = false;
  const clients = Array.from({ length: CLIENTS }, (_, index) =>
    hammer(service.port, { known, seen, wrong, from: index * 7, isOver: () => isOver }),
  );
  const clientsSee = async (id: string): Promise<void> => {
    const enough = (seen.get(id) ?? 0) + ANSWERS;
    const isEnough = (): boolean => wrong.length > 0 || (seen.get(id) ?? 0) >= enough;
    await eventually(`clients are answered from ${id}`, () => Promise.resolve(isEnough()), 60_000);
  };
  let imported = 0;
  for (let swap = 0; swap < SWAPS; swap += 1) {
    // In the midst of them the third one has the first one removed, and then the first one the second.
    const isFirst = (swap % 2 === 0) === swap < SWAPS / 2;
    const document = swap === SWAPS / 2 ? third : isFirst ? first : second;
    const from = service.lines.length;
    await activate(service, String(document['snapshot_id']));
    const line = await activated(service, document, from);
    imported += 'import_ms' in line ? 1 : 0;
    await clientsSee(String(document['snapshot_id']));
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

/** Requests everything repeatedly on one connection, and records answers that are not of one snapshot. */
async function hammer(
  port: number,
  of: {
    readonly known: ReadonlyMap<string, Answers>;
    readonly seen: Map<string, number>;
    readonly wrong: string[];
    readonly from: number;
    readonly isOver: () => boolean;
  },
): Promise<void> {
  const { known, seen, wrong, isOver } = of;
  const [anyone] = known.values();
  const keys = [...(anyone?.keys() ?? [])];
  const connection = await Connection.open(port);
  for (let at = of.from; !isOver(); at += 1) {
    const key = keys[at % keys.length] ?? '';
    try {
      const answer = await connection.ask(requestOf(key));
      const id = fieldOf(answer, 'x-snapshot-id') ?? 'none';
      const expected = known.get(id)?.get(key);
      if (expected === undefined || !isSame(answer, expected)) wrong.push(`${key} of ${id}`);
      seen.set(id, (seen.get(id) ?? 0) + 1);
      // Clients without pauses would starve the import.
      await after(2);
    } catch (error) {
      wrong.push(`${key}: ${String(error)}`);
      break;
    }
  }
  connection.close();
}

/** Every answer of the snapshot that is active now; what they have to be: the fuzzer. */
async function answersOf(service: Service): Promise<Answers> {
  const answers = new Map<string, Answer>();
  const connection = await Connection.open(service.port);
  for (const target of [...LEGACY_TARGETS, ...PLANNED]) {
    for (const coding of ['identity', 'gzip']) {
      const key = `${coding} ${target}`;
      answers.set(key, await connection.ask(requestOf(key)));
    }
  }
  connection.close();
  return answers;
}

function requestOf(key: string): Parameters<Connection['ask']>[0] {
  const [coding = '', target = ''] = key.split(' ');
  return { target, fields: { 'Accept-Encoding': coding } };
}

function isSame(one: Answer, other: Answer): boolean {
  const fieldsOf = ({ fields }: Answer): string =>
    // Last-Modified is when the pointer moved: another time whenever a snapshot is activated again.
    JSON.stringify(fields.filter(([name]) => name !== 'Date' && name !== 'Last-Modified'));
  return (
    one.status === other.status && one.body.equals(other.body) && fieldsOf(one) === fieldsOf(other)
  );
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
