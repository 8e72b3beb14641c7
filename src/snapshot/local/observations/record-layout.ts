/** How the finished text of all observations is stored: one text, and runs of it that are compressed on their own. */
import { OBSERVATIONS_FILE, windowHours } from '../../domain/windows.js';
import { bulkFileName } from '../keys.js';
import type { Coding } from '../environment.js';

/** The forms of observations that are made of the same text. */
export const FORMS = ['json', 'ndjson'] as const;
export type Form = (typeof FORMS)[number];

/** All forms in which observations are answered: records of CSV are those of the bulk bundle's file. */
export type TextForm = Form | 'csv';

/** Records end in `\n` (NDJSON) or `,` (JSON): the same length, so that what is known of one text holds for the other. */
export const RECORD_END: Readonly<Record<TextForm, string>> = {
  json: ',',
  ndjson: '\n',
  csv: '\r\n',
};

/**
 * The records of all series in the order of the observations (`docs/http-api/values.md, "Order"`). Only NDJSON is
 * stored; JSON differs in the record ends, which are replaced when it is read.
 */
export const TEXT_FILE: Readonly<Record<TextForm, string>> = {
  json: 'observations.json',
  ndjson: 'observations.ndjson',
  csv: csvFile('identity'),
};

/** The bulk bundle's file: a line of column names, then the records in the same order. */
export function csvFile(coding: Coding): string {
  return bulkFileName(`${OBSERVATIONS_FILE}.csv`, coding);
}

/** The runs of all series in the same order, each behind the one before. */
export function runsFile(form: Form): string {
  return `observations.${form}.deflate`;
}

/**
 * Hours of one run: ten days, three runs in the retention window.
 *
 * Measured on 34.6 MB of records: runs of three days at level 2 are 1,421 kB, of ten days at level 5 971 kB, of 30 days
 * at level 4 955 kB, in 60, 80 and 67 ms. Half a run on average is compressed again at the ends of a window: 0.06 ms
 * for ten days.
 */
const RUN_HOURS = 240;

/** A run's number: counted from the begin of the retention window, so that a full series has no more runs than it needs. */
export function runOfHour(hour: number, generatedAtMs: number): number {
  return Math.floor((hour - windowHours('30d', generatedAtMs).from) / RUN_HOURS);
}

/** Makes the text of a form of the stored one, in place. */
export function toForm(form: Form, { buffer, byteOffset, byteLength }: Uint8Array): void {
  if (form === 'ndjson') return;
  // A typed array's own `indexOf` takes four times as long.
  const text = Buffer.from(buffer, byteOffset, byteLength);
  // JSON escapes line feeds, so those of the text are the records' ends.
  for (let at = text.indexOf(LINE_FEED); at !== -1; at = text.indexOf(LINE_FEED, at + 1)) {
    text[at] = COMMA;
  }
}

const LINE_FEED = RECORD_END.ndjson.charCodeAt(0);
const COMMA = RECORD_END.json.charCodeAt(0);
