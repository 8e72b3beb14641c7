/** The observations as Parquet, read back by DuckDB. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import type { Component, Observations } from '../../../../src/snapshot/domain/model.js';
import { inObservationOrder } from '../../../../src/snapshot/domain/observation-order.js';
import { observationsParquet } from '../../../../src/workers/formats/parquet/observations-parquet.js';
import { fieldNames } from '../../../../src/views/hvd/fields.js';
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

interface Content {
  readonly observations: Observations;
  readonly components: readonly Component[];
}

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
        const value =
          index % 50 === 7 ? null : ((index * 48_271 + stationId * 7919 + id * 104_729) % 997) / 10;
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
  const typeOf = (name: unknown): string =>
    /_utc$/.test(String(name))
      ? 'TIMESTAMP WITH TIME ZONE'
      : /^(?:value|coverage)$/.test(String(name))
        ? 'DOUBLE'
        : 'VARCHAR';
  t.same(
    types.map((row) => [row['column_name'], row['column_type']]),
    fieldNames('observations').map((name) => [name, typeOf(name)]),
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

await t.test('keeps every digit of a value, and nulls', async (t) => {
  const directory = t.testdir();
  const { rows } = await openDuckDb(t);
  const double = fc.double({ noNaN: true, noDefaultInfinity: true });
  const precise = fc.constantFrom(0.1 + 0.2, 1 / 3, 5e-324, 2.2250738585072014e-308, -1e-7, 0, -0);
  const value = fc.oneof(double, fc.integer(), precise, fc.constant(null));
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 300 }), async (values) => {
      run += 1;
      const own = values.map((one, index) => [LAST_HOUR - index, one] as const).toReversed();
      const observations = observationColumns([{ stationId: 1, componentId: 1, rows: own }]);
      const components = [component(1, 'SO2')];
      const { parquet } = write(directory, { observations, components }, String(run));
      const read = await rows(`SELECT value FROM ${parquet}`);
      // As JSON says it: a zero has no sign there.
      const expected = own.map(([, one]) => (one === null ? null : one + 0));
      assert.deepEqual(
        read.map((row) => row['value']),
        expected,
      );
    }),
    { numRuns: scaled(30) },
  );
});

await t.test('keeps any text of a code or a unit', async (t) => {
  const directory = t.testdir();
  const { rows } = await openDuckDb(t);
  const text = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
    .filter((one) => !one.includes('\0'));
  const names = fc.uniqueArray(text, { minLength: 1, maxLength: 12 });
  let run = 0;
  await fc.assert(
    fc.asyncProperty(names, text, async (codes, unit) => {
      run += 1;
      const components = codes.map((code, index) => component(index + 1, code, unit));
      const all = components.map(({ id }): SeriesRows => {
        return { stationId: 1, componentId: id, rows: [[LAST_HOUR, id]] };
      });
      const observations = observationColumns(all);
      const { parquet } = write(directory, { observations, components }, String(run));
      const read = await rows(`SELECT parameter_code, unit FROM ${parquet}`);
      assert.deepEqual(
        read,
        codes.toSorted().map((parameter_code) => ({ parameter_code, unit })),
      );
      // Statistics of text must bound it in the order of UTF-8 bytes, or readers leave out rows that match.
      for (const code of codes) {
        const found = await rows(
          `SELECT count(*) AS n FROM ${parquet} WHERE parameter_code = '${code.replaceAll("'", "''")}'`,
        );
        assert.deepEqual(found, [{ n: '1' }]);
      }
    }),
    { numRuns: scaled(15) },
  );
});

await t.test('keeps any time of publication, whatever the ones beside it', async (t) => {
  const directory = t.testdir();
  const { rows } = await openDuckDb(t);
  const anyTime = fc.integer({
    min: Date.parse('0001-01-01T00:00:00Z') / 1000,
    max: Date.parse('9999-12-31T23:59:59Z') / 1000,
  });
  // Near and far ones: differences of few and of many bits, in more than one block.
  const near = fc.integer({ min: 1_788_998_400, max: 1_788_998_500 });
  const times = fc.array(fc.oneof({ weight: 9, arbitrary: near }, anyTime), {
    minLength: 1,
    maxLength: 400,
  });
  let run = 0;
  await fc.assert(
    fc.asyncProperty(times, async (seconds) => {
      run += 1;
      const own = seconds.map((_, index) => [LAST_HOUR - index, index] as const).toReversed();
      const series = [{ stationId: 1, componentId: 1, rows: own }];
      const publishedAtMs = sharedDoubles(seconds.map((second) => second * 1000));
      const observations = { ...observationColumns(series), publishedAtMs };
      const components = [component(1, 'SO2')];
      const { parquet } = write(directory, { observations, components }, String(run));
      const read = await rows(
        `SELECT epoch_ms(published_at_utc) AS ms, (SELECT count(*) FROM ${parquet}
           WHERE published_at_utc = make_timestamptz(${(seconds[0] ?? 0) * 1_000_000})) AS found
         FROM ${parquet}`,
      );
      assert.deepEqual(
        read.map(({ ms }) => Number(ms)),
        seconds.map((second) => second * 1000),
      );
      // By statistics that leave out no row.
      const same = seconds.filter((second) => second === seconds[0]).length;
      assert.equal(Number(read[0]?.['found']), same);
    }),
    { numRuns: scaled(20) },
  );
});

const STATIONS = [1, 9, 10, 11, 45, 46, 99, 100];

await t.test('has statistics by which a reader of one station leaves out the others', async (t) => {
  const content = month({ stations: STATIONS, parameters: 10, hours: 720 });
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
