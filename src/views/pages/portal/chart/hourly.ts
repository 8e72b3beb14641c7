/** Values by the hours of an interval, as charts draw them. */
import type { HourInterval } from '../../../../snapshot/domain/windows.js';
import type { HourlyValue } from '../portal-model.js';

/** A value for each hour of the interval, NaN for a missing one. */
export function hourlyValues(
  points: readonly HourlyValue[],
  { from, to }: HourInterval,
): readonly number[] {
  const values = new Array<number>(to - from).fill(NaN);
  for (const { hour, value } of points) values[hour - from] = clampForScale(value);
  return values;
}

/** Range of the vertical axis: from zero, unless most of the chart would be empty or a value is negative. */
export function domainOf(all: readonly number[]): readonly [number, number] {
  const values = all.map(clampForScale);
  const lowest = Math.min(...values);
  const highest = Math.max(...values);
  const start = lowest >= 0 && lowest < highest * 0.6 ? 0 : lowest;
  // A constant value is shown in the middle.
  return isFlat(start, highest) ? [start - 1, highest + 1] : [start, highest];
}

/** Limits for scales, which overflow near the largest numbers. */
const LARGEST = 1e12;
const SMALLEST = 1e-9;

/** Limits a value for scales; a tiny value becomes zero. */
export function clampForScale(value: number): number {
  if (Math.abs(value) < SMALLEST) return 0;
  return Math.min(Math.max(value, -LARGEST), LARGEST);
}

/** Whether two clamped values are too close for a scale. */
export function isFlat(lowest: number, highest: number): boolean {
  return highest - lowest < SMALLEST;
}
