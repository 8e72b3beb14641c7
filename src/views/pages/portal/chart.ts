/**
 * One series over one window as a chart: where lines, ticks, bands and gaps lie.
 *
 * Across, everything is in percent of the plot, so that the chart fits every screen while its text and lines keep their
 * size; only the curve is drawn in a viewBox that is stretched. Down, everything is in pixels.
 */
import { scaleLinear } from 'd3-scale';
import { area, line } from 'd3-shape';
import { HOUR_MS, type HourInterval } from '../../../snapshot/domain/windows.js';
import { classesOf, type ColorScale } from './color-scale.js';
import { drawn, isFlat } from './clamped.js';
import type { HourlyValue } from './portal-model.js';
import type { Wording } from './wording.js';

const CHART_HEIGHT = 220;

/** Width of the stretched viewBox. */
const CURVE_WIDTH = 1000;

/** Pixels that a band of colour is high at least. */
const THINNEST_BAND = 1;

export interface Chart {
  readonly height: number;
  readonly curveWidth: number;
  /** Whether its hours are so many that a fine line shows more. */
  readonly isDense: boolean;
  readonly line: string;
  readonly area: string;
  /** Horizontal lines with the value that they stand for. */
  readonly rules: readonly { readonly y: string; readonly label: string }[];
  /** Moments below the plot; narrow screens show the major ones. */
  readonly ticks: readonly {
    readonly x: string;
    readonly label: string;
    readonly iso: string;
    readonly isMajor: boolean;
  }[];
  /** Hours without a value. */
  readonly gaps: readonly { readonly x: string; readonly width: string }[];
  /** What part of the axis has which colour of the map. */
  readonly bands: readonly {
    readonly y: string;
    readonly height: string;
    readonly color: string;
  }[];
}

export interface ChartOptions {
  readonly points: readonly HourlyValue[];
  readonly interval: HourInterval;
  readonly scale: ColorScale;
  readonly wording: Wording;
}

/** Undefined where there is no value in the interval. */
export function viewChart({ points, interval, scale, wording }: ChartOptions): Chart | undefined {
  if (points.length === 0) return undefined;
  const hours = interval.to - interval.from;
  const values = slots(points, interval);
  const y = scaleLinear(domainOf(points), [CHART_HEIGHT, 0]).nice(4);
  const x = (index: number): number => ((index + 0.5) / hours) * CURVE_WIDTH;
  const isThere = (value: number): boolean => !Number.isNaN(value);
  const [bottom = 0] = y.range();
  return {
    height: CHART_HEIGHT,
    curveWidth: CURVE_WIDTH,
    isDense: hours > 7 * 24,
    line:
      line<number>(
        (_, index) => x(index),
        (value) => y(value),
      )
        .defined(isThere)
        .digits(1)(values) ?? '',
    area:
      area<number>(
        (_, index) => x(index),
        bottom,
        (value) => y(value),
      )
        .defined(isThere)
        .digits(1)(values) ?? '',
    rules: y.ticks(4).map((value) => ({ y: y(value).toFixed(1), label: wording.number(value) })),
    ticks: ticksOf(interval, wording),
    gaps: gapsOf(values).map(({ start, end }) => ({
      x: percent(start / hours),
      width: percent((end - start) / hours),
    })),
    bands: bandsOf(y, scale),
  };
}

/** A value for each hour; NaN where there is none. */
function slots(points: readonly HourlyValue[], { from, to }: HourInterval): readonly number[] {
  const values = new Array<number>(to - from).fill(NaN);
  for (const { hour, value } of points) values[hour - from] = drawn(value);
  return values;
}

/** From zero, unless that would leave most of the chart empty or there is less than nothing. */
function domainOf(points: readonly HourlyValue[]): readonly [number, number] {
  const values = points.map(({ value }) => drawn(value));
  const lowest = Math.min(...values);
  const highest = Math.max(...values);
  const start = lowest >= 0 && lowest < highest * 0.6 ? 0 : lowest;
  // A flat line lies in the middle.
  return isFlat(start, highest) ? [start - 1, highest + 1] : [start, highest];
}

