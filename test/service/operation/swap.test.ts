/** Swaps under load: no failed request, every answer from one snapshot, and nothing of the old ones left open. */
import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import t from 'tap';
import { frontsOf } from '../../support/faults/process-figures.js';
import { Connection, fieldOf, type Answer } from '../../support/service/connection.js';
import {
  objectsOf,
  snapshotDocument,
  type PlainDocument,
} from '../../support/documents/documents.js';
import { expectedAnswers } from '../../support/expected/expected-answers.js';
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
    known.set(String(document['snapshot_id']), await answersOf(service, document));
  }
  const imports = importsOf(service);

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
  const total = counts.reduce((sum, count) => sum + count, 0);
  t.same(wrong.slice(0, 5), [], `${total} answers, ${wrong.length} of them wrong`);
  t.ok(counts.length === 3 && Math.min(...counts) >= ANSWERS, JSON.stringify([...seen]));

  t.same([imported, importsOf(service)], [3, imports + 3], 'the other swaps took no import');

  const after = await openAtRest(pids);
  t.ok(after.length <= before.length, `open: ${after.join(', ')}; before: ${before.join(', ')}`);
  t.same(await frontsOf(service), pids, 'no front was replaced');
  t.same(await service.stop(), { code: 0, signal: null });
});

function importsOf(service: Service): number {
  return service.lines.filter(({ msg }) => msg === 'importing').length;
}

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
      await pause();
    } catch (error) {
      wrong.push(`${key}: ${String(error)}`);
      break;
    }
  }
  connection.close();
}

async function pause(): Promise<void> {
  await new Promise((settle) => setTimeout(settle, 2));
}

/** Every answer of the snapshot that is active now; what they have to be: `json-api.reads.ts`. */
async function answersOf(service: Service, document: PlainDocument): Promise<Answers> {
  const answers = new Map<string, Answer>();
  const connection = await Connection.open(service.port);
  for (const target of [...expectedAnswers(document).keys(), ...PLANNED]) {
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
 * Names of the files that the fronts hold open, clients' connections aside, when no front has any copy open but the
 * active one: a front and its threads close the copy before a moment after a swap.
 */
async function openAtRest(pids: readonly number[]): Promise<readonly string[]> {
  let open: readonly string[] = [];
  const isAtRest = async (): Promise<boolean> => {
    const copies = await Promise.all(pids.map(copiesOf));
    const descriptors = await Promise.all(pids.map(descriptorsOf));
    open = [...copies, ...descriptors].flat();
    const folders = open.filter((name) => name.includes('.mdb')).map((name) => dirname(name));
    return copies.every(({ length }) => length === 1) && new Set(folders).size === 1;
  };
  await eventually('the fronts have one copy open', isAtRest).catch((cause: unknown) => {
    throw new Error(`open: ${open.join(', ')}`, { cause });
  });
  return open.map((name) => basename(name)).sort();
}

async function descriptorsOf(pid: number): Promise<readonly string[]> {
  const targets = await Promise.all(
    (await readdir(`/proc/${pid}/fd`)).map((descriptor) =>
      readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => 'gone'),
    ),
  );
  return targets.filter((target) => !target.startsWith('socket:') && target !== 'gone');
}

/** Files of local copies that a process maps. */
async function copiesOf(pid: number): Promise<readonly string[]> {
  const maps = await readFile(`/proc/${pid}/maps`, 'utf8');
  const mapped = maps.split('\n').filter((line) => line.includes('data.mdb'));
  return [...new Set(mapped.map((line) => line.split(/\s+/).slice(5).join(' ')))];
}
