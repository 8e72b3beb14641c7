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

void t.test('JSON text and CSV line are those of the record, whatever the rows', async () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anySeries, fc.array(anyRow)), { maxLength: 4 }), (groups) => {
      const jsonOf = createObservationJson(generatedAtMs);
      const bytesOf = createObservationCsvBytes(generatedAtMs);
      for (const [one, rows] of groups) {
        const [renderJson, renderBytes] = [jsonOf(one), bytesOf(one)];
        for (const row of rows) {
          const cells = [row.hour, row.value, row.publishedAtMs, row.updatedAtMs] as const;
          const record = viewObservation(one, row, generatedAtMs);
          const expected = [JSON.stringify(record), csvLine(names.map((name) => record[name]))];
          const bytes = Buffer.from(renderBytes(...cells), 'latin1');
          const found = [renderJson(...cells), bytes.toString()];
          const texts = [found, expected].map((one) => one.join('\n'));
          if (texts[0] !== texts[1]) throw new Error(texts.join('\n'));
        }
      }
    }),
    { numRuns: 500 },
  );
});
