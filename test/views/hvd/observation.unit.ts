/** Observation text: the fast renderers beside JSON.stringify and csv-parse. */
import { deepStrictEqual } from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import t from 'tap';
import { csvLine } from '../../../src/views/csv.js';
import { fieldNames, HVD_FIELDS } from '../../../src/views/hvd/fields.js';
import {
  createObservationCsv,
  createObservationJson,
  viewObservation,
  type ObservationRow,
  type ObservationSeries,
} from '../../../src/views/hvd/observation.js';

const generatedAtMs = Date.UTC(2026, 8, 10, 12, 30, 15);
const series: ObservationSeries = { stationId: 50, parameterCode: 'PM2.5', unit: 'ug.m-3' };
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

void t.test('the record of a row has every field, in table order, null where unknown', (t) => {
  const record = viewObservation(series, { hour: 490_000, value: NaN }, generatedAtMs);
  t.strictSame(record, {
    station_id: '50',
    parameter_code: 'PM2.5',
    time_start_utc: '2025-11-24T16:00:00Z',
    time_end_utc: '2025-11-24T17:00:00Z',
    value: null,
    unit: 'ug.m-3',
    data_status: 'preliminary',
    aggregation_type: 'hourly_mean',
    published_at_utc: '2026-09-10T12:30:15Z',
    updated_at_utc: '2026-09-10T12:30:15Z',
    coverage: null,
  });
  t.strictSame(Object.keys(record), names);
  t.end();
});

void t.test('constants of the table are the values of the record', (t) => {
  const record = viewObservation(series, { hour: 0, value: 1 }, generatedAtMs);
  for (const { name, constant } of HVD_FIELDS.observations) {
    if (constant !== null) t.equal(record[name], constant);
  }
  t.end();
});

void t.test('a row that was not updated since is updated when it was published', (t) => {
  const publishedAtMs = Date.UTC(2026, 8, 10, 11, 5);
  const row = { hour: 490_000, value: 1, publishedAtMs, updatedAtMs: NaN };
  const record = viewObservation(series, row, generatedAtMs);
  t.equal(record.published_at_utc, '2026-09-10T11:05:00Z');
  t.equal(record.updated_at_utc, '2026-09-10T11:05:00Z');
  const updatedAtMs = Date.UTC(2026, 8, 10, 11, 45);
  const updated = viewObservation(series, { ...row, updatedAtMs }, generatedAtMs);
  t.equal(updated.published_at_utc, '2026-09-10T11:05:00Z');
  t.equal(updated.updated_at_utc, '2026-09-10T11:45:00Z');
  t.end();
});

void t.test('JSON text is that of JSON.stringify, whatever the row and the rows before it', (t) => {
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
  t.end();
});

void t.test('a CSV line is the record, and csv-parse reads it back', (t) => {
  fc.assert(
    fc.property(anySeries, fc.array(anyRow, { minLength: 1 }), (one, rows) => {
      const render = createObservationCsv(generatedAtMs)(one);
      const lines = rows.map((row) =>
        render(row.hour, row.value, row.publishedAtMs, row.updatedAtMs),
      );
      const records = rows.map((row) => viewObservation(one, row, generatedAtMs));
      const values = records.map((record) => names.map((name) => record[name]));
      if (lines.join('') !== values.map(csvLine).join('')) throw new Error(lines.join(''));
      const cells = values.map((line) => line.map((value) => String(value ?? '')));
      deepStrictEqual(parse(lines.join(''), { record_delimiter: '\r\n' }), cells);
    }),
    { numRuns: 200 },
  );
  t.end();
});
