/**
 * The observations of a snapshot as Parquet: columns by the table of fields, row groups by station. The only file that
 * loads hyparquet-writer, which is plain JavaScript with one dependency; parquet-wasm brings 6 MB of WebAssembly and
 * wants Arrow tables, `@dsnp/parquetjs` the AWS client, and DuckDB 70 MB of native code.
 */
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Observations, SnapshotHeader } from '../../../snapshot/domain/model.js';
import type { ParameterSeries } from '../../../snapshot/domain/observation-order.js';
import { HOUR_MS } from '../../../snapshot/domain/windows.js';
import {
  AGGREGATION_TYPE,
  DATA_STATUS,
  HVD_FIELDS,
  type FieldName,
} from '../../../views/hvd/fields.js';
import { countRows, rowGroups } from './row-groups.js';

type Name = FieldName<'observations'>;
type FieldType = (typeof HVD_FIELDS)['observations'][number]['type'];
type WriterOptions = ConstructorParameters<typeof ParquetWriter>[0];
type ColumnSource = Parameters<ParquetWriter['write']>[0]['columnData'][number];

/** Constant name of the writer, by which readers recognize known faults. */
const CREATED_BY = 'bura version 1.0.0 (build hyparquet-writer)';

/** Column type of each field type. Times are milliseconds since the epoch, UTC. Only decimals may be null. */
const ELEMENTS = {
  string: {
    type: 'BYTE_ARRAY',
    converted_type: 'UTF8',
    logical_type: { type: 'STRING' },
    repetition_type: 'REQUIRED',
  },
  datetime: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
    repetition_type: 'REQUIRED',
  },
  decimal: { type: 'DOUBLE', repetition_type: 'OPTIONAL' },
} as const satisfies Record<FieldType, Partial<WriterOptions['schema'][number]>>;

/** Encodings of columns; the library chooses that of decimals. */
const ENCODINGS = {
  // Each text repeats in hundreds of rows.
  string: { encoding: 'RLE_DICTIONARY' },
  datetime: { encoding: 'DELTA_BINARY_PACKED' },
  decimal: {},
} as const satisfies Record<FieldType, Pick<ColumnSource, 'encoding'>>;

/** The cell of a row, whose series is given. */
type CellOf = (row: number, series: ParameterSeries) => string | number | null;

/**
 * The bytes of the file, a chunk for each row group; memory holds one group and the footer.
 *
 * Each row has the members of its JSON record, with times to the second. The compression is Snappy: gzip would save a
 * fifth, but browsers would need another library. Equal content gives equal bytes. Every row group has statistics of
 * every column, with untruncated texts.
 *
 * @param options.series in observation order.
 * @param options.metadata key-value metadata of the file, in this order.
 */
export function* observationsParquet(options: {
  readonly header: SnapshotHeader;
  readonly observations: Observations;
  readonly series: readonly ParameterSeries[];
  readonly metadata: Readonly<Record<string, string>>;
}): Generator<Uint8Array, void, undefined> {
  const cellOf = createCells(options.header, options.observations);
  const output = new DrainedWriter();
  const writer = new ParquetWriter({
    writer: output,
    schema: [
      { name: 'schema', num_children: HVD_FIELDS.observations.length },
      ...HVD_FIELDS.observations.map(({ name, type }) => ({ name, ...ELEMENTS[type] })),
    ],
    kvMetadata: Object.entries(options.metadata).map(([key, value]) => ({ key, value })),
    createdBy: CREATED_BY,
    statisticsTruncateLength: Infinity,
  });
  for (const group of rowGroups(options.series)) {
    const columnData = HVD_FIELDS.observations.map(({ name, type }) => {
      return { name, data: cells(group, cellOf[name]), ...ENCODINGS[type] };
    });
    // Synchronous, as the output has no `flush`.
    void writer.write({ columnData, rowGroupSize: Infinity });
    yield output.drain();
  }
  void writer.finish();
  yield output.drain();
}

function createCells(
  header: SnapshotHeader,
  { hours, values, publishedAtMs, updatedAtMs }: Observations,
): Readonly<Record<Name, CellOf>> {
  const publishedAt = (row: number): number =>
    toSecond(validTime(publishedAtMs?.[row]) ?? header.generatedAtMs);
  return {
    station_id: (_row, { stationId }) => String(stationId),
    parameter_code: (_row, { parameterCode }) => parameterCode,
    time_start_utc: (row) => (hours[row] ?? 0) * HOUR_MS,
    time_end_utc: (row) => ((hours[row] ?? 0) + 1) * HOUR_MS,
    value: (row) => {
      const value = values[row] ?? NaN;
      // Drops the sign of a negative zero, as JSON does.
      return Number.isNaN(value) ? null : value + 0;
    },
    unit: (_row, { unit }) => unit,
    data_status: () => DATA_STATUS,
    aggregation_type: () => AGGREGATION_TYPE,
    published_at_utc: publishedAt,
    updated_at_utc: (row) => {
      const updated = validTime(updatedAtMs?.[row]);
      return updated === undefined ? publishedAt(row) : toSecond(updated);
    },
    coverage: () => null,
  };
}

function cells(group: readonly ParameterSeries[], cellOf: CellOf): ReturnType<CellOf>[] {
  const column = new Array<ReturnType<CellOf>>(countRows(group));
  let at = 0;
  for (const series of group) {
    for (let row = series.start; row < series.end; row += 1) column[at++] = cellOf(row, series);
  }
  return column;
}

function validTime(epochMs: number | undefined): number | undefined {
  return epochMs === undefined || Number.isNaN(epochMs) ? undefined : epochMs;
}

/** Epoch milliseconds, truncated to the second. */
function toSecond(epochMs: number): number {
  return Math.floor(epochMs / 1000) * 1000;
}

/** Buffers the library's output until `drain` takes it. */
class DrainedWriter extends ByteWriter {
  drain(): Uint8Array {
    const bytes = this.getBytes().slice();
    // Offsets in the file go on; only the buffer begins again.
    this.index = 0;
    return bytes;
  }
}
