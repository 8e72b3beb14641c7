/** Words of a selection that chance does not draw: commas, too many values, malformed positions. Any other selection: the fuzzer. */
import t from 'tap';
import { objectsOf, snapshotDocument } from '../../support/documents/documents.js';
import { asker, fieldOf } from '../../support/service/connection.js';
import { startServing } from '../../support/service/serve-documents.js';

/** One of them is the others with a comma between. */
const CODES = ['O3', 'm', 'm,p-Xylene', 'p-Xylene'];

/** Station 1 has a value of each code, and station 2 of none. */
function xyleneDocument() {
  const components = CODES.map((short_name, at) => ({
    component_id: at + 1,
    short_name,
    unit: 'V',
  }));
  const hours = Array.from({ length: 300 }, (_, back) =>
    new Date(Date.parse('2026-09-09T23:00:00Z') - back * 3_600_000).toISOString(),
  );
  const stations = objectsOf(snapshotDocument(), 'stations').map((station) => ({
    ...station,
    component_ids: null,
  }));
  const measurements = components.flatMap(({ component_id }) =>
    hours.map((hour) => {
      const [date, time] = [hour.slice(0, 10), hour.slice(11, 16)];
      return { station_id: 1, component_id, date, time, value: 1 };
    }),
  );
  return snapshotDocument({ components, stations, measurements });
}

void t.test('a selection', async (t) => {
  const asked = asker(t, await startServing(t, xyleneDocument()));
  const ask = async (target: string, fields = {}) => await asked(`/api/v1/${target}`, fields);
  const body = async (target: string) => String((await ask(target)).body);

  await t.test('a comma separates, unless the whole value is a known code', async (t) => {
    for (const [words = '', codes] of [
      ['parameter_code=m,p-Xylene', ['m,p-Xylene']],
      ['parameter_code=+m%2Cp-Xylene+', ['m,p-Xylene']],
      ['parameter_code=p-Xylene,m', ['m', 'p-Xylene']],
      ['parameter_code=O3,m,p-Xylene,', ['O3', 'm', 'p-Xylene']],
      ['parameter_code=O3&parameter_code=m,p-Xylene', ['O3', 'm,p-Xylene']],
      // A list without values names nothing, and a blank one is not given.
      ['parameter_code=,', []],
      ['parameter_code=&parameter_code=O3', ['O3']],
      ['parameter_code=+&parameter_code=', CODES],
    ] as const) {
      const { data } = JSON.parse(await body(`observations/latest?${words}`)) as {
        readonly data: readonly { readonly parameter_code: string }[];
      };
      t.same(
        data.map((record) => record.parameter_code),
        codes,
        words,
      );
    }
  });

  await t.test('more than 500 values are too many, all repeats together', async (t) => {
    const ids = (count: number): string => Array.from({ length: count }, (_, id) => id).join(',');
    // A known code, too, counts as commas separate it.
    const repeated = (count: number): string => 'parameter_code=m,p-Xylene&'.repeat(count);
    const paths = ['observations', 'observations/stream', 'observations.csv'];
    for (const path of [...paths, 'observations/latest', 'observations/latest.csv', 'stations']) {
      for (const [name, within, beyond] of [
        ['station_id', `station_id=${ids(500)},,`, `station_id=${ids(499)}&station_id=1,1`],
        ['parameter_code', repeated(250), repeated(251)],
      ] as const) {
        t.equal((await ask(`${path}?${within}`)).status, 200, path);
        const answer = await ask(`${path}?${beyond}`);
        // No word of stations.
        const isRead = path !== 'stations' || name === 'station_id';
        t.equal(answer.status, isRead ? 400 : 200, path);
        if (isRead) t.match(String(answer.body), `{"detail":"Too many values in \`${name}\`."}`);
      }
    }
    t.equal((await ask('observations/latest.csv?layout=tall')).status, 422);
  });

  await t.test('a malformed position is refused, and a blank one is not given', async (t) => {
    const missing = (one: string, beside: string) => `\`${one}\` is missing beside \`${beside}\`.`;
    const degrees = (name: string, value: string, most: number) =>
      `\`${name}\` is "${value}": expected degrees such as 40.42, from -${most} to ${most}.`;
    const metres = (value: string) =>
      `\`radius_m\` is "${value}": expected metres, from 1 to 1,000,000.`;
    for (const [words = '', found = ''] of [
      ['lat=44', missing('lon', 'lat')],
      ['lon=20&radius_m=5', missing('lat', 'lon')],
      ['radius_m=100', missing('lat', 'radius_m')],
      ['lat=44&lon=20&lon=', missing('lon', 'lat')],
      ['lat=40,42&lon=3,7', degrees('lat', '40,42', 90)],
      ['lat=44&lon=180.5', degrees('lon', '180.5', 180)],
      ['lat=NaN&lon=20', degrees('lat', 'NaN', 90)],
      ['lat=44&lon=20&radius_m=0.9', metres('0.9')],
      ['lat=44&lon=20&radius_m=1000001', metres('1000001')],
    ]) {
      for (const endpoint of ['stations', 'observations.csv', 'observations/latest']) {
        const answer = await ask(`${endpoint}?${words}`);
        t.equal(answer.status, 400, words);
        t.same(JSON.parse(String(answer.body)), { detail: `Invalid position. ${found}` });
      }
    }
    const all = await body('stations');
    t.equal(await body('stations?lat=x&lon=y&radius_m=z&lat=&lon=+&radius_m='), all);
    t.match(await body('stations?lat=44.803179&lon=20.400152&radius_m=1'), '"distance_m":0}]');
  });

  await t.test('long CSV without a filter is the bulk file, packed too', async (t) => {
    for (const coding of ['identity', 'gzip']) {
      const fields = { 'Accept-Encoding': coding };
      const whole = await ask('observations.csv', fields);
      const bulk = await ask('bulk/observations_hourly_preliminary_last30days.csv', fields);
      t.equal(fieldOf(whole, 'content-encoding'), fieldOf(bulk, 'content-encoding'));
      t.ok(whole.body.equals(bulk.body), coding);
      t.match(
        fieldOf(whole, 'content-disposition'),
        'attachment; filename="observations-20260910T000000Z-test.csv"',
      );
    }
  });
});
