/** Times along the horizontal axis of a chart: the largest number that fits, each local time once. */
import { HOUR_MS, type HourInterval } from '../../../../snapshot/domain/windows.js';
import { DAY_HOURS, localHours } from '../../../../snapshot/domain/zone-clock.js';
import type { Formatters } from '../formatters.js';
import { estimatedWidth } from './picture-text.js';

export type Tick = ReturnType<typeof labelled>[number];

/** Distances of ticks in local hours; the length of the interval determines the first that is tried. */
const DISTANCES = [3, 6, 12, 24, 48, 72, 96, 144, 240, 360, 720];
const FIRST_DISTANCES = [
  { upToHours: 24, distance: 3 },
  { upToHours: 7 * 24, distance: 24 },
  { upToHours: 14 * 24, distance: 48 },
  { upToHours: Infinity, distance: 72 },
] as const;

const FONT_SIZE = 12;
const GAP = 8;

interface AxisOptions {
  readonly interval: HourInterval;
  readonly format: Formatters;
  /** In pixels. */
  readonly width: number;
  /** Pixels right of the plot that labels may cover; left of it is the name of the clock. */
  readonly right: number;
}

/** Chooses, for a width, the ticks of the smallest distance whose labels do not overlap; empty if no label fits. */
export function axisOf({ interval, format, right }: Omit<AxisOptions, 'width'>) {
  const hours = interval.to - interval.from;
  const first = FIRST_DISTANCES.find(({ upToHours }) => hours <= upToHours)?.distance ?? 0;
  const all = beginningsOf(interval, format, Math.min(first, DAY_HOURS));
  const choices = DISTANCES.filter((one) => one >= first).map((one) => every(one, all, interval));
  return (width: number): readonly Tick[] => {
    const options = { interval, format, width, right };
    for (const choice of choices) {
      const ticks = labelled(choice, options);
      if (areApart(ticks, options)) return ticks;
    }
    return [];
  };
}

/**
 * Beginnings of local days, or of equal parts of them, from the day before the interval on. If the clock skips such an
 * hour, the next hour replaces it; if the clock repeats it, the first counts.
 */
function beginningsOf({ from, to }: HourInterval, format: Formatters, distance: number) {
  // With a half-hour offset from UTC, a day may begin within the last hour.
  const hours = localHours({ from: from - DAY_HOURS, to: to + 1 }, format).map((one) => ({
    ...one,
    atMs: one.hour * HOUR_MS - one.pastMs,
  }));
  return firstOf(distance, hours);
}

type Beginning = ReturnType<typeof beginningsOf>[number];

function firstOf<Hour extends { readonly day: number; readonly clockHour: number }>(
  distance: number,
  hours: readonly Hour[],
): readonly Hour[] {
  const seen = new Set<number>();
  return hours.filter(({ day, clockHour }) => {
    const part = day * DAY_HOURS + clockHour - (clockHour % distance);
    const isFirst = !seen.has(part);
    seen.add(part);
    return isFirst;
  });
}

/** Ticks at one distance within the interval. */
function every(
  distance: number,
  all: readonly Beginning[],
  { from, to }: HourInterval,
): readonly Beginning[] {
  return firstOf(Math.min(distance, DAY_HOURS), all)
    .filter(({ atMs }) => atMs >= from * HOUR_MS && atMs < to * HOUR_MS)
    .filter((_, index) => index % Math.max(distance / DAY_HOURS, 1) === 0);
}

/**
 * Labels the ticks. The first tick of a day names the day (and the year, if it is not this year), and in a second line
 * its time if the day began before; the first tick after a clock change also names the zone.
 */
function labelled(
  starts: readonly Beginning[],
  { interval: { from, to }, format, width, right }: AxisOptions,
) {
  return starts.map(({ hour, day, atMs }, index) => {
    const before = starts[index - 1];
    const isOfYear = before && format.yearOf(before.atMs) === format.yearOf(atMs);
    const isOfDay = before?.day === day;
    const hasBegun = !isOfDay && format.local(hour - 1).day === day;
    const isOfClock = format.offsetMs(before?.atMs ?? from * HOUR_MS) === format.offsetMs(atMs);
    const label = (isOfDay ? format.clock : isOfYear ? format.day : format.dayOfYear)(atMs);
    const below = [
      ...(hasBegun ? [format.clock(atMs)] : []),
      ...(isOfClock ? [] : [format.zoneName(atMs)]),
    ].join(' ');
    const hours = atMs / HOUR_MS - from;
    const x = (hours / (to - from)) * width;
    const labelWidth = Math.max(...[label, below].map((line) => estimatedWidth(line, FONT_SIZE)));
    const anchor =
      x < labelWidth / 2 ? 'start' : x + labelWidth / 2 > width + right ? 'end' : 'middle';
    const left = x - labelWidth * { start: 0, middle: 0.5, end: 1 }[anchor];
    return {
      /** Hours since the start of the interval. */
      hours,
      label,
      /** The second line, mostly empty. */
      below,
      /** Alignment of the label. */
      anchor,
      /** Ends of the longer line, in pixels of the plot. */
      left,
      right: left + labelWidth,
    };
  });
}

function areApart(ticks: readonly Tick[], { width, right }: AxisOptions): boolean {
  return ticks.every(
    (tick, index) =>
      tick.left >= (ticks[index - 1]?.right ?? -GAP) + GAP && tick.right <= width + right,
  );
}
