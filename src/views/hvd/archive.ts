/** The archive for clients: its index with addresses, and views for DuckDB (docs/http-api/files.md, "Archive"). */
import { utcDateTime } from '../../snapshot/domain/windows.js';
import { csvLine } from '../csv.js';

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
  readonly files: readonly IndexedFile[];
}

export function viewArchiveIndex({
  generatedAtMs,
  files,
}: Index): Readonly<Record<string, unknown>> {
  return {
    generated_at_utc: utcDateTime(generatedAtMs),
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
  const views = ['observations', 'daily', 'stations', 'parameters'].flatMap((name) => {
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

export interface DailyRow {
  readonly station_id: string;
  readonly parameter_code: string;
  /** Unit of the hourly values; undefined in files of an earlier release. */
  readonly unit?: string | undefined;
  readonly date: Date;
  /** Null on a day without a value, and for directions that cancel out. */
  readonly mean: number | null;
  /** Null on a day without a value, and for directions; so is the maximum. */
  readonly minimum: number | null;
  readonly maximum: number | null;
  /** Number of hours with a value. */
  readonly hours: number;
  readonly published_at_utc: Date;
  readonly updated_at_utc: Date;
  readonly data_status: string;
}

const DAILY_COLUMNS = [
  ...(['station_id', 'parameter_code', 'unit', 'date', 'mean', 'minimum', 'maximum'] as const),
  ...(['hours', 'published_at_utc', 'updated_at_utc', 'data_status'] as const),
] satisfies readonly (keyof DailyRow)[];

export function dailyCsvHeader(): string {
  return csvLine(DAILY_COLUMNS);
}

export function dailyCsvLine(row: DailyRow): string {
  const { date, hours, published_at_utc: published, updated_at_utc: updated } = row;
  const texts = {
    date: date.toISOString().slice(0, 10),
    hours: String(hours),
    published_at_utc: utcDateTime(published.getTime()),
    updated_at_utc: utcDateTime(updated.getTime()),
  };
  const cells = { ...row, ...texts };
  return csvLine(DAILY_COLUMNS.map((name) => cells[name] ?? null));
}