/** Stretches without a value, `[start, end)` in hours of the interval. */
function gapsOf(
  values: readonly number[],
): readonly { readonly start: number; readonly end: number }[] {
  const gaps: { readonly start: number; readonly end: number }[] = [];
  let start: number | undefined;
  for (const [index, value] of [...values, 0].entries()) {
    if (Number.isNaN(value)) start ??= index;
    else if (start !== undefined) {
      gaps.push({ start, end: index });
      start = undefined;
    }
  }
  return gaps;
}

function bandsOf(
  y: { (value: number): number; domain(): number[] },
  scale: ColorScale,
): Chart['bands'] {
  const [lowest = 0, highest = 0] = y.domain();
  return classesOf(scale).flatMap(({ color, from, to }) => {
    const top = y(Math.min(to ?? highest, highest));
    const bottom = y(Math.max(from ?? lowest, lowest));
    return bottom - top < THINNEST_BAND
      ? []
      : [{ y: top.toFixed(1), height: (bottom - top).toFixed(1), color }];
  });
}

/** Every how many hours of a day, or every how many days, and which of these are major. */
const RHYTHMS = [
  { upToHours: 24, everyHours: 3, majorHours: 6 },
  { upToHours: 7 * 24, everyDays: 1, majorDays: 2 },
  { upToHours: 14 * 24, everyDays: 2, majorDays: 4 },
  { upToHours: Infinity, everyDays: 3, majorDays: 6 },
] as const;

/** Full hours and days on the clocks of the page's zone. */
function ticksOf({ from, to }: HourInterval, { local, clock, day }: Wording): Chart['ticks'] {
  const hours = to - from;
  const rhythm = RHYTHMS.find(({ upToHours }) => hours <= upToHours);
  if (rhythm === undefined) return [];
  const all = Array.from({ length: hours }, (_, index) => from + index);
  const at = (hour: number, label: string, isMajor: boolean): Chart['ticks'][number] => ({
    x: percent((hour - from) / hours),
    label,
    iso: new Date(hour * HOUR_MS).toISOString().replace(/:00\.000Z$/, 'Z'),
    isMajor,
  });
  if ('everyHours' in rhythm) {
    if (hours < rhythm.everyHours) return [at(from, clock(from * HOUR_MS), true)];
    return all
      .filter((hour) => local(hour).clockHour % rhythm.everyHours === 0)
      .map((hour) =>
        at(hour, clock(hour * HOUR_MS), local(hour).clockHour % rhythm.majorHours === 0),
      );
  }
  return all
    .filter((hour) => hour > from && local(hour).dayKey !== local(hour - 1).dayKey)
    .filter((_, index) => index % rhythm.everyDays === 0)
    .map((hour, index) =>
      at(hour, day(hour * HOUR_MS), index % (rhythm.majorDays / rhythm.everyDays) === 0),
    );
}

function percent(part: number): string {
  return `${Number((part * 100).toFixed(2))}%`;
}

/** Points of a small curve at the most. */
const SPARK_POINTS = 96;

export const SPARK_WIDTH = 100;
export const SPARK_HEIGHT = 32;

/** A small curve of means over equal stretches of hours, in a viewBox of `SPARK_WIDTH` by `SPARK_HEIGHT`. */
export function sparkline(points: readonly HourlyValue[], interval: HourInterval): string {
  if (points.length === 0) return '';
  const hours = interval.to - interval.from;
  const stretch = Math.ceil(hours / SPARK_POINTS);
  const values = slots(points, interval);
  const means = Array.from({ length: Math.ceil(hours / stretch) }, (_, index) =>
    mean(values.slice(index * stretch, (index + 1) * stretch).filter((one) => !Number.isNaN(one))),
  );
  const y = scaleLinear(domainOf(points), [SPARK_HEIGHT - 2, 2]);
  const curve = line<number>(
    (_, index) => ((index + 0.5) / means.length) * SPARK_WIDTH,
    (value) => y(value),
  );
  return curve.defined((value) => !Number.isNaN(value)).digits(1)(means) ?? '';
}

/** NaN of nothing. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
