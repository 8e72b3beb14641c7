/** Changes between two snapshots, asked of a running service that has served them. */
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { anyHistory } from '../../support/documents/changed-documents.js';
import {
  objectsOf,
  snapshotDocument,
  type PlainDocument,
} from '../../support/documents/documents.js';
import { applied, byKey, expectedChanges } from '../../snapshot/history/expected-changes.js';
import { ExpectedHvd } from '../../support/expected/expected-hvd.js';
import { randomNumbers } from '../../support/documents/random.js';
import { serveFaulty } from '../../support/faults/web-store.js';
import { Connection } from '../../support/service/connection.js';
import { activated, publishAndServe, startServing } from '../../support/service/serve-documents.js';
import {
  activate,
  eventually,
  publish,
  startService,
  storeOf,
  type Service,
} from '../../support/service/service.js';

type Plain = Readonly<Record<string, unknown>>;

const ENV = { POINTER_POLL_SECONDS: '0.05' };

/** Id of the snapshot that hides a station. */
const HIDDEN = { snapshot_id: 'snimak-skriven' };

/**
 * Results of Python's `uuid.uuid5` for the namespace `demo`, and for it and a snapshot: equal in every instance, for
 * ever.
 */
const GONE = 'Changes since this snapshot are not available any more. Read the whole dataset.';

