/** Commas in a selection, and positions that are incomplete. Any other selection, and other bad values: the fuzzer. */
import t from 'tap';
import { objectsOf, snapshotDocument } from '../../support/documents/documents.js';
import { asker, fieldOf } from '../../support/service/connection.js';
import { startServing } from '../../support/service/serve-documents.js';

/** One of them is the others with a comma between. */
const CODES = ['O3', 'm', 'm,p-Xylene', 'p-Xylene'];

/** Station 1 has a value of each code, and station 2 of none. */
function xyleneDocument() {
  const components = CODES.map((short_name, at) => {
    return { component_id: at + 1, short_name, unit: 'V' };
  });
  const stations = objectsOf(snapshotDocument(), 'stations').map((station) => {
    return { ...station, component_ids: null };
  });
  const row = { station_id: 1, date: '2026-09-09', time: '23:00', value: 1 };
  const measurements = components.map(({ component_id }) => ({ ...row, component_id }));
  return snapshotDocument({ components, stations, measurements });
}

void t.test('a selection', async (t) => {
  const asked = asker(t, await startServing(t, xyleneDocument()));
  const ask = async (target: string) => await asked(`/api/v1/${target}`);
  const body = async (target: string) => String((await ask(target)).body);

  await t.test('a comma separates, unless the whole value is a known code', async (t) => {
    for (const [words, codes] of [
      ['parameter_code=m,p-Xylene', 'm,p-Xylene'],
      ['parameter_code=+m%2Cp-Xylene+', 'm,p-Xylene'],
      ['parameter_code=p-Xylene,m', 'm p-Xylene'],
      ['parameter_code=O3,m,p-Xylene,', 'O3 m p-Xylene'],
      ['parameter_code=O3&parameter_code=m,p-Xylene', 'O3 m,p-Xylene'],
      // A list without values names nothing, and a blank one is not given.
      ['parameter_code=,', ''],
      ['parameter_code=&parameter_code=O3', 'O3'],
      ['parameter_code=+&parameter_code=', CODES.join(' ')],
    ] as const) {
      const { data } = JSON.parse(await body(`observations/latest?${words}`)) as {
        readonly data: readonly { readonly parameter_code: string }[];
      };
      t.equal(data.map((record) => record.parameter_code).join(' '), codes, words);
    }
  });

  await t.test('more than 500 values are too many, all repeats together', async (t) => {
    const ids = (count: number): string => Array.from({ length: count }, (_, id) => id).join(',');
    t.equal((await ask(`observations?station_id=${ids(500)},,`)).status, 200);
    t.equal((await ask(`observations?station_id=${ids(499)}&station_id=1,1`)).status, 400);
    // A known code, too, counts as commas separate it.
    const repeated = (count: number): string => 'parameter_code=m,p-Xylene&'.repeat(count);
    t.equal((await ask(`observations?${repeated(250)}`)).status, 200);
    t.equal((await ask(`observations?${repeated(251)}`)).status, 400);
    t.equal((await ask(`stations?${repeated(251)}`)).status, 200, 'stations have no codes');
  });

  await t.test('a malformed position is refused, and a blank one is not given', async (t) => {
    const missing = (one: string, beside: string) => `\`${one}\` is missing beside \`${beside}\`.`;
    const degrees = '`lat` is "40,42": expected degrees such as 40.42, from -90 to 90.';
    const metres = '`radius_m` is "0.9": expected metres, from 1 to 1,000,000.';
    for (const [words = '', found = ''] of [
      ['lat=44', missing('lon', 'lat')],
      ['lon=20&radius_m=5', missing('lat', 'lon')],
      ['radius_m=100', missing('lat', 'radius_m')],
      ['lat=44&lon=20&lon=', missing('lon', 'lat')],
      ['lat=40,42&lon=3,7', degrees],
      ['lat=44&lon=20&radius_m=0.9', metres],
    ]) {
      const detail = `Invalid position. ${found}`;
      t.equal(await body(`stations?${words}`), JSON.stringify({ detail }), words);
    }
    const detail = `Invalid position. ${missing('lat', 'nearest')}`;
    const nearest = 'observations/latest?lat=&lon=&nearest=1';
    t.equal(await body(nearest), JSON.stringify({ detail }));
    const all = await body('stations');
    t.equal(await body('stations?lat=x&lon=y&radius_m=z&lat=&lon=+&radius_m='), all);
    t.match(await body('stations?lat=44.803179&lon=20.400152&radius_m=1'), '"distance_m":0}]');
  });

  await t.test('a file suggests a name of its own', async (t) => {
    const dispositionOf = async (path: string) => fieldOf(await ask(path), 'content-disposition');
    const name = 'observations-20260910T000000Z-test';
    t.equal(await dispositionOf('observations/stream'), `inline; filename="${name}.ndjson"`);
    t.match(await dispositionOf('observations.csv'), `attachment; filename="${name}.csv"`);
  });
});
