/** Reads the dates and times of a document: proleptic Gregorian, UTC, by character code, without `Date`'s leniency. */
import { HOUR_MS } from '../../domain/windows.js';

export const DAY_HOURS = 24;
const ZERO = 48;
const DASH = 45;
const COLON = 58;
const LETTER_T = 84;
const LETTER_Z = 90;

/** A number of two digits at `at`, or a negative number. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - ZERO;
  const ones = text.charCodeAt(at + 1) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1;
}

/** Days of a month, 1 to 12; 0 for another. */
function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  if (month < 1 || month > 12) return 0;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Days from 1970-01-01 to a date (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil). */
function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** Days since the epoch of `YYYY-MM-DD`, a real date of the years 1 to 9999; `undefined` for any other text. */
export function parseDay(text: string): number | undefined {
  if (text.length !== 10 || text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH) {
    return undefined;
  }
  const century = twoDigits(text, 0);
  const yearOfCentury = twoDigits(text, 2);
  if (century < 0 || yearOfCentury < 0) return undefined;
  const year = century * 100 + yearOfCentury;
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  if (year === 0 || day < 1 || day > daysInMonth(year, month)) return undefined;
  return daysFromCivil(year, month, day);
}

/** 0 to 23 of `HH:00`; `undefined` for any other text. */
export function parseHourOfDay(text: string): number | undefined {
  if (text.length !== 5 || text.charCodeAt(2) !== COLON || twoDigits(text, 3) !== 0) {
    return undefined;
  }
  const hour = twoDigits(text, 0);
  return hour >= 0 && hour < DAY_HOURS ? hour : undefined;
}

/** What a message expects where `parseInstant` finds nothing. */
export const UTC_DATE_TIME = 'an ISO 8601 date-time in UTC (with Z)';

const INSTANT =
  /^(\d{4}-\d{2}-\d{2})T(\d{2}):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,9}))?)?(?:Z|[+-]00:?00)$/;

/**
 * Epoch milliseconds of an ISO 8601 date-time that says it is UTC (`Z` or a zero offset); finer digits are cut off.
 * `undefined` for any other text.
 */
export function parseInstant(text: string): number | undefined {
  return parsePlainInstant(text) ?? parseAnyInstant(text);
}

/** `YYYY-MM-DDTHH:MM:SSZ`: a document may have millions of these, and the expression takes four times as long. */
function parsePlainInstant(text: string): number | undefined {
  if (
    text.length !== 20 ||
    text.charCodeAt(10) !== LETTER_T ||
    text.charCodeAt(13) !== COLON ||
    text.charCodeAt(16) !== COLON ||
    text.charCodeAt(19) !== LETTER_Z
  ) {
    return undefined;
  }
  const day = parseDay(text.slice(0, 10));
  const [hours, minutes, seconds] = [twoDigits(text, 11), twoDigits(text, 14), twoDigits(text, 17)];
  if (day === undefined || Math.min(hours, minutes, seconds) < 0) return undefined;
  if (hours >= DAY_HOURS || minutes >= 60 || seconds >= 60) return undefined;
  return (day * DAY_HOURS + hours) * HOUR_MS + minutes * 60_000 + seconds * 1000;
}

function parseAnyInstant(text: string): number | undefined {
  const [, date = '', hours = '', minutes = '', seconds = '0', fraction = '0'] =
    INSTANT.exec(text) ?? [];
  const day = parseDay(date);
  if (day === undefined || Number(hours) >= DAY_HOURS) return undefined;
  return (
    (day * DAY_HOURS + Number(hours)) * HOUR_MS +
    Number(minutes) * 60_000 +
    Number(seconds) * 1000 +
    Number(fraction.padEnd(3, '0').slice(0, 3))
  );
}
