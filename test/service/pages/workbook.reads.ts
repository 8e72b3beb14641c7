/** The workbook of a station, read by another library and compared with the API's values. */
import readWorkbook from 'read-excel-file/universal';
import t from 'tap';
import { get, getJson } from '../../support/service/requests.js';
import { sharedService } from '../../support/service/shared-service.js';

const HOUR_MS = 3_600_000;

interface Observation {
  readonly time_start_utc: string;
  readonly value: number | null;
}

interface Newest extends Observation {
  readonly station_id: string;
}

interface List {
  readonly data: readonly Observation[];
}

interface Station {
  readonly station_id: string;
  readonly station_name: string;
}

/** Milliseconds of `+02:00`. */
function offsetOf(text: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(text) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

void t.test('every value stands in its hour of the clock, once', async (t) => {
  const service = await sharedService();
  const stations = (await getJson(service, '/api/v1/stations')).body as readonly Station[];
  let compared = 0;
  for (const { station_id: id, station_name: name } of stations.slice(0, 4)) {
    const answer = await get(service, `/portal/station.xlsx?station_id=${id}&language=en`);
    t.equal(answer.status, 200);
    const sheets = await readWorkbook(new Blob([new Uint8Array(answer.body)]));
    const [values, about, chart] = sheets.map(({ data }) => data);
    t.match(JSON.stringify(about), JSON.stringify(name).slice(1, -1));
    t.same(chart, [], 'a picture');
    const shown = (values ?? []).slice(1).flatMap(([time, offset, ...cells]) => {
      const epochMs = Number(time) - offsetOf(String(offset));
      // Dates of workbooks are fractions of a day.
      const hour = Math.round(epochMs / HOUR_MS);
      return cells.flatMap((cell) => (cell === null ? [] : [[hour, cell]]));
    });
    const { body } = await getJson(service, `/api/v1/observations?station_id=${id}&limit=10000`);
    const expected = (body as List).data.flatMap(({ time_start_utc, value }) =>
      value === null ? [] : [[Date.parse(time_start_utc) / HOUR_MS, value]],
    );
    compared += expected.length;
    t.same(shown.map(String).toSorted(), expected.map(String).toSorted());
  }
  t.ok(compared > 0);
});

void t.test('of hours that stay it has just these, and of others none', async (t) => {
  const service = await sharedService();
  const { body } = await getJson(service, '/api/v1/observations/latest');
  const [newest] = (body as { readonly data: readonly Newest[] }).data;
  const at = (hours: number): string =>
    new Date(Date.parse(newest?.time_start_utc ?? '') + hours * HOUR_MS)
      .toISOString()
      .replace(':00.000Z', 'Z');
  for (const [from, hours] of [
    [-2, 3],
    [-9000, 0],
  ] as const) {
    const query = `station_id=${newest?.station_id ?? ''}&from=${at(from)}&to=${at(from + 3)}`;
    const answer = await get(service, `/portal/station.xlsx?${query}`);
    const [values] = await readWorkbook(new Blob([new Uint8Array(answer.body)]));
    t.equal(values?.data.length, 1 + hours, query);
  }
});

void t.test('without a station that there is, there is none', async (t) => {
  const service = await sharedService();
  for (const query of ['', '?station_id=x', '?station_id=999999999']) {
    t.equal((await get(service, `/portal/station.xlsx${query}`)).status, 404);
  }
});
