/** The observations as Parquet, read back by DuckDB. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import type { Component, Observations } from '../../../../src/snapshot/domain/model.js';
import { inObservationOrder } from '../../../../src/snapshot/domain/observation-order.js';
import { observationsParquet } from '../../../../src/workers/formats/parquet/observations-parquet.js';
import { HVD_FIELDS } from '../../../../src/views/hvd/fields.js';
import { scaled } from '../../../support/faults/chance.js';
import { openDuckDb } from '../../../support/readers/duckdb.js';
import {
  component,
  HEADER,
  LAST_HOUR,
  observationColumns,
  sharedDoubles,
  type SeriesRows,
} from '../../../support/expected/observation-columns.js';

type Content = Readonly<{ observations: Observations; components: readonly Component[] }>;

/** Writes the file; its path, and SQL for it as a table. */
function write(directory: string, { observations, components }: Content, name = 'observations') {
  const series = inObservationOrder(observations.series, components);
  const metadata = { snapshot_id: HEADER.snapshotId, license: 'CC BY' };
  const path = join(directory, `${name}.parquet`);
  const content = { header: HEADER, observations, series, metadata };
  writeFileSync(path, Buffer.concat([...observationsParquet(content)]));
  return { path, parquet: `read_parquet('${path}')` };
}

/** `stations` with `parameters` each and `hours` rows a series, values as a walk. */
function month(of: { stations: readonly number[]; parameters: number; hours: number }): Content {
  const components = Array.from({ length: of.parameters }, (_, index) =>
    component(index + 1, `P${of.parameters - index}`),
  );
  const all = of.stations.flatMap((stationId) =>
    components.map(({ id }): SeriesRows => {
      const rows = Array.from({ length: of.hours }, (_, index) => {
        const value = index % 50 === 7 ? null : (index + stationId + id) / 10;
        return [LAST_HOUR - of.hours + 1 + index, value] as const;
      });
      return { stationId, componentId: id, rows };
    }),
  );
  return { observations: observationColumns(all), components };
}

await t.test('has real types: texts, times in UTC, doubles', async (t) => {
  const { parquet, path } = write(t.testdir(), month({ stations: [1], parameters: 1, hours: 2 }));
  const { rows } = await openDuckDb(t);
  const types = await rows(`SELECT column_name, column_type FROM (DESCRIBE FROM ${parquet})`);
  const wanted = { string: 'VARCHAR', datetime: 'TIMESTAMP WITH TIME ZONE', decimal: 'DOUBLE' };
  t.same(
    types.map((row) => [row['column_name'], row['column_type']]),
    HVD_FIELDS.observations.map(({ name, type }) => [name, wanted[type]]),
  );
  const schema = `parquet_schema('${path}') WHERE name LIKE '%_utc'`;
  for (const { logical_type: type } of await rows(`SELECT logical_type FROM ${schema}`)) {
    t.match(type, /isAdjustedToUTC=1.*MILLIS/s);
  }
  const metadata = `SELECT decode(key) AS key, decode(value) AS value FROM parquet_kv_metadata('${path}')`;
  t.strictSame(await rows(metadata), [
    { key: 'snapshot_id', value: HEADER.snapshotId },
    { key: 'license', value: 'CC BY' },
  ]);
});

/** Doubles of any size, texts in any script, times near and far: differences of few and of many bits. */
const anyRow = fc.record({
  value: fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.constantFrom(0.1 + 0.2, 1 / 3, 5e-324, 2.2250738585072014e-308, -1e-7, 0, -0),
    fc.constant(null),
  ),
  second: fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: 1_788_998_400, max: 1_788_998_500 }) },
    fc.integer({
      min: Date.parse('0001-01-01T00:00:00Z') / 1000,
      max: Date.parse('9999-12-31T23:59:59Z') / 1000,
    }),
  ),
});
const anyText = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .filter((one) => !one.includes('\0'));

await t.test('keeps any value, null, text and time, whatever the ones beside it', async (t) => {
  const directory = t.testdir();
  const { rows } = await openDuckDb(t);
  const anyCodes = fc.uniqueArray(anyText, { minLength: 1, maxLength: 12 });
  const anyRows = fc.array(anyRow, { minLength: 1, maxLength: 400 });
  let run = 0;
  await fc.assert(
    fc.asyncProperty(anyCodes, anyText, anyRows, async (codes, unit, all) => {
      run += 1;
      const components = codes.map((code, index) => component(index + 1, code, unit));
      const hours = all.map(({ value }, at) => [LAST_HOUR + 1 - all.length + at, value] as const);
      const series = components.map(({ id }) => ({ stationId: 1, componentId: id, rows: hours }));
      const seconds = codes.flatMap(() => all.map(({ second }) => second));
      const publishedAtMs = sharedDoubles(seconds.map((second) => second * 1000));
      const observations = { ...observationColumns(series), publishedAtMs };
      const { parquet } = write(directory, { observations, components }, String(run));
      const read = await rows(
        `SELECT parameter_code, unit, value, epoch_ms(published_at_utc)::DOUBLE AS ms FROM ${parquet}`,
      );
      // As JSON says it: a zero has no sign there.
      const expected = codes.toSorted().flatMap((parameter_code) =>
        all.map(({ value, second }) => {
          const cell = value === null ? null : value + 0;
          return { parameter_code, unit, value: cell, ms: second * 1000 };
        }),
      );
      assert.deepEqual(read, expected);
      // By wrong statistics readers leave out rows that match: those of texts are in the order of UTF-8 bytes.
      const [first = 0] = seconds;
      const same = seconds.filter((second) => second === first).length;
      for (const [condition, count] of [
        [`published_at_utc = make_timestamptz(${first * 1_000_000})`, same],
        ...codes.map((code) => {
          return [`parameter_code = '${code.replaceAll("'", "''")}'`, all.length] as const;
        }),
      ] as const) {
        const found = await rows(`SELECT count(*) AS n FROM ${parquet} WHERE ${condition}`);
        assert.deepEqual(found, [{ n: String(count) }], condition);
      }
    }),
    { numRuns: scaled(30) },
  );
});

await t.test('has statistics by which a reader of one station leaves out the others', async (t) => {
  const content = month({ stations: [1, 9, 10, 11, 45, 46, 99, 100], parameters: 10, hours: 720 });
  const { path, parquet } = write(t.testdir(), content);
  const { rows } = await openDuckDb(t);
  const groups = await rows(
    `SELECT stats_min_value AS low, stats_max_value AS high, row_group_num_rows AS n
       FROM parquet_metadata('${path}') WHERE path_in_schema = 'station_id' ORDER BY row_group_id`,
  );
  t.same(
    groups.map(({ low, high, n }) => [low, high, Number(n)]),
    [
      ['1', '9', 14_400],
      ['10', '11', 14_400],
      ['45', '46', 14_400],
      ['99', '99', 7_200],
      ['100', '100', 7_200],
    ],
  );
  const [unknown] = await rows(
    `SELECT count(*) FILTER (stats_null_count IS NULL OR compression <> 'SNAPPY'
              OR (stats_min_value IS NULL AND path_in_schema <> 'coverage')) AS n
       FROM parquet_metadata('${path}')`,
  );
  t.equal(unknown?.['n'], '0');
  const [found] = await rows(`SELECT count(*) AS n FROM ${parquet} WHERE station_id = '45'`);
  t.equal(found?.['n'], '7200');
});
