/** Rows that their operator has taken back: no answer has them again, from whatever of a snapshot an instance keeps. */
import { buffer } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import { snapshotDocument, type PlainDocument } from '../../support/documents/documents.js';
import { gzipped, putDocument, writePointer } from '../../support/faults/spoiled-store.js';
import { asker, fieldOf } from '../../support/service/connection.js';
import { beginAnswer } from '../../support/service/requests.js';
import { activated, publishAndServe, startServing } from '../../support/service/serve-documents.js';
import { eventually, storeOf, type Service } from '../../support/service/service.js';

const HOURS = 220;
const GENERATED_AT_MS = Date.parse('2026-09-10T00:00:00Z');

/** Two hundred and fifty-six kilobytes and more of wide CSV and of changes: they are answered from files. */
const NAME = 'Merna stanica '.repeat(20);

/** Every row has the same value, such as `17.25`, which identifies the document. */
function documentOf(mark: number, id = `s-${mark}`): PlainDocument {
  const stations = [1, 2, 3, 4].map((number) => ({
    station_id: number,
    station_name: `${NAME}${number}`,
    station_code: `S${number}`,
    organization_id: 1,
    network_id: 1,
  }));
  const measurements = Array.from({ length: HOURS * 8 }, (_, at) => {
    const when = new Date(GENERATED_AT_MS - (1 + (at >> 3)) * 3_600_000).toISOString();
    return {
      station_id: 1 + (at & 3),
      component_id: (at & 4) === 0 ? 1 : 8,
      date: when.slice(0, 10),
      time: when.slice(11, 16),
      value: mark + 0.25,
    };
  });
  return snapshotDocument({ snapshot_id: id, stations, measurements });
}

/** The marks of all rows in a text. */
function marksIn(body: Buffer): readonly number[] {
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

async function assertMarks(t: Test, service: Service, mark: number): Promise<void> {
  const ask = asker(t, service);
  // More than once: from a cache, too.
  for (const target of [...PATHS, ...PATHS, ...PATHS]) {
    const { status, body } = await ask(target);
    t.strictSame([status, marksIn(body)], [200, [mark]], target);
  }
}

void t.test('the removed and the replaced are in no answer any more', async (t) => {
  const env = { POINTER_POLL_SECONDS: '0.05', HISTORY_SNAPSHOTS: '5' };
  const service = await startServing(t, documentOf(0), { env });
  const ask = asker(t, service);
  const since = (id: string): string => `/api/v1/changes?since=${id}`;
  const file = `/api/v1/bulk/observations_hourly_preliminary_last30days.csv`;
  for (let mark = 1; mark <= 2; mark += 1) {
    const address = fieldOf(await ask(file), 'content-location') ?? '';
    await publishAndServe(service, documentOf(mark));
    const changes = since(`s-${mark - 1}`);
    for (let again = 0; again < 3; again += 1) {
      t.strictSame(marksIn((await ask(changes)).body), [mark - 1, mark], 'before');
    }
    t.strictSame(marksIn((await ask(address)).body), [mark - 1], 'before, at its own address');
    const begun = await beginAnswer(service, changes);
    await storeOf(service).remove(`s-${mark - 1}`, { withdraw: true });
    await eventually('the instance has heard of it', async () => {
      const { body } = await ask('/api/v1/snapshots');
      return !body.includes(`"s-${mark - 1}"`);
    });
    t.equal((await ask(changes)).status, 410);
    await eventually('the file is gone', async () => (await ask(address)).status === 404);
    await assertMarks(t, service, mark);
    t.strictSame(marksIn(await buffer(begun)), [mark - 1, mark], 'who asked before has all of it');
  }

  // A store that is not ours knows no better than to have other bytes under a known id.
  await publishAndServe(service, documentOf(101));
  t.strictSame(marksIn((await ask(since('s-2'))).body), [2, 101]);
  const from = service.lines.length;
  const bytes = await gzipped(documentOf(1, 's-2'));
  await writePointer(service, await putDocument(service, 's-2', bytes));
  await activated(service, { snapshot_id: 's-2' }, from);
  await assertMarks(t, service, 1);
  t.strictSame(marksIn((await ask(since('s-101'))).body), [1, 101]);
});
