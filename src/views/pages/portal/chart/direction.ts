/** Wind directions: degrees on a circle, which have no mean, no extremes, and no line in a chart. */
import type { Messages } from '../../../../texts/fluent-messages.js';
import type { HourlyValue } from '../portal-model.js';

export const FULL_CIRCLE = 360;
const SECTORS = 8;

/** Degrees from 0 to 360; both ends are north, and 360 stays 360. */
export function normalizeDirection(degrees: number): number {
  const remainder = degrees % FULL_CIRCLE;
  if (remainder === 0) return degrees === 0 ? 0 : FULL_CIRCLE;
  return remainder < 0 ? remainder + FULL_CIRCLE : remainder;
}

/** The nearest of the eight compass points, clockwise from 0 for north. */
export function sectorOf(degrees: number): number {
  return Math.round((normalizeDirection(degrees) / FULL_CIRCLE) * SECTORS) % SECTORS;
}

/** Clockwise turn of an upward arrow, in degrees: a direction is where the wind comes from, the arrow where it goes. */
export function arrowTurn(degrees: number): string {
  return ((normalizeDirection(degrees) + FULL_CIRCLE / 2) % FULL_CIRCLE).toFixed(0);
}

/** The most frequent compass points, such as `N / SE`, and the share of hours of each; undefined without hours. */
export function prevailingDirection(
  points: readonly Pick<HourlyValue, 'value'>[],
  compass: readonly string[],
): { readonly point: string; readonly share: number } | undefined {
  if (points.length === 0) return undefined;
  const counts = new Array<number>(SECTORS).fill(0);
  for (const { value } of points) {
    const sector = sectorOf(value);
    counts[sector] = (counts[sector] ?? 0) + 1;
  }
  const highest = Math.max(...counts);
  const names = compass.filter((_, sector) => counts[sector] === highest);
  return { point: names.join(' / '), share: highest / points.length };
}

/** Names of the eight compass points from north, clockwise by 45 degrees. */
export function compassOf(texts: Messages): readonly string[] {
  return Array.from({ length: SECTORS }, (_, sector) =>
    texts(`compass-${sector * (FULL_CIRCLE / SECTORS)}`),
  );
}
