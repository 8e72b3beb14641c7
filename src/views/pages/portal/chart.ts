/**
 * Lays out the chart of one series over one window: curve, ticks, bands and gaps.
 *
 * Horizontal positions are in percent of the plot, so that the chart fits every screen while its text and lines keep
 * their size; only the curve is in a viewBox that is stretched. Vertical positions are in pixels.
 */
import { scaleLinear } from 'd3-scale';
import { area, line } from 'd3-shape';
import { HOUR_MS, type HourInterval } from '../../../snapshot/domain/windows.js';
import { classesOf, type ColorScale } from './color-scale.js';
import { clampForScale, isFlat } from './clamped.js';
import type { HourlyValue } from './portal-model.js';
import { isoMinute, type Formatters } from './formatters.js';
import { percent } from './notation.js';

const CHART_HEIGHT = 220;

/** Width of the stretched viewBox. */
const CURVE_WIDTH = 1000;

/** Smallest height of a band of colour in pixels. */
const BAND_HEIGHT_MIN = 1;

export interface Chart {
  readonly height: number;
  readonly curveWidth: number;
  /** Whether it has so many hours that a thin line is easier to read. */
  readonly isDense: boolean;
  readonly line: string;
  readonly area: string;
  /** Horizontal lines with their values. */
  readonly rules: readonly { readonly y: string; readonly label: string }[];
  /** Times below the plot; narrow screens show the major ones only. */
  readonly ticks: readonly {
    readonly x: string;
    readonly label: string;
    readonly iso: string;
    readonly isMajor: boolean;
  }[];
  /** Hours without a value. */
  readonly gaps: readonly { readonly x: string; readonly width: string }[];
  /** Colours of the map along the vertical axis. */
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
  readonly format: Formatters;
}

/** Undefined where the interval has no value. */
export function viewChart({ points, interval, scale, format }: ChartOptions): Chart | undefined {
  if (points.length === 0) return undefined;
  const hours = interval.to - interval.from;
  const values = hourlyValues(points, interval);
  const y = scaleLinear(domainOf(points), [CHART_HEIGHT, 0]).nice(4);
  const x = (index: number): number => ((index + 0.5) / hours) * CURVE_WIDTH;
  const isAvailable = (value: number): boolean => !Number.isNaN(value);
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
        .defined(isAvailable)
        .digits(1)(values) ?? '',
    area:
      area<number>(
        (_, index) => x(index),
        bottom,
        (value) => y(value),
      )
        .defined(isAvailable)
        .digits(1)(values) ?? '',
    rules: y.ticks(4).map((value) => ({ y: y(value).toFixed(1), label: format.number(value) })),
    ticks: ticksOf(interval, format),
    gaps: gapsOf(values).map(({ start, end }) => ({
      x: percent(start / hours),
      width: percent((end - start) / hours),
    })),
    bands: bandsOf(y, scale),
  };
}

/** A value for each hour of the interval, NaN where there is none. */
function hourlyValues(
  points: readonly HourlyValue[],
  { from, to }: HourInterval,
): readonly number[] {
  const values = new Array<number>(to - from).fill(NaN);
  for (const { hour, value } of points) values[hour - from] = clampForScale(value);
  return values;
}

/** Range of the vertical axis: from zero, unless most of the chart would be empty or some value is negative. */
function domainOf(points: readonly HourlyValue[]): readonly [number, number] {
  const values = points.map(({ value }) => clampForScale(value));
  const lowest = Math.min(...values);
  const highest = Math.max(...values);
  const start = lowest >= 0 && lowest < highest * 0.6 ? 0 : lowest;
  // A constant value is shown in the middle.
  return isFlat(start, highest) ? [start - 1, highest + 1] : [start, highest];
}

/** Hours without a value, `[start, end)`, counted from the start of the interval. */
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
    return bottom - top < BAND_HEIGHT_MIN
      ? []
      : [{ y: top.toFixed(1), height: (bottom - top).toFixed(1), color }];
  });
}

/** Distance of ticks and of major ticks, by the length of the interval. */
const TICK_DISTANCES = [
  { upToHours: 24, everyHours: 3, majorHours: 6 },
  { upToHours: 7 * 24, everyDays: 1, majorDays: 2 },
  { upToHours: 14 * 24, everyDays: 2, majorDays: 4 },
  { upToHours: Infinity, everyDays: 3, majorDays: 6 },
] as const;

/** Ticks at full hours or days of the page's time zone. */
function ticksOf(
  { from, to }: HourInterval,
  { local, clock, day, dayOfYear }: Formatters,
): Chart['ticks'] {
  const hours = to - from;
  const distance = TICK_DISTANCES.find(({ upToHours }) => hours <= upToHours);
  if (distance === undefined) return [];
  const all = Array.from({ length: hours }, (_, index) => ({
    hour: from + index,
    ...local(from + index),
  }));
  const at = (hour: number, label: string, isMajor: boolean): Chart['ticks'][number] => ({
    x: percent((hour - from) / hours),
    label,
    iso: isoMinute(hour * HOUR_MS),
    isMajor,
  });
  if ('everyHours' in distance) {
    if (hours < distance.everyHours) return [at(from, clock(from * HOUR_MS), true)];
    return all
      .filter(({ clockHour }) => clockHour % distance.everyHours === 0)
      .map(({ hour, clockHour }) =>
        at(hour, clock(hour * HOUR_MS), clockHour % distance.majorHours === 0),
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

/** Largest number of points of a sparkline. */
const SPARK_POINTS_MAX = 96;

export const SPARK_WIDTH = 100;
export const SPARK_HEIGHT = 32;

/** Path of a sparkline in a viewBox of `SPARK_WIDTH` by `SPARK_HEIGHT`; its points are means of equal numbers of hours. */
export function sparkline(points: readonly HourlyValue[], interval: HourInterval): string {
  if (points.length === 0) return '';
  const hours = interval.to - interval.from;
  const hoursPerPoint = Math.ceil(hours / SPARK_POINTS_MAX);
  const values = hourlyValues(points, interval);
  const means = Array.from({ length: Math.ceil(hours / hoursPerPoint) }, (_, index) =>
    mean(
      values
        .slice(index * hoursPerPoint, (index + 1) * hoursPerPoint)
        .filter((one) => !Number.isNaN(one)),
    ),
  );
  const y = scaleLinear(domainOf(points), [SPARK_HEIGHT - 2, 2]);
  const curve = line<number>(
    (_, index) => ((index + 0.5) / means.length) * SPARK_WIDTH,
    (value) => y(value),
  );
  return curve.defined((value) => !Number.isNaN(value)).digits(1)(means) ?? '';
}

/** NaN for an empty list. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