void t.test('the rows of any snapshot and its changes are those of the active one', async (t) => {
  const [documents] = fc.sample(anyHistory(4), { numRuns: 1, seed: 16 });
  const [first, ...later] = documents ?? [];
  if (first === undefined) throw new Error('nothing drawn');
  const service = await startServing(t, first, { env: ENV });
  const known = [first];
  const seen = new Set<unknown>();
  for (const document of later) {
    await publishAndServe(service, document);
    known.push(document);
    for (const old of known)
      for (const op of await compare(t, service, [old, document])) seen.add(op);
  }
  // A rollback: `since` is newer than the active snapshot.
  await activate(service, idOf(first));
  await activated(service, first, service.lines.length - 1);
  for (const old of known) await compare(t, service, [old, first]);
  t.strictSame([...seen].sort(), ['added', 'changed', 'withdrawn']);
  const list = await snapshotsOf(service);
  t.strictSame(
    list.map(({ snapshot_id: id, active }) => [id, active]).sort(),
    known.map((document) => [idOf(document), document === first]).sort(),
  );
  t.strictSame(
    list.map((one) => one['generated_at_utc']),
    list
      .map((one) => one['generated_at_utc'])
      .toSorted()
      .reverse(),
    'newest first',
  );
  for (const one of list) {
    const document = known.find((each) => idOf(each) === one['snapshot_id']) ?? {};
    t.equal(one['measurement_rows'], objectsOf(document, 'measurements').length);
    t.match(one['activated_at_utc'], /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  }
});

void t.test('a removed snapshot is in no history, and never again', async (t) => {
  const [good, wrong, next] = [numbered(1), numbered(2), numbered(3)];
  const service = await startServing(t, good, { env: ENV });
  await publishAndServe(service, wrong);
  const from = service.lines.length;
  await activate(service, idOf(good));
  await activated(service, good, from);
  await storeOf(service).remove(idOf(wrong), { withdraw: true });
  const ids = async () => (await snapshotsOf(service)).map((one) => one['snapshot_id']);
  await eventually('it is in no list', async () => !(await ids()).includes(idOf(wrong)));
  t.equal((await fetch(`${service.url}/api/v1/changes?since=${idOf(wrong)}`)).status, 410);
  await publishAndServe(service, next);
  t.strictSame(await ids(), [idOf(next), idOf(good)], 'the next pointer lists it too');
  await t.rejects(publishAndServe(service, wrong), { code: 'snapshot_removed' });
  t.notOk((await ids()).includes(idOf(wrong)));
});

void t.test('of a service over its restarts', async (t) => {
  const [first, second] = [numbered(1), numbered(2)];
  const [third, fourth] = [numbered(3), numbered(4)];
  const stations = objectsOf(second, 'stations').map((station) =>
    station['station_id'] === 1 ? { ...station, public: false } : { ...station, active: true },
  );
  const hidden = { ...second, ...HIDDEN, stations };
  const service = await startServing(t, first, { env: ENV });
  await publishAndServe(service, second);

  await t.test('answers, and refuses, as HTTP asks', async (t) => {
    const target = `${service.url}/api/v1/changes?since=${idOf(first)}`;

    const answer = await fetch(target, { headers: { 'accept-encoding': 'identity' } });
    const body = await answer.text();
    t.equal(answer.status, 200);
    t.equal(answer.headers.get('content-type'), 'application/x-ndjson');
    t.equal(answer.headers.get('x-snapshot-id'), idOf(second));
    t.equal(answer.headers.get('content-length'), String(Buffer.byteLength(body)));
    const lines = body.split('\n');
    t.equal(lines.pop(), '', 'every line is ended');
    t.equal(answer.headers.get('x-record-count'), String(lines.length - 1));
    t.strictSame(JSON.parse(lines[0] ?? ''), {
      meta: {
        since: idOf(first),
        snapshot_id: idOf(second),
        generated_at_utc: '2026-09-10T02:00:00Z',
        retention_from_utc: '2026-08-11T02:00:00Z',
        added: 1,
        changed: 1,
        withdrawn: 0,
      },
    });
    t.strictSame(JSON.parse(lines[1] ?? ''), {
      op: 'changed',
      station_id: '1',
      parameter_code: 'Ethyl benzene',
      time_start_utc: '2026-09-09T22:00:00Z',
      value: 102,
      previous_value: 101,
    });
    t.strictSame(JSON.parse(lines[2] ?? ''), {
      op: 'added',
      station_id: '1',
      parameter_code: 'Ethyl benzene',
      time_start_utc: '2026-09-10T01:00:00Z',
      value: 2,
      previous_value: null,
    });

    const etag = answer.headers.get('etag') ?? '';
    t.match(etag, new RegExp(`^W/"${idOf(second)}-`));
    const again = await fetch(target, { headers: { 'if-none-match': etag } });
    t.equal(again.status, 304);

    const same = await linesOf(service, idOf(second));
    t.equal(same.length, 1, 'since the active one: the first line only');
    for (const [query, status] of [
      ['', 422],
      ['?since=', 422],
      ['?since=a/b', 400],
      ['?since=..', 400],
    ] as const) {
      t.equal((await fetch(`${service.url}/api/v1/changes${query}`)).status, status, query);
    }
    const gone = await fetch(`${service.url}/api/v1/changes?since=never`);
    t.equal(gone.status, 410);
    t.strictSame(await gone.json(), { detail: GONE });
    t.equal(gone.headers.get('access-control-allow-origin'), '*');
  });

  await t.test('selects in each snapshot by its own stations and parameters', async (t) => {
    await publishAndServe(service, hidden);
    const ops = async (more: string) =>
      (await linesOf(service, idOf(first), more))
        .slice(1)
        .map(({ op, station_id: id }) => [op, id]);
    t.strictSame(await ops('&station_id=2'), []);
    // It was in the older snapshot, which is all that its selection has to hold in.
    const all = await ops('&station_id=1');
    t.ok(all.length > 1);
    t.strictSame(new Set(all.map(String)), new Set(['withdrawn,1']));
    t.strictSame(await ops('&parameter_code=Ethyl%20benzene'), [
      ['withdrawn', '1'],
      ['withdrawn', '1'],
      ['withdrawn', '1'],
    ]);
    t.strictSame(await ops('&station_id=1&parameter_code=SO2'), [['withdrawn', '1']]);
    t.strictSame(await ops('&station_id=1,2&station_id=7&parameter_code=SO2'), [
      ['withdrawn', '1'],
    ]);
    // The other station has the same rows in both, but is in operation in the newer one only.
    t.strictSame(await ops('&active=false'), [['withdrawn', '2']]);
    t.strictSame(await ops('&active=true&parameter_code=SO2'), [
      ['withdrawn', '1'],
      ['added', '2'],
    ]);
  });

  await t.test('knows nothing of a stored snapshot that it has never served', async (t) => {
    await publish(service, third, { activate: false });
    await publishAndServe(service, fourth);
    t.equal(await statusOf(service, third), 410);
    t.strictSame(
      new Set((await snapshotsOf(service)).map((one) => one['snapshot_id'])),
      new Set([first, second, hidden, fourth].map(idOf)),
    );
  });

  await t.test('keeps the history over a restart, without what is damaged', async (t) => {
    const [cut, flipped] = [first, second];
    const before = await snapshotsOf(service);
    await service.kill();
    const folder = join(service.copies, '~history');
    const path = (document: PlainDocument): string => join(folder, `${idOf(document)}.past`);
    const bytes = await readFile(path(cut));
    t.ok(bytes.byteLength < 1500, `a small document takes ${bytes.byteLength} bytes`);
    await writeFile(path(cut), bytes.subarray(0, -1));
    const other = await readFile(path(flipped));
    other[other.byteLength - 9] = (other[other.byteLength - 9] ?? 0) ^ 1;
    await writeFile(path(flipped), other);
    await writeFile(join(folder, 'stray.past'), 'nobody knows it');

    const again = await startService(t, { root: service.root, env: ENV });
    await again.waitForLog('activated');
    await compare(t, again, [hidden, fourth]);
    const list = await snapshotsOf(again);
    t.strictSame(
      list,
      before.filter((one) => one['snapshot_id'] !== idOf(cut)),
    );
    t.equal(await statusOf(again, cut), 410);
    // Its bytes are looked at when they are read: then it is lost too.
    const tag = await tagOf(again);
    t.equal(await statusOf(again, flipped), 410);
    await eventually('it is listed no more', async () => (await snapshotsOf(again)).length === 2);
    t.not(await tagOf(again), tag, 'the list has an entity tag of its own');
    t.equal(await statusOf(again, flipped), 410);
    await t.rejects(stat(join(folder, 'stray.past')), 'a file that nobody knows is removed');
    await again.stop();
  });

  await t.test('keeps as many as HISTORY_SNAPSHOTS says, and asks no store for more', async (t) => {
    let documents = 0;
    const faultOf = (): undefined => {
      documents += 1;
    };
    const SNAPSHOT_STORE = await serveFaulty(t, { root: service.root, faultOf });
    const env = { ...ENV, HISTORY_SNAPSHOTS: '1', SNAPSHOT_STORE };
    const again = await startService(t, { root: service.root, env });
    await again.waitForLog('activated');
    const fifth = numbered(5);
    await publishAndServe(again, fifth);
    const files = async (): Promise<readonly string[]> =>
      (await readdir(join(again.copies, '~history'))).filter((name) => name.endsWith('.past'));
    await eventually('older ones are removed', async () => (await files()).length === 2);
    t.strictSame((await snapshotsOf(again)).map((one) => one['snapshot_id']).sort(), [
      idOf(fourth),
      idOf(fifth),
    ]);
    t.equal(documents, 1, 'the import has read the document');

    const random = randomNumbers(4);
    const stored = [first, third, hidden].map(idOf);
    const sinceOf = (at: number): string => stored[at % 4] ?? random().toString(36).slice(2);
    const connections = await Promise.all(
      Array.from({ length: 4 }, () => Connection.open(again.port)),
    );
    const statuses = await Promise.all(
      connections.map(async (connection) => {
        const seen = new Set<number>();
        for (let at = 0; at < 100; at += 1) {
          const target = `/api/v1/changes?since=${sinceOf(at)}`;
          seen.add((await connection.ask({ target })).status);
        }
        connection.close();
        return [...seen];
      }),
    );
    t.strictSame(new Set(statuses.flat()), new Set([410]));
    t.equal(await statusOf(again, fourth), 200);
    t.equal(documents, 1, 'no client has the store read');
  });
});

/** Compares the answer for a pair with what must be; answers the kinds of changes in it. */
async function compare(
  t: Test,
  service: Service,
  [old, young]: readonly [PlainDocument, PlainDocument],
): Promise<readonly unknown[]> {
  const [first, ...lines] = await linesOf(service, idOf(old));
  const meta = first?.['meta'] as Plain;
  const oldest = String(meta['retention_from_utc']);
  const before = new ExpectedHvd(old).observations().records;
  const after = new ExpectedHvd(young).observations().records;
  const name = `${idOf(old)} to ${idOf(young)}`;
  t.equal(meta['snapshot_id'], idOf(young));
  t.strictSame(lines, expectedChanges({ before, after, oldest }), name);
  t.strictSame(
    [...applied(before, oldest, lines)].sort(),
    [...byKey(after)].sort(),
    `${name}: applied`,
  );
  for (const op of ['added', 'changed', 'withdrawn']) {
    t.equal(meta[op], lines.filter((line) => line['op'] === op).length);
  }
  return lines.map(({ op }) => op);
}

async function linesOf(service: Service, since: string, more = ''): Promise<readonly Plain[]> {
  const answer = await fetch(`${service.url}/api/v1/changes?since=${since}${more}`);
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${answer.status}: ${text}`);
  const lines = text.trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Plain);
}

async function snapshotsOf(service: Service): Promise<readonly Plain[]> {
  const answer = await fetch(`${service.url}/api/v1/snapshots`);
  return (await answer.json()) as readonly Plain[];
}

async function statusOf(service: Service, since: PlainDocument): Promise<number> {
  return (await fetch(`${service.url}/api/v1/changes?since=${idOf(since)}`)).status;
}

async function tagOf(service: Service): Promise<string | null> {
  return (await fetch(`${service.url}/api/v1/snapshots`)).headers.get('etag');
}

/** A document with an hour more than the one before, and another value in an earlier hour. */
function numbered(number: number): PlainDocument {
  const plain = snapshotDocument();
  const more = Array.from({ length: number }, (_, hour) => ({
    station_id: 1,
    component_id: 8,
    date: '2026-09-10',
    time: `0${hour}:00`,
    value: hour + 1,
  }));
  const rows = objectsOf(plain, 'measurements').map((row) =>
    row['value'] === 20.25 ? { ...row, value: 100 + number } : row,
  );
  return snapshotDocument({
    snapshot_id: `snimak-${number}`,
    generated_at: `2026-09-10T0${number}:00:00Z`,
    measurements: [...rows, ...more],
  });
}

function idOf(document: PlainDocument): string {
  return String(document['snapshot_id']);
}
