/** `/api/v1/events`: every listener gets every swap once, also after it has connected again. */
import { once } from 'node:events';
import { resolve } from 'node:path';
import t from 'tap';
import {
  objectsOf,
  snapshotDocument,
  type PlainDocument,
} from '../../support/documents/documents.js';
import { listenToEvents } from '../../support/readers/event-listener.js';
import { get, getJson } from '../../support/service/requests.js';
import { publishAndServe, startServing } from '../../support/service/serve-documents.js';
import { eventually, publish, startService, type Service } from '../../support/service/service.js';

const IDS = ['prvi', 'drugi', 'treci'] as const;
const [FIRST, SECOND, THIRD] = IDS.map((snapshot_id) => snapshotDocument({ snapshot_id }));

/** Its copy is spoiled before any front opens it. */
const LOST = 'izgubljen';
const LOSING = ['--import', resolve('build/test/support/service/lost-copy.js')];

void t.test('tells of the served snapshot at once, and then of every other one', async (t) => {
  const env = { POINTER_POLL_SECONDS: '0.05', LOST_COPY: LOST };
  const lost = ['front cannot serve the snapshot', 'local copy cannot be read'];
  const expect = [...lost, 'local copy damaged', 'unavailable'];
  const service = await startService(t, { env, expect, nodeArguments: LOSING });
  const early = await listenToEvents(t, service.port);
  t.equal(early.response.statusCode, 200);
  await publishAndServe(service, FIRST ?? {});
  t.equal((await early.next()).id, 'prvi', 'without a snapshot a listener waits for the first one');

  const { status, headers, body } = await get(service, '/api/v1/events', { method: 'HEAD' });
  t.same([status, headers['content-type'], body.length], [200, 'text/event-stream', 0]);

  const listeners = await Promise.all(
    Array.from({ length: 20 }, async () => await listenToEvents(t, service.port)),
  );
  const first = await Promise.all(listeners.map(async ({ next }) => await next()));
  for (const event of first) t.match(event, { id: 'prvi', event: 'snapshot' });
  t.match(first[0]?.data, {
    snapshot_id: 'prvi',
    generated_at_utc: FIRST?.['generated_at'],
    measurement_rows: objectsOf(FIRST ?? {}, 'measurements').length,
    ...{ previous_snapshot_id: null, added: null, changed: null, withdrawn: null },
  });
  const { response, others } = await listenToEvents(t, service.port, {
    headers: { 'Last-Event-ID': 'prvi', 'Accept-Encoding': 'gzip' },
  });
  t.match(response.headers, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    'access-control-allow-origin': '*',
  });
  t.equal(response.headers['content-encoding'], undefined);
  const late = await listenToEvents(t, service.port, { headers: { 'Last-Event-ID': 'prvi' } });
  for (const document of [SECOND, THIRD]) await publishAndServe(service, document ?? {});
  for (const id of IDS.slice(1)) {
    const heard = await Promise.all([...listeners, late].map(async ({ next }) => await next()));
    t.same([...new Set(heard.map((event) => event.id))], [id]);
    const [previous_snapshot_id] = IDS.slice(IDS.indexOf(id) - 1);
    t.match(heard[0]?.data, { previous_snapshot_id, added: 0, changed: 0, withdrawn: 0 });
  }
  t.ok(listeners.every(({ events }) => events.length === 3));
  t.equal(late.events.length, 2, 'what it knew was not repeated');
  t.ok(late.others.includes('retry: 5000') && others.includes('retry: 5000'));
  await publish(service, changed(LOST, 2));
  await service.waitForLog('local copy damaged');
  t.strictSame(await listed(service), ['drugi', 'prvi', 'treci'], 'nobody was served the lost one');
  await publishAndServe(service, changed('peti', 1));
  const after = await late.next();
  t.equal(after.id, 'peti');
  t.match(after.data, { previous_snapshot_id: 'treci', added: 0, changed: 1, withdrawn: 0 });
  t.strictSame(await listed(service), ['drugi', 'peti', 'prvi', 'treci']);
  t.equal((await get(service, `/api/v1/changes?since=${LOST}`)).status, 410);
  t.equal((await service.stop()).code, 0);
  await t.resolves(late.ended, 'a stream of a service that stops ends as a whole');
});

void t.test('one listener more than EVENT_LISTENERS is 503, until one leaves', async (t) => {
  const service = await startServing(t, FIRST ?? {}, { env: { EVENT_LISTENERS: '2' } });
  const listen = async (from: string, headers = {}) =>
    await listenToEvents(t, service.port, { from, headers });
  const [one] = [await listen('127.0.0.1'), await listen('127.0.0.2')];
  const { response: refused } = await listen('127.0.0.3', { Connection: 'keep-alive' });
  t.same([refused.statusCode, refused.headers['retry-after']], [503, '2']);
  t.equal(refused.headers.connection, 'close', 'it keeps no connection either');
  one.response.destroy();
  await once(one.response, 'close');
  const isFree = async () => (await listen('127.0.0.3')).response.statusCode === 200;
  await eventually('a place is free again', isFree);
});

/** The first document with other values in its first rows. */
function changed(snapshot_id: string, rows: number): PlainDocument {
  const measurements = objectsOf(FIRST ?? {}, 'measurements').map((row, at) =>
    at < rows ? { ...row, value: 77 + at } : row,
  );
  return snapshotDocument({ snapshot_id, measurements });
}

async function listed(service: Service): Promise<readonly string[]> {
  const { body } = await getJson(service, '/api/v1/snapshots');
  return (body as readonly { readonly snapshot_id: string }[]).map((one) => one.snapshot_id).sort();
}
