/** Every CSV that the service answers, for programs that guess the types of columns. */
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { DOCUMENTED_ENDPOINTS } from '../../../src/http/routes/routes.js';
import { cellsOf } from '../../support/readers/csv.js';
import { get } from '../../support/service/requests.js';
import { sharedService } from '../../support/service/shared-service.js';

/** One series whose values are whole: 4 and null. */
const SERIES = 'station_id=1&parameter_code=SO2';

/** Ends of targets by the path of every endpoint that answers CSV. */
const TARGETS: Readonly<Record<string, readonly string[]>> = {
  '/api/v1/observations.csv': ['', '?layout=wide', `?${SERIES}`, '?station_id=none&layout=wide'],
  '/api/v1/observations/latest.csv': ['', '?layout=wide', `?${SERIES}&layout=wide`],
  '/api/v1/bulk/{filename}': [
    'stations.csv',
    'parameters.csv',
    'observations_hourly_preliminary_last30days.csv',
  ],
  '/portal/days.csv': ['?station_id=1&component_id=1', '?station_id=6'],
  '/api/v1/archive/daily.csv': ['?station_id=1,2,3'],
  '/portal/episode.csv': ['?component_id=1', '?component_id=8'],
  '/portal/export': ['?organization_id=1&station_id=1&component_id=1&window=30d&format=csv'],
};

/** Columns whose numbers are whole or are names. In every other one a number is a decimal. */
const WHOLE = /(?:^|_)(?:id|code|number)$|^(?:hours|hours_with_value)$/;

void t.test('a decimal has a point in every line of every CSV', async (t) => {
  const service = await sharedService();
  const paths = DOCUMENTED_ENDPOINTS.filter(({ operation }) =>
    operation.content.some(({ mediaType }) => mediaType === 'text/csv'),
  ).map(({ path }) => path);
  t.strictSame(paths.toSorted(), Object.keys(TARGETS).toSorted(), 'every endpoint is asked');

  let decimals = 0;
  const targets = Object.entries(TARGETS).flatMap(([path, ends]) =>
    ends.map((end) => path.replace('{filename}', '') + end),
  );
  for (const target of targets) {
    const { status, headers, body } = await get(service, target);
    t.equal(status, 200, target);
    // The specification has the type of the export without `header`.
    const parameter = /^\/portal\/export|^\/api\/v1\/bulk/.test(target) ? '' : '; header=present';
    t.equal(headers['content-type'], `text/csv; charset=utf-8${parameter}`, target);
    const packed = await get(service, target, { headers: { 'Accept-Encoding': 'gzip' } });
    const isPacked = packed.headers['content-encoding'] === 'gzip';
    t.equal(isPacked, body.length > 1024, `${target}: ${body.length} bytes`);
    t.ok((isPacked ? gunzipSync(packed.body) : packed.body).equals(body), target);
    const [header = [], ...lines] = cellsOf(body.toString());
    for (const [at, column] of header.entries()) {
      const numbers = lines
        .map((cells) => cells[at] ?? '')
        .filter((cell) => cell !== '' && Number.isFinite(Number(cell)));
      if (numbers.length === 0) continue;
      if (WHOLE.test(column)) {
        t.ok(
          numbers.every((cell) => /^-?\d+$/.test(cell)),
          `${column} of ${target} is whole`,
        );
        continue;
      }
      decimals += 1;
      const wrong = numbers.filter((cell) => !/^-?\d+\.\d+(?:e[+-]\d+)?$/.test(cell));
      t.strictSame(wrong, [], `${column} of ${target}`);
    }
  }
  t.ok(decimals > 20, `${decimals} columns`);
});
