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
import { parquetBytes, type ParquetCell, type ParquetColumn, type ParquetType } from './parquet.js';
import { rowGroups } from './row-groups.js';

type Name = FieldName<'observations'>;
type ObservationField = (typeof HVD_FIELDS)['observations'][number];

const TYPES = {
  string: 'text',
  datetime: 'timestamp',
  decimal: 'double',
} as const satisfies Record<ObservationField['type'], ParquetType>;

const COLUMNS = HVD_FIELDS.observations.map(
  ({ name, type, nullable }): ParquetColumn & { readonly name: Name } => {
    return { name, type: TYPES[type], nullable };
  },
);

/** The cells of one series in one column, by row of the observation columns. */
type CellOfRow = (row: number) => ParquetCell;
type Cells = Readonly<Record<Name, (series: ParameterSeries) => CellOfRow>>;

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
  cells: Cells,
): Generator<Readonly<Record<string, ParquetCell[]>>, void, undefined> {
  for (const group of groups) {
    yield Object.fromEntries(COLUMNS.map(({ name }) => [name, fillColumn(group, cells[name])]));
  }
}

function fillColumn(group: readonly ParameterSeries[], cell: Cells[Name]): ParquetCell[] {
  const column: ParquetCell[] = [];
  for (const series of group) {
    const cellOf = cell(series);
    for (let row = series.start; row < series.end; row += 1) column.push(cellOf(row));
  }
  return column;
}

function createCells(header: SnapshotHeader, observations: Observations): Cells {
  const { hours, values } = observations;
  const generatedAt = timestamp(header.generatedAtMs);
  const timeOf = (epochMs: number | undefined): bigint | undefined =>
    epochMs === undefined || Number.isNaN(epochMs) ? undefined : timestamp(epochMs);
  const publishedAt = (row: number): bigint =>
    timeOf(observations.publishedAtMs?.[row]) ?? generatedAt;
  return {
    station_id: ({ stationId }) => constant(String(stationId)),
    parameter_code: ({ parameterCode }) => constant(parameterCode),
    time_start_utc: () => (row) => timestamp((hours[row] ?? 0) * HOUR_MS),
    time_end_utc: () => (row) => timestamp(((hours[row] ?? 0) + 1) * HOUR_MS),
    value: () => (row) => doubleOf(values[row] ?? NaN),
    unit: ({ unit }) => constant(unit),
    data_status: () => constant(DATA_STATUS),
    aggregation_type: () => constant(AGGREGATION_TYPE),
    published_at_utc: () => publishedAt,
    updated_at_utc: () => (row) => timeOf(observations.updatedAtMs?.[row]) ?? publishedAt(row),
    coverage: () => constant(null),
  };
}

function constant(cell: ParquetCell): CellOfRow {
  return () => cell;
}

/** Null for NaN. A negative zero loses its sign, as it does in JSON. */
function doubleOf(value: number): number | null {
  return Number.isNaN(value) ? null : value + 0;
}

/** Epoch milliseconds, cut to the second. */
function timestamp(epochMs: number): bigint {
  return BigInt(Math.floor(epochMs / 1000) * 1000);
}
