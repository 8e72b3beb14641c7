/** Networks whose clock is no whole number of hours from UTC: from an export to API, files, page and changes. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import t, { type Test } from 'tap';
import type { PlainDocument } from '../../support/documents/documents.js';
import { runBura } from '../../support/service/command.js';
import { get, getJson } from '../../support/service/requests.js';
import { publishAndServe, startServing } from '../../support/service/serve-documents.js';
import type { Service } from '../../support/service/service.js';

const HOUR_MS = 3_600_000;
const BULK = '/api/v1/bulk/observations_hourly_preliminary_last30days';
const LISTS = `CREATE TABLE stations AS FROM (VALUES (1, 'A', 'Alpha', 28.6, 77.2)) AS s(station_id, station_code, station_name, latitude, longitude);
  CREATE TABLE components AS FROM (VALUES (8, 'NO2', 'ug/m3')) AS c(component_id, short_name, unit);`;

type Rows = readonly (readonly [startUtc: string, value: number])[];

/** A row for each hour from a time on, and the value of its number. */
function rowsFrom(startUtc: string, hours: number): Rows {
  return Array.from({ length: hours }, (_, at) => {
    return [new Date(Date.parse(startUtc) + at * HOUR_MS).toISOString(), at % 24];
  });
}

/** Writes rows by the clock of a zone, and has the command build their document. */
async function built(t: Test, zone: string, rows: Rows): Promise<PlainDocument> {
  const styles = { dateStyle: 'short', timeStyle: 'short' } as const;
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, ...styles });
  const lines = rows.map(([start, value]) => `${clock.format(Date.parse(start))},${value}`);
  const from = t.testdir({
    'hours.csv': `clock,value\n${lines.join('\n')}\n`,
    'bura.sql': `${LISTS} CREATE VIEW measurements AS SELECT 'A' AS station_code, 'NO2' AS short_name, value,
      utc(clock, '${zone}') AS time_start_utc FROM read_csv('hours.csv', types = {'clock': 'VARCHAR', 'value': 'DOUBLE'});`,
  });
  const out = join(from, 'document.json');
  const names = ['--organization-name', 'Agency', '--organization-short-name', 'AG'];
  const env = { SNAPSHOT_STORE: `file:${join(from, 'store')}` };
  const { code, stderr } = await runBura(['build', '--from', from, '--out', out, ...names], {
    env,
  });
  t.equal(code, 0, stderr);
  return JSON.parse(await readFile(out, 'utf8')) as PlainDocument;
}

async function recordsOf(service: Service, path: string): Promise<readonly PlainDocument[]> {
  return ((await getJson(service, path)).body as { data: PlainDocument[] }).data;
}

function timesOf(records: readonly PlainDocument[]): Rows {
  return records.map(({ time_start_utc: start, value }) => [
    new Date(start as string).toISOString(),
    value as number,
  ]);
}

async function read(service: Service, path: string): Promise<string> {
  const { status, body } = await get(service, path);
  t.equal(status, 200, path);
  return body.toString();
}

const env = { DEFAULT_LANGUAGE: 'en' };
const SERIES = 'station_id=1&component_id=8';

/** Dates of days with a value, and their numbers of hours with one. */
async function daysOf(service: Service): Promise<readonly string[]> {
  const days = await read(service, `/portal/days.csv?${SERIES}`);
  return [...days.matchAll(/,(\d{4}-\d\d-\d\d),[^,]+,[^,]+,[^,]+,(\d+),\2,/g)].map(
    ([, date = '', hours = '']) => `${date} ${hours}`,
  );
}

