/** Small charts without axes. */
import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import type { HourInterval } from '../../../../snapshot/domain/windows.js';
import type { HourlyValue } from '../portal-model.js';
import { FULL_CIRCLE, normalizeDirection } from './direction.js';
import { meanOf } from '../../../../snapshot/domain/days.js';
import { domainOf, hourlyValues } from './hourly.js';

const SPARK_POINTS_MAX = 96;

export const SPARK_WIDTH = 100;
export const SPARK_HEIGHT = 32;

/** Path in a viewBox of `SPARK_WIDTH` by `SPARK_HEIGHT`; points are means of equal numbers of hours. */
export function sparkline(points: readonly HourlyValue[], interval: HourInterval): string {
  if (points.length === 0) return '';
  const means = inGroups(points, interval, meanOf);
  const y = scaleLinear(domainOf(points.map(({ value }) => value)), [SPARK_HEIGHT - 2, 2]);
  const curve = line<number>(
    (_, index) => ((index + 0.5) / means.length) * SPARK_WIDTH,
    (value) => y(value),
  );
  return curve.defined((value) => !Number.isNaN(value)).digits(1)(means) ?? '';
}

/** Path of a direction's dots: the first value of each group of hours; north is both at the bottom and at the top. */
export function sparkDots(points: readonly HourlyValue[], interval: HourInterval): string {
  const firsts = inGroups(points, interval, ([first = NaN]) => first);
  return firsts
    .map((value, index) => {
      if (Number.isNaN(value)) return '';
      const x = ((index + 0.5) / firsts.length) * SPARK_WIDTH;
      const share = normalizeDirection(value) / FULL_CIRCLE;
      const y = SPARK_HEIGHT - 2 - share * (SPARK_HEIGHT - 4);
      return `M${x.toFixed(1)},${y.toFixed(1)}h0`;
    })
    .join('');
}

/** One number for each group of hours; NaN without a value. */
function inGroups(
  points: readonly HourlyValue[],
  interval: HourInterval,
  numberOf: (values: readonly number[]) => number,
): readonly number[] {
  const hours = interval.to - interval.from;
  const hoursPerGroup = Math.ceil(hours / SPARK_POINTS_MAX);
  const values = hourlyValues(points, interval);
  return Array.from({ length: Math.ceil(hours / hoursPerGroup) }, (_, index) =>
    numberOf(
      values
        .slice(index * hoursPerGroup, (index + 1) * hoursPerGroup)
        .filter((one) => !Number.isNaN(one)),
    ),
  );
}
