/** Values as scales can take them: documents may hold any number, and scales overflow at the ends of what there is. */

const LARGEST = 1e12;
const SMALLEST = 1e-9;

/** What is beyond is drawn at the edge; what is next to nothing, as nothing. */
export function drawn(value: number): number {
  if (Math.abs(value) < SMALLEST) return 0;
  return Math.min(Math.max(value, -LARGEST), LARGEST);
}

/** Whether two drawn values are too close for a scale between them. */
export function isFlat(lowest: number, highest: number): boolean {
  return highest - lowest < SMALLEST;
}
