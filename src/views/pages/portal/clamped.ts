/** Limits values for scales: documents may contain any number, and scales overflow near the largest ones. */

const LARGEST = 1e12;
const SMALLEST = 1e-9;

/** A value beyond the limit is shown at the limit, a value close to zero as zero. */
export function clampForScale(value: number): number {
  if (Math.abs(value) < SMALLEST) return 0;
  return Math.min(Math.max(value, -LARGEST), LARGEST);
}

/** Whether two clamped values are too close for a scale between them. */
export function isFlat(lowest: number, highest: number): boolean {
  return highest - lowest < SMALLEST;
}
