/** Formats numbers, dates and ages in the page's language and time zone. */
import type { Language } from '../../../snapshot/domain/model.js';
import { HOUR_MS, utcDateTime } from '../../../snapshot/domain/windows.js';
import { LOCALES } from '../../messages/locales.js';

/** A time for `<time>`: its text, its machine-readable form, and UTC for its title. */
interface Moment {
  readonly text: string;
  readonly iso: string;
  readonly utc: string;
}

export interface Formatters {
  /** Digits by size: 3 below one, 2 below ten, 1 below a thousand; no needless zeros. */
  readonly number: (value: number) => string;
  /** For a column: all numbers have as many decimal places as the one that has most, limited as in `number`. */
  readonly column: (values: readonly number[]) => (value: number) => string;
  /** For a marker: mostly four characters at most. */
  readonly shortNumber: (value: number) => string;
  /** Time and, unless it is on the same day as `near`, the date; with its year where that is not this year. */
  readonly moment: (epochMs: number, near?: number) => Moment;
  /** Date, year and time. */
  readonly fullMoment: (epochMs: number) => Moment;
  /** Local time, `00:00` to `23:00`. */
  readonly clock: (epochMs: number) => string;
  /** Day and month. */
  readonly day: (epochMs: number) => string;
  /** The same, with the year where that is not this year. */
  readonly dayOfYear: (epochMs: number) => string;
  /** `10 January – 9 February 2026`: the days of both ends. */
  readonly period: (fromMs: number, toMs: number) => string;
  /** Local hour, 0 to 23, and a key of the local day; the argument is in hours since the epoch, UTC. */
  readonly local: (hour: number) => { readonly clockHour: number; readonly dayKey: string };
  /** `5 hours ago`, `2 days ago`. */
  readonly age: (hours: number) => string;
  /** Compares names in the alphabetical order of the language. */
  readonly compare: (a: string, b: string) => number;
}

/** Formatters by language and time zone, of which a service has one; creating them takes 1 ms of a page's 6. */
const created = new Map<string, (todayMs: number | undefined) => Formatters>();

/**
 * @param timeZone IANA name that `Intl` knows.
 * @param todayMs a moment of the year whose dates are written without it; undefined: every date has its year.
 */
export function formattersFor(language: Language, timeZone: string, todayMs?: number): Formatters {
  const key = `${language} ${timeZone}`;
  let formattersOn = created.get(key);
  if (formattersOn === undefined) {
    formattersOn = createFormatters(LOCALES[language], timeZone);
    created.set(key, formattersOn);
  }
  return formattersOn(todayMs);
}

