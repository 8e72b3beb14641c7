/** The clock of a time zone: local time and UTC offset of each hour, and repeated times. */
import { HOUR_MS, type HourInterval } from './windows.js';

export const DAY_HOURS = 24;
export const DAY_MS = DAY_HOURS * HOUR_MS;
const MINUTE_MS = 60_000;

/** A time that is longer than any clock change, and shorter than the time between two changes. */
const AROUND_MS = 3 * HOUR_MS;

/** Days whose offsets a clock remembers: clients choose days from the year 0 to 9999. */
const DAYS_MAX = 20_000;

export type ZoneClock = ReturnType<typeof createOne>;

const clocks = new Map<string, ZoneClock>();

/** The clock of a zone, which is made once. @param timeZone IANA name that `Intl` knows, of the settings. */
export function createZoneClock(timeZone: string): ZoneClock {
  const clock = clocks.get(timeZone) ?? createOne(timeZone);
  clocks.set(timeZone, clock);
  return clock;
}

function createOne(timeZone: string) {
  const offsets = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  /** Offsets by UTC day; NaN for a day on which the offset changes. */
  const ofDays = new Map<number, number>();
  const readOffset = (epochMs: number): number => {
    // `Intl` writes `2/9/2026, GMT+01:00`, and `GMT` for UTC.
    const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(offsets.format(epochMs)) ?? [];
    const size = Number(hours ?? 0) * HOUR_MS + Number(minutes ?? 0) * MINUTE_MS;
    return sign === '-' ? -size : size;
  };
  const offsetMs = (epochMs: number): number => {
    const day = Math.floor(epochMs / DAY_MS);
    let offset = ofDays.get(day);
    if (offset === undefined) {
      const [first, last] = [readOffset(day * DAY_MS), readOffset((day + 1) * DAY_MS - 1)];
      offset = first === last ? first : NaN;
      if (ofDays.size >= DAYS_MAX) ofDays.clear();
      ofDays.set(day, offset);
    }
    return Number.isNaN(offset) ? readOffset(epochMs) : offset;
  };
  /** Local time as if it were UTC, in milliseconds. */
  const shownMs = (epochMs: number): number => epochMs + offsetMs(epochMs);
  return {
    offsetMs,
    shownMs,
    /** Whether the clock shows this time twice. */
    isRepeated: (epochMs: number): boolean => {
      const back = offsetMs(epochMs - AROUND_MS) - offsetMs(epochMs + AROUND_MS);
      const localMs = shownMs(epochMs);
      return back > 0 && [-back, back].some((distance) => shownMs(epochMs + distance) === localMs);
    },
    /** Local day (since the epoch) and hour (0 to 23) at the start of an hour since the epoch. */
    local: (hour: number) => {
      const localMs = shownMs(hour * HOUR_MS);
      const shownHour = Math.floor(localMs / HOUR_MS);
      const day = Math.floor(localMs / DAY_MS);
      return { day, clockHour: shownHour - day * DAY_HOURS, pastMs: localMs - shownHour * HOUR_MS };
    },
  };
}

type LocalHour = ReturnType<ZoneClock['local']> & { readonly hour: number };

/** Every hour of an interval with its local time. */
export function localHours(
  { from, to }: HourInterval,
  { local }: Pick<ZoneClock, 'local'>,
): readonly LocalHour[] {
  return Array.from({ length: to - from }, (_, index) => ({
    hour: from + index,
    ...local(from + index),
  }));
}
