/** The archive for clients: its index with addresses, and views for DuckDB (docs/http-api/files.md, "Archive"). */
import { utcDateTime } from '../../snapshot/domain/windows.js';
import { csvLine, typedValue } from '../csv.js';
import type { FieldValue } from './fields.js';
import { createDateTimeText } from './observation.js';

export const ARCHIVE_PATH = '/api/v1/archive';

/** A file of the archive; `path` is its name in the store, relative to the archive. */
interface IndexedFile {
  readonly path: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly rows: number;
  readonly sizeBytes: number;
  readonly sha256: string;
}

interface Index {
  readonly generatedAtMs: number;
  readonly timeZone?: string | undefined;
  readonly files: readonly IndexedFile[];
}

export function viewArchiveIndex({ generatedAtMs, timeZone, files }: Index) {
  return {
    generated_at_utc: utcDateTime(generatedAtMs),
    time_zone: timeZone,
    files: files.map(({ path, from, to, rows, sizeBytes, sha256 }) => ({
      path,
      from,
      to,
      rows,
      size_bytes: sizeBytes,
      sha256,
      download_url: `${ARCHIVE_PATH}/${path}`,
    })),
  };
}

/** SQL that creates a view for each kind of file. @param baseUrl without a slash at its end. */
export function viewArchiveSql({ generatedAtMs, files }: Index, baseUrl: string): string {
  const base = baseUrl.replaceAll("'", "''");
  const views = ['observations', 'daily', 'monthly', 'stations', 'parameters'].flatMap((name) => {
    const urls = files.flatMap(({ path }) =>
      path.startsWith(`${name}/`) ? `  '${base}${ARCHIVE_PATH}/${path}'` : [],
    );
    if (urls.length === 0) return [];
    const list = urls.join(',\n');
    return `CREATE OR REPLACE VIEW ${name} AS FROM read_parquet([\n${list}\n], hive_partitioning = false);\n`;
  });
  const head = `-- The archive as of ${utcDateTime(generatedAtMs)}, for DuckDB 1.0 and later.\n`;
  return [head, ...views].join('\n');
}

export type Period = 'daily' | 'monthly';
export const PERIOD_FORMATS = ['csv', 'json'] as const;
export type PeriodFormat = (typeof PERIOD_FORMATS)[number];

/** Members, in order. A figure is null without a value, and where it has no meaning for the unit. */
const PERIOD_FIELDS = [
  { name: 'station_id', type: 'string' },
  { name: 'parameter_code', type: 'string' },
  { name: 'unit', type: 'string' },
  { name: 'date', type: 'date' },
  { name: 'mean', type: 'decimal' },
  { name: 'sum', type: 'decimal' },
  { name: 'minimum', type: 'decimal' },
  { name: 'maximum', type: 'decimal' },
  { name: 'hours', type: 'integer' },
  { name: 'hours_expected', type: 'integer' },
  { name: 'days', type: 'integer' },
  { name: 'highest_8h_mean', type: 'decimal' },
  { name: 'published_at_utc', type: 'datetime' },
  { name: 'updated_at_utc', type: 'datetime' },
  { name: 'data_status', type: 'string' },
] as const;
type PeriodField = (typeof PERIOD_FIELDS)[number];

type Cells = { readonly [F in PeriodField as F['name']]: Types[F['type']] };
interface Types {
  readonly string: string;
  readonly decimal: number | null;
  readonly integer: number;
  readonly date: Date;
  readonly datetime: Date;
}
type Later = 'unit' | 'sum' | 'hours_expected' | 'days' | 'highest_8h_mean';

/** A local day, or the first one of a month; files of earlier releases lack some members, and `days` is of months. */
export type DailyRow = Omit<Cells, Later> & Partial<Pick<Cells, Later>>;

/** Columns and members, in order, each with its member in a row. */
export function periodFields(period: Period) {
  const isOfMonths = period === 'monthly';
  return PERIOD_FIELDS.flatMap(({ name: key, type }) => {
    if (key === 'date' && isOfMonths) return { key, name: 'month', type: 'string' as const };
    return key === 'days' && !isOfMonths ? [] : { key, name: key, type };
  });
}

const LENGTHS: Readonly<Record<string, number>> = {
  date: 'YYYY-MM-DD'.length,
  month: 'YYYY-MM'.length,
};

/** Makes lines of CSV, or members of a JSON array. */
export function createPeriodText(period: Period, format: PeriodFormat): (row: DailyRow) => string {
  const fields = periodFields(period);
  const dateTimeText = createDateTimeText();
  const valueOf = (row: DailyRow, { key, name }: (typeof fields)[number]): FieldValue => {
    const value = row[key] ?? null;
    if (!(value instanceof Date)) return value;
    return dateTimeText(value.getTime()).slice(0, LENGTHS[name]);
  };
  return (row) =>
    format === 'csv'
      ? csvLine(fields.map((field) => typedValue(valueOf(row, field), field.type)))
      : JSON.stringify(Object.fromEntries(fields.map((one) => [one.name, valueOf(row, one)])));
}
