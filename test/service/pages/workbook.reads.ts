/** The workbook of a station, read by another library and compared with the API's values. */
import readWorkbook from 'read-excel-file/universal';
import t from 'tap';
import { get, getJson } from '../../support/service/requests.js';
import { sharedService } from '../../support/service/shared-service.js';

const HOUR_MS = 3_600_000;

interface Station {
  readonly station_id: string;
  readonly station_name: string;
}

interface List {
  readonly data: readonly { readonly time_start_utc: string; readonly value: number | null }[];
}

/** Milliseconds of `+02:00`. */
function offsetOf(text: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(text) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

void t.test('every value stands in its hour of the clock, once', async (t) => {
  const service = await sharedService();
  const read = async (query: string) => {
    const { status, body } = await get(service, `/portal/station.xlsx?language=en&${query}`);
    t.equal(status, 200, query);
    return (await readWorkbook(new Blob([new Uint8Array(body)]))).map(({ data }) => data);
  };
  const stations = (await getJson(service, '/api/v1/stations')).body as readonly Station[];
  let compared = 0;
  for (const { station_id: id, station_name: name } of stations.slice(0, 3)) {
    const [values = [], about, chart] = await read(`station_id=${id}`);
    t.match(JSON.stringify(about), JSON.stringify(name).slice(1, -1));
    t.same(chart, [], 'a picture');
    const shown = values.slice(1).flatMap(([time, offset, ...cells]) => {
      // Dates of workbooks are fractions of a day.
      const hour = Math.round((Number(time) - offsetOf(String(offset))) / HOUR_MS);
      return cells.flatMap((cell) => (cell === null ? [] : [[hour, cell]]));
    });
    const { body } = await getJson(service, `/api/v1/observations?station_id=${id}&limit=10000`);
    const expected = (body as List).data.flatMap(({ time_start_utc, value }) =>
      value === null ? [] : [[Date.parse(time_start_utc) / HOUR_MS, value]],
    );
    t.same(shown.map(String).toSorted(), expected.map(String).toSorted());
    if (shown.length === 0) continue;
    compared += shown.length;
    // A fixed period has just its own hours.
    const newest = Math.max(...shown.map(([hour]) => Number(hour)));
    const timeOf = (hour: number) =>
      new Date(hour * HOUR_MS).toISOString().replace(':00.000Z', 'Z');
    for (const [from, hours] of [
      [newest - 2, 3],
      [newest - 9000, 0],
    ] as const) {
      const [rows] = await read(`station_id=${id}&from=${timeOf(from)}&to=${timeOf(from + 3)}`);
      t.equal(rows?.length, 1 + hours, id);
    }
  }
  t.ok(compared > 0);
  for (const query of ['', '?station_id=x', '?station_id=999999999']) {
    t.equal((await get(service, `/portal/station.xlsx${query}`)).status, 404);
  }
});
