/** Changes between two snapshots: header fields, refusals, and the history over restarts. Any pair and selection: the fuzzer. */
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import {
  objectsOf,
  snapshotDocument,
  type PlainDocument,
} from '../../support/documents/documents.js';
import { serveFaulty } from '../../support/faults/web-store.js';
import { asker, fieldOf, jsonOf } from '../../support/service/connection.js';
import { publishAndServe, startServing } from '../../support/service/serve-documents.js';
import { eventually, publish, startService, type Service } from '../../support/service/service.js';

type Plain = Readonly<Record<string, unknown>>;

const ENV = { POINTER_POLL_SECONDS: '0.05' };

const GONE = 'Changes since this snapshot are not available any more. Read the whole dataset.';

void t.test('changes of a service over its restarts', async (t) => {
  const [first, second] = [numbered(1), numbered(2)];
  const [third, fourth] = [numbered(3), numbered(4)];
  const stations = objectsOf(second, 'stations').map((station) =>
    station['station_id'] === 1 ? { ...station, public: false } : { ...station, active: true },
  );
  const hidden = { ...second, snapshot_id: 'snimak-skriven', stations };
  const service = await startServing(t, first, { env: ENV });
  await publishAndServe(service, second);

  await t.test('answers, and refuses, as HTTP asks', async (t) => {
    const ask = asker(t, service);
    const target = `/api/v1/changes?since=${idOf(first)}`;
    const answer = await ask(target);
    t.equal(fieldOf(answer, 'content-type'), 'application/x-ndjson');
    t.equal(fieldOf(answer, 'x-record-count'), '2');
    const etag = fieldOf(answer, 'etag') ?? '';
    t.match(etag, new RegExp(`^W/"${idOf(second)}-`));
    t.equal((await ask(target, { 'If-None-Match': etag })).status, 304);
    const since = await linesOf(service, second);
    t.equal(since.length, 1, 'since the active one: the first line only');
    for (const [query, status] of [
      ['', 422],
      ['?since=', 422],
      ['?since=a/b', 400],
      ['?since=..', 400],
    ] as const) {
      t.equal((await ask(`/api/v1/changes${query}`)).status, status, query);
    }
    const gone = await ask('/api/v1/changes?since=never');
    t.equal(gone.status, 410);
    t.strictSame(jsonOf(gone), { detail: GONE });
    t.equal(fieldOf(gone, 'access-control-allow-origin'), '*');
  });

  await t.test('selects in each snapshot by its own stations and parameters', async (t) => {
    await publishAndServe(service, hidden);
    for (const [words, ops] of [
      ['station_id=2', []],
      // It was in the older snapshot, which is all that its selection has to hold in.
      ['station_id=1&parameter_code=SO2', ['withdrawn 1']],
      ['parameter_code=Ethyl%20benzene', ['withdrawn 1', 'withdrawn 1', 'withdrawn 1']],
      // The other station has the same rows in both, but is in operation in the newer one only.
      ['active=false', ['withdrawn 2']],
      ['active=true&parameter_code=SO2', ['withdrawn 1', 'added 2']],
    ] as const) {
      const [, ...lines] = await linesOf(service, first, `&${words}`);
      t.strictSame(
        lines.map(({ op, station_id: id }) => `${String(op)} ${String(id)}`),
        ops,
        words,
      );
    }
  });

  await t.test('knows nothing of a stored snapshot that it has never served', async (t) => {
    await publish(service, third, { activate: false });
    await publishAndServe(service, fourth);
    t.equal(await statusOf(service, third), 410);
    const list = await snapshotsOf(service);
    t.strictSame(
      list.map(({ snapshot_id: id }) => id),
      [fourth, hidden, second, first].map(idOf),
    );
    t.match(list[0], {
      generated_at_utc: '2026-09-10T04:00:00Z',
      activated_at_utc: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
      measurement_rows: objectsOf(fourth, 'measurements').length,
      active: true,
    });
    t.ok(list.slice(1).every(({ active }) => active === false));
  });

  await t.test('keeps the history over a restart, without what is damaged', async (t) => {
    const [cut, flipped] = [first, second];
    const before = await snapshotsOf(service);
    const changes = await linesOf(service, hidden);
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
    t.strictSame(await linesOf(again, hidden), changes);
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

    const ask = asker(t, again);
    const forgotten = [first, third, hidden].map(idOf);
    for (let at = 0; at < 40; at += 1) {
      const since = forgotten[at % 4] ?? `other-${at}`;
      t.equal((await ask(`/api/v1/changes?since=${since}`)).status, 410, since);
    }
    t.equal(await statusOf(again, fourth), 200);
    t.equal(documents, 1, 'no client has the store read');
  });
});

async function linesOf(
  service: Service,
  since: PlainDocument,
  more = '',
): Promise<readonly Plain[]> {
  const answer = await fetch(`${service.url}/api/v1/changes?since=${idOf(since)}${more}`);
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
