/** Numbers, dates and ages in the page's language and zone; made once a page, from `Intl` that is kept. */
import type { Language } from '../../../snapshot/domain/model.js';
import { HOUR_MS, utcDateTime } from '../../../snapshot/domain/windows.js';
import { LOCALES } from '../../messages/locales.js';

/** A moment for `<time>`: what is read, what machines read, and UTC for those who point at it. */
interface Moment {
  readonly text: string;
  readonly iso: string;
  readonly utc: string;
}

export interface Wording {
  /** Digits by size: 3 below one, 2 below ten, 1 below a thousand; no needless zeros. */
  readonly number: (value: number) => string;
  /** For a column: all of its numbers have as many digits after the point as the one that needs most, within reason. */
  readonly column: (values: readonly number[]) => (value: number) => string;
  /** For a marker: four characters mostly. */
  readonly shortNumber: (value: number) => string;
  /** Hour and, unless it is of the day of `near`, the date. */
  readonly moment: (epochMs: number, near?: number) => Moment;
  /** Date, year and time. */
  readonly fullMoment: (epochMs: number) => Moment;
  /** `00:00` to `23:00` on the clocks of the zone. */
  readonly clock: (epochMs: number) => string;
  /** Day and month. */
  readonly day: (epochMs: number) => string;
  /** Hours since midnight on the clocks of the zone, 0 to 23, and what day it is there. */
  readonly local: (hour: number) => { readonly clockHour: number; readonly dayKey: string };
  /** `5 hours ago`, `2 days ago`. */
  readonly age: (hours: number) => string;
  /** Ascending as people of this language sort names. */
  readonly compare: (a: string, b: string) => number;
}

const kept = new Map<string, Wording>();

/** @param timeZone IANA name that `Intl` knows. */
export function wordingIn(language: Language, timeZone: string): Wording {
  const key = `${language} ${timeZone}`;
  let wording = kept.get(key);
  if (wording === undefined) {
    wording = createWording(LOCALES[language], timeZone);
    kept.set(key, wording);
  }
  return wording;
}

function createWording(tag: string, timeZone: string): Wording {
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
    iso: utcDateTime(epochMs).replace(/:00Z$/, 'Z'),
    utc: `${utc.format(epochMs)} UTC`,
  });
  return {
    number: (value) => rounded(value, placesOf(value)),
    column(values) {
      const places = Math.min(
        Math.max(0, ...values.map(decimalsOf)),
        placesOf(Math.max(0, ...values.map(Math.abs))),
      );
      const format = new Intl.NumberFormat(tag, {
        minimumFractionDigits: places,
        maximumFractionDigits: places,
        signDisplay: 'negative',
      });
      return (value) => format.format(value);
    },
    shortNumber: (value) => rounded(value, shortPlacesOf(value)),
    moment(epochMs, near) {
      const isNear =
        near !== undefined &&
        local(Math.floor(epochMs / HOUR_MS)).dayKey === local(Math.floor(near / HOUR_MS)).dayKey;
      return momentOf(isNear ? clock(epochMs) : dayAndClock(epochMs), epochMs);
    },
    fullMoment: (epochMs) => momentOf(full(epochMs), epochMs),
    clock,
    day,
    local,
    age: (hours) =>
      hours < 48 ? ages.format(-hours, 'hour') : ages.format(-Math.floor(hours / 24), 'day'),
    compare: (a, b) => collator.compare(a, b),
  };
}

function placesOf(value: number): number {
  const size = Math.abs(value);
  if (size < 1) return 3;
  if (size < 10) return 2;
  return size < 1000 ? 1 : 0;
}

/** Digits after the point, as the number came; more than three are never shown. */
function decimalsOf(value: number): number {
  return [0, 1, 2].find((places) => Number(value.toFixed(places)) === value) ?? 3;
}

function shortPlacesOf(value: number): number {
  const size = Math.abs(value);
  if (size < 0.0995) return size === 0 ? 0 : 2;
  return size < 9.95 ? 1 : 0;
}

function localHours(timeZone: string): Wording['local'] {
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