function createFormatters(
  tag: string,
  timeZone: string,
): (todayMs: number | undefined) => Formatters {
  const dates = (options: Intl.DateTimeFormatOptions): ((epochMs: number) => string) => {
    const format = new Intl.DateTimeFormat(tag, { hourCycle: 'h23', timeZone, ...options });
    return (epochMs) => format.format(epochMs);
  };
  const digits = [0, 1, 2, 3].map(
    (maximumFractionDigits) =>
      new Intl.NumberFormat(tag, { maximumFractionDigits, signDisplay: 'negative' }),
  );
  const rounded = (value: number, places: number): string =>
    (digits[places] ?? digits[0])?.format(value) ?? String(value);
  const clock = dates({ hour: '2-digit', minute: '2-digit' });
  const day = dates({ day: 'numeric', month: 'short' });
  const dayAndClock = dates({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
  const dayAndYear = dates({ day: 'numeric', month: 'short', year: 'numeric' });
  const whole = dates({
    ...{ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  });
  const longDay = dates({ day: 'numeric', month: 'long' });
  const longDate = dates({ day: 'numeric', month: 'long', year: 'numeric' });
  const full = dates({ dateStyle: 'long', timeStyle: 'short' });
  const utc = new Intl.DateTimeFormat(tag, {
    hourCycle: 'h23',
    timeZone: 'UTC',
    ...{ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  });
  const ages = new Intl.RelativeTimeFormat(tag, { numeric: 'always' });
  const collator = new Intl.Collator(tag, { numeric: true });
  const local = localHours(timeZone);
  const momentOf = (text: string, epochMs: number): Moment => ({
    text,
    iso: isoMinute(epochMs),
    utc: `${utc.format(epochMs)} UTC`,
  });
  const yearOf = (epochMs: number): number => {
    // But for the hours around New Year it is the same year everywhere.
    const [first, last] = [-14, 14].map((hours) => utcYear(epochMs + hours * HOUR_MS));
    return first === last
      ? utcYear(epochMs)
      : Number(local(Math.floor(epochMs / HOUR_MS)).dayKey.slice(6, 10));
  };
  const shared = {
    number: (value: number) => rounded(value, placesOf(value)),
    column(values: readonly number[]) {
      const places = Math.min(
        values.reduce((most, value) => Math.max(most, decimalsOf(value)), 0),
        placesOf(values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)),
      );
      const format = new Intl.NumberFormat(tag, {
        minimumFractionDigits: places,
        maximumFractionDigits: places,
        signDisplay: 'negative',
      });
      return (value: number) => format.format(value);
    },
    shortNumber: (value: number) => rounded(value, shortPlacesOf(value)),
    fullMoment: (epochMs: number) => momentOf(full(epochMs), epochMs),
    clock,
    day,
    // Not by `formatRange`, which writes days of Serbian dates with two digits.
    period: (fromMs: number, toMs: number) =>
      `${(yearOf(fromMs) === yearOf(toMs) ? longDay : longDate)(fromMs)} – ${longDate(toMs)}`,
    local,
    age: (hours: number) =>
      hours < 48 ? ages.format(-hours, 'hour') : ages.format(-Math.floor(hours / 24), 'day'),
    compare: (a: string, b: string) => collator.compare(a, b),
  };
  return (todayMs) => {
    const thisYear = todayMs === undefined ? undefined : yearOf(todayMs);
    const isThisYear = (epochMs: number): boolean => yearOf(epochMs) === thisYear;
    return {
      ...shared,
      moment(epochMs, near) {
        const isNear =
          near !== undefined &&
          local(Math.floor(epochMs / HOUR_MS)).dayKey === local(Math.floor(near / HOUR_MS)).dayKey;
        const dated = isThisYear(epochMs) ? dayAndClock : whole;
        return momentOf(isNear ? clock(epochMs) : dated(epochMs), epochMs);
      },
      dayOfYear: (epochMs) => (isThisYear(epochMs) ? day : dayAndYear)(epochMs),
    };
  };
}

function utcYear(epochMs: number): number {
  return new Date(epochMs).getUTCFullYear();
}

/** `YYYY-MM-DDTHH:MMZ`, with seconds only where they are not zero. */
export function isoMinute(epochMs: number): string {
  return utcDateTime(epochMs).replace(/:00Z$/, 'Z');
}

function placesOf(value: number): number {
  const size = Math.abs(value);
  if (size < 1) return 3;
  if (size < 10) return 2;
  return size < 1000 ? 1 : 0;
}

/** Decimal places of a number, at most three. */
function decimalsOf(value: number): number {
  return [0, 1, 2].find((places) => Number(value.toFixed(places)) === value) ?? 3;
}

function shortPlacesOf(value: number): number {
  const size = Math.abs(value);
  if (size < 0.0995) return size === 0 ? 0 : 2;
  return size < 9.95 ? 1 : 0;
}

function localHours(timeZone: string): Formatters['local'] {
  // Written as `09/09/2026, 23`: the hour comes last.
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone, hourCycle: 'h23', hour: '2-digit' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
  });
  return (hour) => {
    const text = format.format(hour * HOUR_MS);
    return { clockHour: Number(text.slice(-2)), dayKey: text.slice(0, -2) };
  };
}
