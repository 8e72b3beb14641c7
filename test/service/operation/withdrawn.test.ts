/** Rows that their operator has taken back: no answer has them again, from whatever of a snapshot an instance keeps. */
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import { snapshotDocument, type PlainDocument } from '../../support/documents/documents.js';
import { gzipped, putDocument, writePointer } from '../../support/faults/spoiled-store.js';
import { Connection, type Answer } from '../../support/service/connection.js';
import { beginAnswer, get } from '../../support/service/requests.js';
import { activated, publishAndServe, startServing } from '../../support/service/serve-documents.js';
import { eventually, storeOf, type Service } from '../../support/service/service.js';

const HOURS = 220;
const STATIONS = 4;
const GENERATED_AT_MS = Date.parse('2026-09-10T00:00:00Z');

/** Two hundred and fifty-six kilobytes and more of wide CSV and of changes: they are answered from files. */
const NAME = 'Merna stanica '.repeat(20);

/** Every row has the same value, such as `17.25`, which identifies the document. */
function documentOf(mark: number, id = `s-${mark}`): PlainDocument {
  const stations = Array.from({ length: STATIONS }, (_, at) => ({
    station_id: at + 1,
    station_name: `${NAME}${at}`,
    station_code: `S${at}`,
    organization_id: 1,
    network_id: 1,
  }));
  const rows = stations.flatMap(({ station_id }) =>
    Array.from({ length: HOURS }, (_, back) => {
      const when = new Date(GENERATED_AT_MS - (back + 1) * 3_600_000).toISOString();
      const row = { station_id, date: when.slice(0, 10), time: when.slice(11, 16) };
      return [1, 8].map((component_id) => ({ ...row, component_id, value: mark + 0.25 }));
    }).flat(),
  );
  return snapshotDocument({ snapshot_id: id, stations, measurements: rows });
}

/** The marks of all rows in a text. */
function marksIn({ body }: Pick<Answer, 'body'>): readonly number[] {
  const found = body.toString().matchAll(/(?<![\d.])(\d+)\.25(?!\d)/g);
  return [...new Set([...found].map(([, mark]) => Number(mark)))].sort((a, b) => a - b);
}

const PATHS = [
  '/api/v1/observations.csv?layout=wide',
  '/api/v1/observations.csv',
  '/api/v1/observations',
  '/api/v1/observations/stream',
  '/api/v1/observations/latest',
  '/portal/days.csv?station_id=1',
  '/measurements?organization_id=1&station_id=1&component_id=8&window=7d',
  '/api/v1/bulk/observations_hourly_preliminary_last30days.csv',
];

const IDENTITY = { 'Accept-Encoding': 'identity' };

async function assertMarks(t: Test, service: Service, mark: number): Promise<void> {
  const connection = await Connection.open(service.port);
  for (const target of PATHS) {
    for (let again = 0; again < 3; again += 1) {
      const answer = await connection.ask({ target, fields: IDENTITY });
      t.strictSame([answer.status, marksIn(answer)], [200, [mark]], target);
    }
  }
  connection.close();
}

const env = { POINTER_POLL_SECONDS: '0.05', HISTORY_SNAPSHOTS: '5' };

void t.test('what was removed is in no answer any more', async (t) => {
  const service = await startServing(t, documentOf(0), { env });
  const store = storeOf(service);
  const readers: (readonly [mark: number, answer: IncomingMessage])[] = [];
  const finish = async (left: number): Promise<void> => {
    for (const [mark, answer] of readers.splice(0, readers.length - left)) {
      const found = marksIn({ body: await buffer(answer) });
      t.strictSame(found, [mark - 1, mark], 'who asked before has all of it');
    }
  };
  for (let mark = 1; mark <= 3; mark += 1) {
    await publishAndServe(service, documentOf(mark));
    const changes = `/api/v1/changes?since=s-${mark - 1}`;
    const connection = await Connection.open(service.port);
    for (let again = 0; again < 3; again += 1) {
      const answer = await connection.ask({ target: changes, fields: IDENTITY });
      t.strictSame(marksIn(answer), [mark - 1, mark], 'before');
    }
    readers.push([mark, await beginAnswer(service, changes)]);
    await store.remove(`s-${mark - 1}`, { withdraw: true });
    await eventually('the instance has heard of it', async () => {
      const list = await connection.ask({ target: '/api/v1/snapshots' });
      return !list.body.includes(`"s-${mark - 1}"`);
    });
    t.equal((await connection.ask({ target: changes, fields: IDENTITY })).status, 410);
    connection.close();
    await assertMarks(t, service, mark);
    // A copy is closed under its readers when there are three later ones.
    await finish(2);
  }
  await finish(0);
});

void t.test('other bytes under a known id are another snapshot', async (t) => {
  const service = await startServing(t, documentOf(0, 'same'), { env });
  const changesSince = async (id: string): Promise<readonly number[]> =>
    marksIn(await get(service, `/api/v1/changes?since=${id}`));
  await assertMarks(t, service, 0);
  await publishAndServe(service, documentOf(101));
  t.strictSame(await changesSince('same'), [0, 101]);
  // A store that is not ours knows no better.
  const from = service.lines.length;
  const bytes = await gzipped(documentOf(1, 'same'));
  await writePointer(service, await putDocument(service, 'same', bytes));
  await activated(service, { snapshot_id: 'same' }, from);
  await assertMarks(t, service, 1);
  t.strictSame(await changesSince('s-101'), [1, 101]);
});
