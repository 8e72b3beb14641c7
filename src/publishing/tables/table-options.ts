/** What an operator says of the tables of a folder (`docs/tables.md, "CSV tables"`). */

export const TABLES = [
  'organizations',
  'networks',
  'components',
  'stations',
  'measurements',
] as const;
export type Table = (typeof TABLES)[number];

export const ENCODINGS = ['utf-8', 'utf-16', 'latin-1', 'windows-1250', 'windows-1252'] as const;
export type Encoding = (typeof ENCODINGS)[number];

export const DELIMITERS = { comma: ',', semicolon: ';', tab: '\t', bar: '|' } as const;

/** What an operator says of all tables; what is absent is found. */
export interface FormOptions {
  readonly encoding?: Encoding;
  /** Of tables whose header has it. */
  readonly delimiter?: string;
  /** Numbers are written as `12,5`. */
  readonly decimalComma?: boolean;
  /** Of local times (IANA): also says which of two encodings a text is in. */
  readonly timeZone?: string;
}

export interface TableOptions extends FormOptions {
  /** Patterns of file names, as `findTables` takes them. Default: named as the table. */
  readonly files: ReadonlyMap<Table, string>;
  /** Columns of members, by `stations.latitude`. Default: named as the member. */
  readonly columns: ReadonlyMap<string, string>;
  /** Cells that mean that there is no value, besides empty ones: the same text, or the same number. */
  readonly missing: readonly string[];
  /** Of the measurements: the line of the header, and the first line of rows after it. Default: 1, the next. */
  readonly headerLine?: number;
  readonly firstLine?: number;
  /** What proj4 knows the coordinates' system by. Default: degrees of WGS 84. */
  readonly coordinates?: string;
  /** Units of components by code, where there is no table of them. */
  readonly components: ReadonlyMap<string, string>;
  /** What a table's own words for the type of a station mean. */
  readonly stationTypes: ReadonlyMap<string, string>;
}

export const NO_TABLE_OPTIONS: TableOptions = {
  files: new Map(),
  columns: new Map(),
  missing: [],
  components: new Map(),
  stationTypes: new Map(),
};
