/** The soak's oracle, compared with answers that were written by hand for a small document. */
import t from 'tap';
import { Oracle, type Expected } from '../../../bench/soak/oracle.js';
import { snapshotDocument } from '../../support/documents/documents.js';

const oracle = new Oracle(snapshotDocument());

const NOVI_BEOGRAD =
  '{"station_id":"1","station_name":"Novi Beograd","station_code":"RS0001A","latitude":44.803179,' +
  '"longitude":20.400152,"municipality":"Beograd","station_type":"urban",' +
  '"operator":"Agencija za zaštitu životne sredine","active":true,' +
  '"last_updated_utc":"2026-09-10T00:00:00Z","elevation_m":78.5,"address":null,' +
  '"start_date":"2008-02-29","end_date":null,"notes":null,"network_id":1,"network_code":"DMKV"}';

const META =
  '{"snapshot_id":"20260910T000000Z-test","generated_at_utc":"2026-09-10T00:00:00Z","retention_days":30,' +
  '"data_status":"preliminary","aggregation_type":"hourly_mean",';

const AT_23 =
  '{"station_id":"1","parameter_code":"Ethyl benzene","time_start_utc":"2026-09-09T23:00:00Z",' +
  '"time_end_utc":"2026-09-10T00:00:00Z","value":21.5,"unit":"ug.m-3","data_status":"preliminary",' +
  '"aggregation_type":"hourly_mean","published_at_utc":"2026-09-10T00:00:00Z",' +
  '"updated_at_utc":"2026-09-10T00:00:00Z","coverage":null}';

void t.test('of the first API', (t) => {
  t.equal(
    textOf('/meta'),
    '{"schema_version":"1.2.0","snapshot_id":"20260910T000000Z-test","generated_at":"2026-09-10T00:00:00Z",' +
      '"supported_windows":["1h","1d","7d","14d","30d"],' +
      '"counts":{"organizations":2,"networks":2,"stations":4,"components":3,"measurement_rows":6}}',
  );
  t.equal(
    textOf('/1/stations/1/measurements/last_hour'),
    '{"hours":[{"date":"2026-09-09","time":"23:00","components":[{"component_id":8,"value":21.5}]}]}',
  );
  t.equal(
    textOf('/measurements?organization_id=1&station_id=1&component_id=8&window=1d'),
    '{"organization_id":1,"station_id":1,"station_name":"Novi Beograd","component_id":8,' +
      '"component_short_name":"Ethyl benzene","unit":"ug.m-3","window":"1d","points":[' +
      '{"date":"2026-09-09","time":"22:00","value":20.25},{"date":"2026-09-09","time":"23:00","value":21.5}]}',
  );
  t.equal(textOf('/health/live'), '{"status":"ok","check":"live"}');
  t.end();
});

void t.test('has none for what is not public or not there', (t) => {
  for (const target of [
    '/measurements?organization_id=1&station_id=9&component_id=1&window=1d',
    '/measurements?organization_id=1&station_id=1&component_id=4&window=1d',
    '/2/stations/1/meta',
    '/portal/export?organization_id=1&station_id=1&component_id=4&window=1d&format=csv',
    '/nothing',
  ]) {
    t.same(oracle.expect(target), { kind: 'absent' }, target);
  }
  t.end();
});

void t.test('of observations, from a millisecond on and to another', (t) => {
  const query =
    'station_id=1&parameter_code=Ethyl%20benzene&from=2026-09-09T22:00:00.001Z&to=2026-09-10T00:00:00.000Z';
  const window =
    '"requested_window":{"from":"2026-09-09T22:00:00Z","to":"2026-09-10T00:00:00Z"},' +
    '"actual_window":{"from":"2026-09-09T22:00:00Z","to":"2026-09-10T00:00:00Z"},"out_of_retention_window":false';
  t.same(oracle.expect(`/api/v1/observations?${query}`), {
    kind: 'text',
    body: `{"data":[${AT_23}],"meta":${META}${window},"count":1}}`,
    records: 1,
  });
  t.same(oracle.expect(`/api/v1/observations/stream?${query}`), {
    kind: 'text',
    body:
      `{"meta":${META}${window},"streaming":true,` +
      `"record_order":"store retrieval order: station_id, parameter_code, time_start_utc"}}\n${AT_23}\n`,
    records: 1,
  });
  t.same(recordsOf('/api/v1/observations?station_id=nobody'), 0);
  t.same(recordsOf('/api/v1/observations'), 4);
  t.same(recordsOf('/api/v1/observations/latest?station_id=1'), 1);
  t.end();
});

void t.test('of stations, by each filter', (t) => {
  t.equal(textOf('/api/v1/stations?station_type=urban'), `[${NOVI_BEOGRAD}]`);
  t.equal(textOf('/api/v1/stations?municipality=beograd%20'), `[${NOVI_BEOGRAD}]`);
  t.equal(
    textOf('/api/v1/stations?bbox=20.400152,44.803179,20.400152,44.803179'),
    `[${NOVI_BEOGRAD}]`,
  );
  t.same(recordsOf('/api/v1/stations?active=false'), 1);
  t.same(recordsOf('/api/v1/stations'), 3);
  t.end();
});

void t.test('of exports and pages', (t) => {
  const series = 'organization_id=1&station_id=1&component_id=8&window=1d';
  const rows = [
    '1,Agencija za zaštitu životne sredine,1,Novi Beograd,RS0001A,1,DMKV,2026-09-09,22:00,8,Ethyl benzene,ug.m-3,20.25',
    '1,Agencija za zaštitu životne sredine,1,Novi Beograd,RS0001A,1,DMKV,2026-09-09,23:00,8,Ethyl benzene,ug.m-3,21.50',
  ];
  const header =
    'organization_id,organization_name,station_id,station_name,station_code,network_id,network_code,' +
    'date,time,component_id,component_short_name,unit,value';
  t.equal(
    textOf(`/portal/export?${series}&format=csv`),
    [header, ...rows].map((row) => `${row}\r\n`).join(''),
  );
  t.same(oracle.expect(`/portal/export?${series}&format=ods`), {
    kind: 'table',
    format: 'ods',
    rows: [header, ...rows].map((row) => row.split(',')),
  });
  t.same(oracle.expect('/portal/station-modal?station_id=1&component_id=8&window=1d'), {
    kind: 'page',
    texts: ['Novi Beograd', '<td>2026-09-09 23:00</td>', '>21,5</td>'],
  });
  t.end();
});

function textOf(target: string): string {
  return textAnswer(target).body;
}

function recordsOf(target: string): number | undefined {
  return textAnswer(target).records;
}

function textAnswer(target: string): Extract<Expected, { kind: 'text' }> {
  const expected = oracle.expect(target);
  if (expected.kind !== 'text') throw new Error(`${target} is no text`);
  return expected;
}
