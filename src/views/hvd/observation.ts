/**
 * Observation records and a fast renderer of their JSON and CSV texts: a snapshot has a million of them.
 *
 * `viewObservation` defines a record. Its text is made of groups of successive fields; groups that are constant in a
 * series, or in an hour of all series, are rendered once, so that a row costs a few concatenations.
 */
import { HOUR_MS, utcDateTime } from '../../snapshot/domain/windows.js';
import { cached } from '../../texts/cached.js';
import { csvCell, csvDecimal, CSV_LINE_END } from '../csv.js';
import {
  AGGREGATION_TYPE,
  DATA_STATUS,
  fieldNames,
  type FieldName,
  type FieldValue,
  type ObservationRecord,
} from './fields.js';

/** Constant values of one series. */
export interface ObservationSeries {
  readonly stationId: number;
  readonly parameterCode: string;
  readonly unit: string;
}

/** One row; snapshots have times of publication and update from schema version 1.3.0 on. */
export interface ObservationRow {
  /** Hours since the epoch, UTC, at the start of the hour. */
  readonly hour: number;
  /** In the unit of the series; NaN for null. */
  readonly value: number;
  /** Epoch milliseconds, UTC; default: the snapshot's `generated_at`. */
  readonly publishedAtMs?: number | undefined;
  /** Epoch milliseconds, UTC; default: the time of publication. */
  readonly updatedAtMs?: number | undefined;
}

/** Renders one row; parameters are the members of `ObservationRow` as plain numbers, as a million rows are rendered. */
export type RenderObservation = (
  hour: number,
  value: number,
  publishedAtMs?: number,
  updatedAtMs?: number,
) => string;

export function viewObservation(
  series: ObservationSeries,
  row: ObservationRow,
  generatedAtMs: number,
): ObservationRecord {
  const publishedAtMs = validTime(row.publishedAtMs) ?? generatedAtMs;
  return {
    station_id: String(series.stationId),
    parameter_code: series.parameterCode,
    time_start_utc: utcDateTime(row.hour * HOUR_MS),
    time_end_utc: utcDateTime((row.hour + 1) * HOUR_MS),
    value: Number.isNaN(row.value) ? null : row.value,
    unit: series.unit,
    data_status: DATA_STATUS,
    aggregation_type: AGGREGATION_TYPE,
    published_at_utc: utcDateTime(publishedAtMs),
    updated_at_utc: utcDateTime(validTime(row.updatedAtMs) ?? publishedAtMs),
    coverage: null,
  };
}

/**
 * Makes a renderer of JSON records for each series: as `JSON.stringify`, with keys in table order, without a line end.
 * Called once for each snapshot and thread, because its series share the texts of hours.
 */
export function createObservationJson(
  generatedAtMs: number,
  encoded = (text: string): string => text,
): (series: ObservationSeries) => RenderObservation {
  return createRenderers(generatedAtMs, {
    start: '{',
    label: (name) => encoded(`${JSON.stringify(name)}:`),
    cell: (value) => encoded(JSON.stringify(value)),
    // A template literal formats numbers like JSON.stringify in a third of its time.
    number: (value) => `${value}`,
    end: '}',
  });
}

/** UTF-8 as a text with one character for each byte: writing it as Latin-1 takes a third of the time. */
function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** `createObservationJson` with one character for each byte of UTF-8. */
export function createObservationJsonBytes(
  generatedAtMs: number,
): (series: ObservationSeries) => RenderObservation {
  return createObservationJson(generatedAtMs, bytesOf);
}

/** Makes a renderer of CSV lines for each series: table order, CRLF, one character for each byte of UTF-8. */
export function createObservationCsvBytes(
  generatedAtMs: number,
): (series: ObservationSeries) => RenderObservation {
  return createRenderers(generatedAtMs, {
    start: '',
    label: () => '',
    cell: (value) => bytesOf(csvCell(value)),
    number: csvDecimal,
    end: CSV_LINE_END,
  });
}

type ObservationField = FieldName<'observations'>;
type FieldGroup = readonly ObservationField[];

