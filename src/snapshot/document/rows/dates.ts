/** Reads dates and times of a document in the one allowed form: proleptic Gregorian, UTC. */
import { HOUR_MINUTES } from '../../domain/model.js';
import { HOUR_MS, timeOfHour } from '../../domain/windows.js';

export const DAY_HOURS = 24;

/** The form of a date; `Date` alone accepts other texts too. */
const DATE = String.raw`(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;

const DAY = new RegExp(`^${DATE}$`);

const INSTANT = new RegExp(
  String.raw`^${DATE}T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-]00:?00)$`,
);

const HOURS: ReadonlyMap<string, number> = new Map(
  HOUR_MINUTES.flatMap((minute) =>
    Array.from({ length: DAY_HOURS }, (_, hour) => hour + minute / 60),
  ).map((hour) => [timeOfHour(hour), hour]),
);

export const UTC_DATE_TIME = 'an ISO 8601 date-time in UTC (with Z)';

/** Days since the epoch of an existing date `YYYY-MM-DD`, years 1 to 9999; undefined for other texts. */
export function parseDay(text: string): number | undefined {
  const epochMs = DAY.test(text) ? parseDate(text) : undefined;
  return epochMs === undefined ? undefined : epochMs / (DAY_HOURS * HOUR_MS);
}

/** The hour, 0 to 23.75, of a text `HH:00`, `HH:15`, `HH:30` or `HH:45`; undefined for other texts. */
export function parseHourOfDay(text: string): number | undefined {
  return HOURS.get(text);
}

/** Epoch milliseconds of an ISO 8601 date-time in UTC (`Z` or a zero offset), truncated; undefined for other texts. */
export function parseInstant(text: string): number | undefined {
  return INSTANT.test(text) ? parseDate(text.replace(/[+-]00:?00$/, 'Z')) : undefined;
}

/** Epoch milliseconds; undefined for a day such as 30 February, which `Date` alone reads as 2 March. */
function parseDate(text: string): number | undefined {
  const date = new Date(text);
  return date.getUTCDate() === Number(text.slice(8, 10)) ? date.getTime() : undefined;
}
