/** Observation texts of the fast renderers, compared with JSON.stringify and lines of records. */
import fc from 'fast-check';
import t from 'tap';
import { csvLine } from '../../../src/views/csv.js';
import { fieldNames } from '../../../src/views/hvd/fields.js';
import {
  createObservationCsvBytes,
  createObservationJson,
  viewObservation,
  type ObservationRow,
  type ObservationSeries,
} from '../../../src/views/hvd/observation.js';

const generatedAtMs = Date.UTC(2026, 8, 10, 12, 30, 15);
const names = fieldNames('observations');

const anyTime = fc.option(
  fc.oneof(fc.constant(NaN), fc.integer({ min: 0, max: 4_102_444_800_000 })),
  { nil: undefined },
);
const anyRow: fc.Arbitrary<ObservationRow> = fc.record({
  hour: fc.integer({ min: 0, max: 1_139_568 }),
  value: fc.oneof(
    fc.double({ noDefaultInfinity: true }),
    fc.integer().map((hundredths) => hundredths / 100),
    fc.constantFrom(NaN, 0, -0, 1e21, 5e-324),
  ),
  publishedAtMs: anyTime,
  updatedAtMs: anyTime,
});
const anySeries: fc.Arbitrary<ObservationSeries> = fc.record({
  stationId: fc.maxSafeNat(),
  parameterCode: fc.oneof(fc.constantFrom('PM10', 'Ethyl benzene', 'Ц"6,\r\n'), fc.string()),
  unit: fc.string({ unit: 'grapheme' }),
});

void t.test('JSON text is that of JSON.stringify, whatever the rows', async () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anySeries, fc.array(anyRow)), { maxLength: 4 }), (groups) => {
      const createRenderer = createObservationJson(generatedAtMs);
      for (const [one, rows] of groups) {
        const render = createRenderer(one);
        for (const row of rows) {
          const text = render(row.hour, row.value, row.publishedAtMs, row.updatedAtMs);
          const expected = JSON.stringify(viewObservation(one, row, generatedAtMs));
          if (text !== expected) throw new Error(`${text}\n${expected}`);
        }
      }
    }),
    { numRuns: 500 },
  );
});

void t.test('a CSV line is that of the record', async () => {
  fc.assert(
    fc.property(anySeries, fc.array(anyRow, { minLength: 1 }), (one, rows) => {
      const render = createObservationCsvBytes(generatedAtMs)(one);
      for (const row of rows) {
        const bytes = render(row.hour, row.value, row.publishedAtMs, row.updatedAtMs);
        const text = Buffer.from(bytes, 'latin1').toString();
        const record = viewObservation(one, row, generatedAtMs);
        if (text !== csvLine(names.map((name) => record[name]))) throw new Error(text);
      }
    }),
    { numRuns: 200 },
  );
});
