/** Formats numbers, dates and ages in the page's language and time zone. */
import { LRUCache } from 'lru-cache';
import { html, type Markup } from '../../html.js';
import { HOUR_MS, utcDateTime } from '../../../snapshot/domain/windows.js';
import { localeOf, type Language } from '../../../texts/texts.js';
import { createZoneClock, DAY_MS } from '../../../snapshot/domain/zone-clock.js';
import { numbersIn } from './numbers.js';
import { distanceFormat } from './search.js';

/** A time for `<time>`: text, machine-readable form, and UTC for its title. */
interface Moment {
  readonly text: string;
  readonly iso: string;
  readonly utc: string;
}

export type Formatters = ReturnType<typeof formattersFor>;

/** Formatters by language and time zone; creating them takes 1 of the 6 ms of a page. */
const created = new Map<string, ReturnType<typeof createFormatters>>();

/** @param timeZone IANA name that `Intl` knows; `todayMs` is a moment in this year, which dates leave out. */
export function formattersFor(language: Language, timeZone: string, todayMs?: number) {
  const key = `${language} ${timeZone}`;
  const formatters = created.get(key) ?? createFormatters(localeOf(language), timeZone);
  created.set(key, formatters);
  const { momentOf, dates, named, ...shared } = formatters;
  const { clock, day, yearOf, shownMs, offsetMs, zoneName } = shared;
  const thisYear = todayMs === undefined ? undefined : yearOf(todayMs);
  const isThisYear = (epochMs: number): boolean => yearOf(epochMs) === thisYear;
  const dayOf = (epochMs: number): number => Math.floor(shownMs(epochMs) / DAY_MS);
  return {
    ...shared,
    /** Equal for equal formats. */
    key: `${key} ${thisYear}`,
    /** Time with the date, unless `near` is on the same day; the date has a year if it is not this year. */
    moment(epochMs: number, near?: number): Moment {
      const isNear = near !== undefined && dayOf(epochMs) === dayOf(near);
      const dated = isThisYear(epochMs) ? dates.dayAndClock : dates.whole;
      return momentOf(named(isNear ? clock : dated, epochMs), epochMs);
    },
    /** Day and month, with the year if it is not this year. */
    dayOfYear: (epochMs: number) => (isThisYear(epochMs) ? day : dates.dayAndYear)(epochMs),
    /** An hour such as `00:00–01:00, 9 Feb, CET`; at a clock change, `02:00 CEST–02:00 CET, 25 Oct`. */
    hourSpan(hour: number): Moment {
      const [startMs, endMs] = [hour * HOUR_MS, (hour + 1) * HOUR_MS];
      const dayText = (isThisYear(startMs) ? day : dates.dayAndYear)(startMs);
      const text =
        offsetMs(startMs) === offsetMs(endMs)
          ? `${clock(startMs)}–${clock(endMs)}, ${dayText}, ${zoneName(startMs)}`
          : `${clock(startMs)} ${zoneName(startMs)}–${clock(endMs)} ${zoneName(endMs)}, ${dayText}`;
      return momentOf(text, startMs);
    },
  };
}

const DAY = { day: 'numeric', month: 'short' } as const;
const DATE = { ...DAY, year: 'numeric' } as const;
const TIME = { hour: '2-digit', minute: '2-digit' } as const;

/** Cached texts of each format: a month's hours, which most pages write, and as many others. */
const REMEMBERED_MAX = 1500;

/** Caches the texts of a format: `Intl` takes 2 µs for each, and a page has up to a thousand. */
function remembered(write: Write): Write {
  const texts = new LRUCache<number, string>({ max: REMEMBERED_MAX, memoMethod: write });
  return (epochMs) => texts.memo(epochMs);
}

