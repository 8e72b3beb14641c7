/** Times along the horizontal axis of a chart. */
import { HOUR_MS, type HourInterval } from '../../../../snapshot/domain/windows.js';
import type { Formatters } from '../formatters.js';

export type Tick = ReturnType<typeof ticksOf>[number];

/** Distance of ticks and of major ticks, by the length of the interval. */
const TICK_DISTANCES = [
  { upToHours: 24, everyHours: 3, majorHours: 6 },
  { upToHours: 7 * 24, everyDays: 1, majorDays: 2 },
  { upToHours: 14 * 24, everyDays: 2, majorDays: 4 },
  { upToHours: Infinity, everyDays: 3, majorDays: 6 },
] as const;

/** Ticks at full hours or days of the page's time zone. */
export function ticksOf({ from, to }: HourInterval, { local, clock, day, dayOfYear }: Formatters) {
  const hours = to - from;
  const distance = TICK_DISTANCES.find(({ upToHours }) => hours <= upToHours);
  if (distance === undefined) return [];
  const all = Array.from({ length: hours }, (_, index) => ({
    hour: from + index,
    ...local(from + index),
  }));
  const at = (hour: number, label: string, isMajor: boolean) => ({
    /** Hours since the start of the interval. */
    hours: hour - from,
    label,
    /** Narrow charts show these only. */
    isMajor,
    /** Whether the label has a year, and needs more room. */
    hasYear: label === dayOfYear(hour * HOUR_MS) && label !== day(hour * HOUR_MS),
  });
  if ('everyHours' in distance) {
    if (hours < distance.everyHours) return [at(from, clock(from * HOUR_MS), true)];
    return all
      .filter(({ clockHour }) => clockHour % distance.everyHours === 0)
      .map(({ hour, clockHour }) =>
        // Midnight says which day begins.
        at(
          hour,
          (clockHour === 0 ? dayOfYear : clock)(hour * HOUR_MS),
          clockHour % distance.majorHours === 0,
        ),
      );
  }
  return all
    .filter(({ dayKey }, index) => index > 0 && dayKey !== all[index - 1]?.dayKey)
    .filter((_, index) => index % distance.everyDays === 0)
    .map(({ hour }, index) =>
      // The first one says which year it is, where that is another one.
      at(
        hour,
        (index === 0 ? dayOfYear : day)(hour * HOUR_MS),
        index % (distance.majorDays / distance.everyDays) === 0,
      ),
    );
}
