/** What an operator says of the measurements' table where its columns are not the members (`docs/tables.md, "Other tables"`). */

/** What a row has: a value, those of an hour by component or by station, or those of a day. */
export const SHAPES = ['long', 'wide', 'stations', 'hours'] as const;
type Shape = (typeof SHAPES)[number];

/** Whether a time in the table names the start or the end of its hour. */
export const HOUR_MARKS = ['start', 'end'] as const;
export type HourMarks = (typeof HOUR_MARKS)[number];

/** Which of two hours with the same local time is meant where the table has only one of them. */
export const AMBIGUOUS_HOURS = ['refuse', 'first', 'second'] as const;
export type AmbiguousHours = (typeof AMBIGUOUS_HOURS)[number];

/** What is first in dates such as 05/10/2026. */
export const DATE_ORDERS = ['day-first', 'month-first'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

export interface TableLayout {
  /** Default `wide`. */
  readonly shape?: Shape;
  /** Date and time; absent where `dateColumns` are there. */
  readonly timeColumn?: string;
  /** One, or those of the year, the month and the day. */
  readonly dateColumns?: readonly string[];
  /** Beside `dateColumns`: the hour, such as `7`, `07:00` or `24`. Absent with the shape `hours`. */
  readonly hourColumn?: string;
  /** Default: dates that need it are refused. */
  readonly dateOrder?: DateOrder;
  /** Absent: what the file's name says, or the only station that `stations.csv` has; the columns with the shape `stations`. */
  readonly stationColumn?: string;
  /** With the shapes `long` and `hours`; absent: what the file's name says, or the only component. */
  readonly componentColumn?: string;
  /** With the shape `long`. */
  readonly valueColumn?: string;
  /** With the shape `hours`: names of columns, `%` standing for the hour, such as `H%`. */
  readonly hourColumns?: string;
  /** Values of a column that make the value before it one; `%` as above. */
  readonly valid?: ReadonlyMap<string, readonly string[]>;
  /** IANA name; absent: every time names its offset. */
  readonly timeZone?: string;
  readonly hourMarks: HourMarks;
  /** Default `refuse`. */
  readonly ambiguousHours?: AmbiguousHours;
  /** Ids or codes of components by column, or by what the component's column has. */
  readonly components: ReadonlyMap<string, number | string>;
  /** Columns, or components, to leave out. */
  readonly ignoredColumns: readonly string[];
}
