/** The observations of a snapshot as Parquet: columns by the table of fields, row groups by station. */
import type { Observations, SnapshotHeader } from '../../../snapshot/domain/model.js';
import type { ParameterSeries } from '../../../snapshot/domain/observation-order.js';
import { HOUR_MS } from '../../../snapshot/domain/windows.js';
import {
  AGGREGATION_TYPE,
  DATA_STATUS,
  HVD_FIELDS,
  type FieldName,
} from '../../../views/hvd/fields.js';
import {
  parquetBytes,
  type ParquetCells,
  type ParquetColumn,
  type ParquetRowGroup,
  type ParquetType,
} from './parquet.js';
import { countRows, rowGroups } from './row-groups.js';

type Name = FieldName<'observations'>;
type ObservationField = (typeof HVD_FIELDS)['observations'][number];

const TYPES = {
  string: 'text',
  datetime: 'timestamp',
  decimal: 'double',
} as const satisfies Record<ObservationField['type'], ParquetType>;

const COLUMNS = HVD_FIELDS.observations.map(
  ({ name, type }): ParquetColumn & { readonly name: Name } => ({ name, type: TYPES[type] }),
);

/** The cells of a row group in one column. */
type CellsOf = (group: readonly ParameterSeries[]) => ParquetCells;

/**
 * The bytes of the file in chunks, one for each row group.
 *
 * Says of each observation what its JSON record says; times to the second, as there.
 *
 * @param series in observation order.
 */
export function observationsParquet(options: {
  readonly header: SnapshotHeader;
  readonly observations: Observations;
  readonly series: readonly ParameterSeries[];
  readonly metadata: Readonly<Record<string, string>>;
}): Generator<Uint8Array, void, undefined> {
  const cells = createCells(options.header, options.observations);
  return parquetBytes({
    columns: COLUMNS,
    metadata: options.metadata,
    rowGroups: filled(rowGroups(options.series), cells),
  });
}

function* filled(
  groups: Iterable<readonly ParameterSeries[]>,
  cells: Readonly<Record<Name, CellsOf>>,
): Generator<ParquetRowGroup, void, undefined> {
  for (const group of groups) {
    yield { rows: countRows(group), cells: COLUMNS.map(({ name }) => cells[name](group)) };
  }
}

function createCells(
  header: SnapshotHeader,
  observations: Observations,
): Readonly<Record<Name, CellsOf>> {
  const { hours, values, publishedAtMs, updatedAtMs } = observations;
  const publishedAt = (row: number): number =>
    toSecond(validTime(publishedAtMs?.[row]) ?? header.generatedAtMs);
  const updatedAt = (row: number): number => {
    const updated = validTime(updatedAtMs?.[row]);
    return updated === undefined ? publishedAt(row) : toSecond(updated);
  };
  return {
    station_id: texts(({ stationId }) => String(stationId)),
    parameter_code: texts(({ parameterCode }) => parameterCode),
    time_start_utc: times((row) => (hours[row] ?? 0) * HOUR_MS),
    time_end_utc: times((row) => ((hours[row] ?? 0) + 1) * HOUR_MS),
    // A negative zero loses its sign, as it does in JSON.
    value: doubles((row) => (values[row] ?? NaN) + 0),
    unit: texts(({ unit }) => unit),
    data_status: texts(() => DATA_STATUS),
    aggregation_type: texts(() => AGGREGATION_TYPE),
    published_at_utc: times(publishedAt),
    updated_at_utc: times(updatedAt),
    coverage: doubles(() => NaN),
  };
}

function texts(textOf: (series: ParameterSeries) => string): CellsOf {
  return (group) => ({
    type: 'text',
    runs: group.map((series) => ({ text: textOf(series), rows: series.end - series.start })),
  });
}

function times(timeOf: (row: number) => number): CellsOf {
  return (group) => ({ type: 'timestamp', epochMs: numbers(group, timeOf) });
}

function doubles(valueOf: (row: number) => number): CellsOf {
  return (group) => ({ type: 'double', values: numbers(group, valueOf) });
}

function numbers(
  group: readonly ParameterSeries[],
  numberOf: (row: number) => number,
): Float64Array {
  const column = new Float64Array(countRows(group));
  let at = 0;
  for (const { start, end } of group) {
    for (let row = start; row < end; row += 1) {
      column[at] = numberOf(row);
      at += 1;
    }
  }
  return column;
}

function validTime(epochMs: number | undefined): number | undefined {
  return epochMs === undefined || Number.isNaN(epochMs) ? undefined : epochMs;
}

/** Epoch milliseconds, cut to the second. */
function toSecond(epochMs: number): number {
  return Math.floor(epochMs / 1000) * 1000;
}