await t.test('India: hours start at minute 30 in answers, files, pages and changes', async (t) => {
  const zone = 'Asia/Kolkata';
  // Four days from midnight on.
  const rows = rowsFrom('2026-03-05T18:30:00Z', 96);
  const first = await built(t, zone, rows);
  t.match(first, { hour_minute: 30, generated_at: '2026-03-09T18:30:00Z' });
  const service = await startServing(t, first, { env: { ...env, TIME_ZONE: zone } });
  t.match((await getJson(service, '/meta')).body, { hour_minute: 30 });
  t.same(timesOf(await recordsOf(service, '/api/v1/observations')), rows);
  const cut = '?from=2026-03-09T16:00:00Z&to=2026-03-09T17:30:00Z';
  t.same(timesOf(await recordsOf(service, `/api/v1/observations${cut}`)), [rows[94]]);
  const [latest] = await recordsOf(service, '/api/v1/observations/latest');
  const ends = { time_start_utc: '2026-03-09T17:30:00Z', time_end_utc: '2026-03-09T18:30:00Z' };
  t.match(latest, ends);
  const { body: series } = await getJson(
    service,
    `/measurements?organization_id=1&${SERIES}&window=1d`,
  );
  const { points } = series as { readonly points: readonly PlainDocument[] };
  t.same([points.length, points[0]], [24, { date: '2026-03-08', time: '18:30', value: 0 }]);
  t.match(await read(service, `${BULK}.csv`), '1,NO2,2026-03-05T18:30:00Z,2026-03-05T19:30:00Z,0');
  const { body } = await get(service, `${BULK}.parquet`);
  const inParquet = await parquetReadObjects({ file: new Uint8Array(body).buffer });
  t.same(timesOf(inParquet as PlainDocument[]), rows);
  const wide = await read(service, `/api/v1/observations.csv${cut}&layout=wide`);
  t.match(wide, '1,Alpha,2026-03-09T16:30:00Z,2026-03-09T17:30:00Z,22');

  const chosen = async (hour: string): Promise<readonly string[]> => {
    const map = await read(service, `/?component_id=8&hour=${hour}`);
    return [...map.matchAll(/<option value="([^"]*Z)" selected>/g)].map(([, value = '']) => value);
  };
  t.same(await chosen('2026-03-08T02:30Z'), ['2026-03-08T02:30Z', '2026-03-08T02:30Z']);
  t.same(await chosen('2026-03-08T02:00Z'), [], 'no hour starts then');
  const panel = await read(service, `/portal/station-modal?${SERIES}&window=7d`);
  t.match(panel, 'from=2026-03-05T18%3A30Z&amp;to=2026-03-06T18%3A30Z"><span class="weekday">Fri');
  t.match(await daysOf(service), [
    '2026-03-06 24',
    '2026-03-07 24',
    '2026-03-08 24',
    '2026-03-09 24',
  ]);

  const later = rowsFrom('2026-03-05T18:30:00Z', 97).slice(1);
  await publishAndServe(service, await built(t, zone, later));
  const changes = await read(service, `/api/v1/changes?since=${String(first['snapshot_id'])}`);
  t.match(
    changes,
    '"retention_from_utc":"2026-02-07T19:30:00Z","added":1,"changed":0,"withdrawn":1}',
  );
  t.match(
    changes,
    '"op":"added","station_id":"1","parameter_code":"NO2","time_start_utc":"2026-03-09T18:30:00Z"',
  );
});

await t.test('Newfoundland: days are those of its clock, also where it goes forward', async (t) => {
  const zone = 'America/St_Johns';
  const document = await built(t, zone, rowsFrom('2026-03-06T03:30:00Z', 95));
  t.match(document, { hour_minute: 30, generated_at: '2026-03-10T02:30:00Z' });
  const service = await startServing(t, document, { env: { ...env, TIME_ZONE: zone } });
  t.match(await daysOf(service), [
    '2026-03-06 24',
    '2026-03-07 24',
    '2026-03-08 23',
    '2026-03-09 24',
  ]);
  const panel = await read(
    service,
    `/portal/station-modal?${SERIES}&from=2026-03-08T03:30Z&to=2026-03-09T02:30Z`,
  );
  t.match(panel, 'data-title="Alpha: NO₂, Sun 8 Mar 2026"');
});
