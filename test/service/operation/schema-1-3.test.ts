/** Snapshot schema version 1.3.0 from a document to every answer that it changes, by the real command. */
import { parquetReadObjects } from 'hyparquet';
import t from 'tap';
import {
  namedAndTimedDocument,
  snapshotDocument,
  type PlainDocument,
} from '../../support/documents/documents.js';
import { get, getJson } from '../../support/service/requests.js';
import { publishAndServe, startServing } from '../../support/service/serve-documents.js';
import { eventually, publish } from '../../support/service/service.js';

const UNAVAILABLE = { detail: 'Active snapshot is not available or incompatible.' };
const BULK = '/api/v1/bulk/observations_hourly_preliminary_last30days';
const GENERATED_AT = '2026-09-10T00:00:00Z';

/** Series, hour, published and updated of every observation. */
function timesOf(records: readonly unknown[]): readonly (readonly unknown[])[] {
  return records.map((record) => {
    const one = record as PlainDocument;
    const series = `${String(one['station_id'])} ${String(one['parameter_code'])}`;
    return [series, one['time_start_utc'], one['published_at_utc'], one['updated_at_utc']];
  });
}

const TIMES = [
  ['1 Ethyl benzene', '2026-09-09T22:00:00Z', '2026-09-09T23:07:00Z', '2026-09-09T23:07:00Z'],
  ['1 Ethyl benzene', '2026-09-09T23:00:00Z', '2026-09-09T23:58:30Z', '2026-09-09T23:59:59Z'],
  ['1 SO2', '2026-09-09T23:00:00Z', GENERATED_AT, GENERATED_AT],
  ['2 SO2', '2026-09-08T10:00:00Z', GENERATED_AT, GENERATED_AT],
];

const old = snapshotDocument({ snapshot_id: 'old' });
const next = namedAndTimedDocument({ snapshot_id: 'next' });
const service = await startServing(t, next, {
  env: { EXPECTED_SCHEMA_VERSION: '1.3.0' },
  expect: ['unavailable'],
});

await t.test('serves names of parameters and times of rows wherever they belong', async (t) => {
  t.match((await getJson(service, '/meta')).body, { schema_version: '1.3.0' });
  t.match((await getJson(service, '/api/v1/metadata')).body, { snapshot_schema_version: '1.3.0' });

  const listed = (await getJson(service, '/api/v1/observations')).body as { data: unknown[] };
  t.strictSame(timesOf(listed.data), TIMES);
  const cut = '/api/v1/observations?station_id=1&from=2026-09-09T23:00:00Z';
  const some = (await getJson(service, cut)).body as { data: unknown[] };
  t.strictSame(timesOf(some.data), TIMES.slice(1, 3));
  const latest = (await getJson(service, '/api/v1/observations/latest')).body;
  t.strictSame(timesOf((latest as { data: unknown[] }).data), [TIMES[1], TIMES[3]]);
  const stream = await get(service, '/api/v1/observations/stream');
  const lines = stream.body.toString('utf8').trimEnd().split('\n').slice(1);
  t.strictSame(timesOf(lines.map((line) => JSON.parse(line) as unknown)), TIMES);
  const csv = await get(service, `${BULK}.csv`);
  t.match(csv.body.toString('utf8'), '2026-09-09T23:58:30Z,2026-09-09T23:59:59Z,');
  const { body } = await get(service, `${BULK}.parquet`);
  const rows = await parquetReadObjects({ file: new Uint8Array(body).buffer });
  t.strictSame(
    timesOf(rows.map((row) => JSON.parse(JSON.stringify(row).replaceAll('.000Z', 'Z')) as unknown)),
    TIMES,
  );

  t.match((await getJson(service, '/api/v1/parameters')).body, [
    { parameter_code: 'Ethyl benzene', parameter_name: 'Etilbenzen' },
    { parameter_code: 'SO2', parameter_name: 'SO2' },
  ]);
  const [first, second] = (await getJson(service, '/components')).body as PlainDocument[];
  t.notOk(first && 'parameter_name' in first);
  t.match(second, { component_id: 8, parameter_name: 'Etilbenzen' });
  t.match((await getJson(service, '/1/stations/1/meta')).body, {
    public_components: [{ component_id: 1 }, { parameter_name: 'Etilbenzen' }],
  });
});

await t.test('an instance of 1.3.0 is unavailable while 1.2.0 is active', async (t) => {
  const from = service.lines.length;
  await publish(service, old);
  t.match(await service.waitForLog('unavailable', from), { reason: 'schema_version' });
  await eventually('the front knows', async () => (await get(service, '/meta')).status === 503);
  t.match(await getJson(service, '/components'), { status: 503, body: UNAVAILABLE });
  t.match(await getJson(service, '/health/ready'), { status: 503, body: { check: 'ready' } });
  await publishAndServe(service, next);
  const { status, headers } = await get(service, '/api/v1/observations');
  t.strictSame([status, headers['x-snapshot-id']], [200, 'next']);
});
