/** What an operator says of a wide table, one row an hour and station and one column a component (`docs/snapshot-format.md, "Wide tables"`). */

/** Whether a time in the table names the start or the end of its hour. */
export const HOUR_MARKS = ['start', 'end'] as const;
export type HourMarks = (typeof HOUR_MARKS)[number];

/** Which of two hours with the same local time is meant where the table has only one of them. */
export const AMBIGUOUS_HOURS = ['refuse', 'first', 'second'] as const;
export type AmbiguousHours = (typeof AMBIGUOUS_HOURS)[number];

export interface WideLayout {
  readonly timeColumn: string;
  /** Absent: all rows belong to the only station that `stations.csv` has. */
  readonly stationColumn?: string;
  /** IANA name; absent: every time names its offset. */
  readonly timeZone?: string;
  readonly hourMarks: HourMarks;
  /** Default `refuse`. */
  readonly ambiguousHours?: AmbiguousHours;
  /** Component ids by column. */
  readonly components: ReadonlyMap<string, number>;
  readonly ignoredColumns: readonly string[];
  /** Cells that mean that there is no value, besides empty ones: the same text, or the same number. */
  readonly missing: readonly string[];
  /** Default: a comma. */
  readonly delimiter?: string;
  /** Whether numbers are written as `12,5`. Default false. */
  readonly decimalComma?: boolean;
}