/** Format of a record: a start, cells with commas, an end. */
interface Format {
  readonly start: string;
  readonly label: (name: ObservationField) => string;
  readonly cell: (value: FieldValue) => string;
  /** Formats a finite number. */
  readonly number: (value: number) => string;
  readonly end: string;
}

const NAMES = fieldNames('observations');

/** The fields after `after` and before `before`; an undefined limit is open. */
function fieldsBetween(after: ObservationField | undefined, before?: ObservationField): FieldGroup {
  const start = after === undefined ? 0 : NAMES.indexOf(after) + 1;
  return NAMES.slice(start, before === undefined ? NAMES.length : NAMES.indexOf(before));
}

// Fields that vary by row separate groups of fields that are constant in a series.
const BEFORE_HOUR = fieldsBetween(undefined, 'time_start_utc');
const OF_HOUR: FieldGroup = ['time_start_utc', ...fieldsBetween('time_start_utc', 'value')];
const BEFORE_PUBLISHED = fieldsBetween('value', 'published_at_utc');
const BEFORE_UPDATED = fieldsBetween('published_at_utc', 'updated_at_utc');
const AFTER_UPDATED = fieldsBetween('updated_at_utc');

function createRenderers(
  generatedAtMs: number,
  { start, label, cell, number, end }: Format,
): (series: ObservationSeries) => RenderObservation {
  const renderGroup = (group: FieldGroup, record: ObservationRecord): string =>
    group.map((name) => `${label(name)}${cell(record[name])},`).join('');
  const hourText = cached((hour: number) => {
    const record = viewObservation(ANY_SERIES, { hour, value: NaN }, generatedAtMs);
    return renderGroup(OF_HOUR, record) + label('value');
  });
  const dateTimeText = createDateTimeText();
  const timeText = (epochMs: number): string => cell(dateTimeText(epochMs));
  const nullText = cell(null);
  return (series) => {
    const record = viewObservation(series, { hour: 0, value: NaN }, generatedAtMs);
    const beforeHour = start + renderGroup(BEFORE_HOUR, record);
    const beforePublished = `,${renderGroup(BEFORE_PUBLISHED, record)}${label('published_at_utc')}`;
    const beforeUpdated = `,${renderGroup(BEFORE_UPDATED, record)}${label('updated_at_utc')}`;
    const afterUpdated = `,${renderGroup(AFTER_UPDATED, record)}`.slice(0, -1) + end;
    const generated = timeText(generatedAtMs);
    const afterValue = beforePublished + generated + beforeUpdated + generated + afterUpdated;
    return (hour, value, publishedAtMs, updatedAtMs) => {
      const text = beforeHour + hourText(hour) + (Number.isNaN(value) ? nullText : number(value));
      if (publishedAtMs === undefined && updatedAtMs === undefined) return text + afterValue;
      const published = validTime(publishedAtMs) ?? generatedAtMs;
      const updated = timeText(validTime(updatedAtMs) ?? published);
      return text + beforePublished + timeText(published) + beforeUpdated + updated + afterUpdated;
    };
  };
}

const ANY_SERIES: ObservationSeries = { stationId: 0, parameterCode: '', unit: '' };

/** `utcDateTime` with cached hours. */
export function createDateTimeText(): (epochMs: number) => string {
  const untilMinutes = cached((hour: number) =>
    utcDateTime(hour * HOUR_MS).slice(0, 'YYYY-MM-DDTHH:'.length),
  );
  return (epochMs) => {
    const hour = Math.floor(epochMs / HOUR_MS);
    const seconds = Math.floor((epochMs - hour * HOUR_MS) / 1000);
    return `${untilMinutes(hour)}${twoDigits(seconds / 60)}:${twoDigits(seconds % 60)}Z`;
  };
}

function twoDigits(value: number): string {
  return TWO_DIGITS[Math.floor(value)] ?? '';
}

const TWO_DIGITS = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));

function validTime(epochMs: number | undefined): number | undefined {
  return epochMs === undefined || Number.isNaN(epochMs) ? undefined : epochMs;
}