function createFormatters(tag: string, timeZone: string) {
  const inZone = writersIn(tag, timeZone);
  const dates = {
    dayAndClock: inZone({ ...DAY, ...TIME }),
    dayAndYear: inZone(DATE),
    whole: inZone({ ...DATE, ...TIME }),
  };
  const full = inZone({ dateStyle: 'long', timeStyle: 'short' });
  const shownClock = inZone({ ...TIME, timeZone: 'UTC' });
  const { offsetMs, shownMs, isRepeated, local } = createZoneClock(timeZone);
  const momentOf = momentsIn(inZone({ ...DATE, ...TIME, timeZone: 'UTC' }));
  const yearOf = (epochMs: number): number => new Date(shownMs(epochMs)).getUTCFullYear();
  const zoneName = zoneNames(tag, timeZone);
  /** A time, with its zone if the clock repeats it. */
  const named = (write: Write, epochMs: number): string =>
    isRepeated(epochMs) ? `${write(epochMs)} ${zoneName(epochMs)}` : write(epochMs);
  return {
    ...numbersIn(tag),
    ...wordsIn(tag),
    distance: distanceFormat(tag),
    yearOf,
    momentOf,
    dates,
    named,
    zoneName,
    local,
    offsetMs,
    shownMs,
    /** Time with the whole date. */
    fullMoment: (epochMs: number) => momentOf(named(full, epochMs), epochMs),
    /** `02:00–03:00`: the local hour at the beginning of an hour since the epoch. */
    clockHour: (hour: number) => {
      const localMs = shownMs(hour * HOUR_MS);
      return `${shownClock(localMs)}–${shownClock(localMs + HOUR_MS)}`;
    },
    /** Local time, `00:00` to `23:00`. */
    clock: inZone(TIME),
    day: inZone(DAY),
    month: inZone({ month: 'short' }),
    monthOfYear: inZone({ month: 'short', year: 'numeric' }),
    weekday: inZone({ weekday: 'short' }),
    period: periodsIn(inZone, yearOf),
  };
}

type Write = (epochMs: number) => string;

function momentsIn(utc: Write): (text: string, epochMs: number) => Moment {
  return (text, epochMs) => ({
    text,
    iso: isoMinute(epochMs),
    // Computed when read: titles of a month's hours are not shown.
    get utc() {
      return `${utc(epochMs)} UTC`;
    },
  });
}

/** Makes formatters of times in a zone; options may name another zone. */
function writersIn(tag: string, timeZone: string): (options: Intl.DateTimeFormatOptions) => Write {
  return (options) => {
    const format = new Intl.DateTimeFormat(tag, { hourCycle: 'h23', timeZone, ...options });
    return remembered((epochMs) => format.format(epochMs));
  };
}

/** Makes a formatter of `10 January – 9 February 2026`: `formatRange` would write Serbian days with two digits. */
function periodsIn(
  inZone: ReturnType<typeof writersIn>,
  yearOf: (epochMs: number) => number,
): (fromMs: number, toMs: number) => string {
  const day = inZone({ day: 'numeric', month: 'long' });
  const date = inZone({ day: 'numeric', month: 'long', year: 'numeric' });
  return (from, to) => `${(yearOf(from) === yearOf(to) ? day : date)(from)} – ${date(to)}`;
}

/** Names of the zone, such as `CET` and `CEST`; `GMT-3` if the language has no name for it. */
function zoneNames(tag: string, timeZone: string): Write {
  const format = new Intl.DateTimeFormat(tag, { ...TIME, timeZone, timeZoneName: 'short' });
  return remembered((epochMs) => {
    const name = format.formatToParts(epochMs).find(({ type }) => type === 'timeZoneName');
    return name?.value ?? timeZone;
  });
}

function wordsIn(tag: string) {
  const ages = new Intl.RelativeTimeFormat(tag, { numeric: 'always' });
  const collator = new Intl.Collator(tag, { numeric: true });
  const ordinals = new Intl.PluralRules(tag, { type: 'ordinal' });
  return {
    /** Ordinal category: `one`, `two`, `few`, `other` for 1st, 2nd, 3rd, 4th. */
    ordinal: (place: number): string => ordinals.select(place),
    /** `5 hours ago`, `2 days ago`. */
    age: (hours: number) =>
      hours < 48 ? ages.format(-hours, 'hour') : ages.format(-Math.floor(hours / 24), 'day'),
    /** Compares names alphabetically in the language. */
    compare: (a: string, b: string) => collator.compare(a, b),
  };
}

export function momentMarkup({ iso, utc, text }: Moment): Markup {
  return html`<time datetime="${iso}" title="${utc}">${text}</time>`;
}

/** `YYYY-MM-DDTHH:MMZ`, with seconds only where they are not zero. */
export function isoMinute(epochMs: number): string {
  return utcDateTime(epochMs).replace(/:00Z$/, 'Z');
}
