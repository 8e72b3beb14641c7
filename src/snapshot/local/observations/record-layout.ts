/** How all observations are stored: as one text, and in runs, which are parts of the text compressed separately. */
import { OBSERVATIONS_FILE, retainedHours, type HourGrid } from '../../domain/windows.js';
import { bulkFileName } from '../keys.js';
import type { Coding } from '../environment.js';

/** Forms that share a stored text. */
export const FORMS = ['json', 'ndjson'] as const;
export type Form = (typeof FORMS)[number];

/** All forms of observations; CSV records are stored in the bulk file. */
export type TextForm = Form | 'csv';

/** End of a record. In NDJSON and JSON it has the same length, so offsets are valid in both. */
export const RECORD_END: Readonly<Record<TextForm, string>> = {
  json: ',',
  ndjson: '\n',
  csv: '\r\n',
};

/**
 * The file of each form, with the records of all series in the order of the observations (`docs/http-api/values.md,
 * "Order"`). JSON has a name but no file: its text is made from the stored NDJSON, by replacing the record ends.
 */
export const TEXT_FILE: Readonly<Record<TextForm, string>> = {
  json: 'observations.json',
  ndjson: 'observations.ndjson',
  csv: csvFile('identity'),
};

/** The name of the bulk file, which has column names, then the records in the order of the observations. */
export function csvFile(coding: Coding): string {
  return bulkFileName(`${OBSERVATIONS_FILE}.csv`, coding);
}

/** The name of the file with the runs of all series, in the order of the observations. */
export function runsFile(form: Form): string {
  return `observations.${form}.deflate`;
}

/**
 * Hours of one run: ten days, three runs in the retention window.
 *
 * Measured on 34.6 MB of records: runs of 3 days at level 2 take 1,421 kB and 60 ms; runs of 10 days at level 5 take
 * 971 kB and 80 ms; runs of 30 days at level 4 take 955 kB and 67 ms. Half a run on average is compressed again at each
 * end of a requested window: 0.06 ms for runs of ten days.
 */
const RUN_HOURS = 240;

/**
 * The number of the run that holds an hour. Runs are counted from the start of the retention window, so that a full
 * series has as few runs as possible.
 */
export function runOfHour(hour: number, grid: HourGrid): number {
  return Math.floor((hour - retainedHours(grid).from) / RUN_HOURS);
}

/** Converts stored text to a form, in place. */
export function toForm(form: Form, { buffer, byteOffset, byteLength }: Uint8Array): void {
  if (form === 'ndjson') return;
  // A typed array's own `indexOf` takes four times as long.
  const text = Buffer.from(buffer, byteOffset, byteLength);
  // JSON escapes line feeds, so those in the text end records.
  for (let at = text.indexOf(LINE_FEED); at !== -1; at = text.indexOf(LINE_FEED, at + 1)) {
    text[at] = COMMA;
  }
}

const LINE_FEED = RECORD_END.ndjson.charCodeAt(0);
const COMMA = RECORD_END.json.charCodeAt(0);
