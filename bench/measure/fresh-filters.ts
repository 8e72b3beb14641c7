/** Filters that nobody has asked for before, as clients send them that ask for "the last so many hours" of their clock. */

export const FRESH_WINDOWS = ['1d', '30d'] as const;
export type FreshWindow = (typeof FRESH_WINDOWS)[number];

export interface FreshFilters {
  /** The series that are asked for, each as a query of the high-value-dataset API. */
  readonly series: readonly string[];
  /** Epoch milliseconds of the snapshot, the end of the data. */
  readonly generatedAtMs: number;
  /** A day anywhere in the data, or from somewhere in their first hour on. */
  readonly window: FreshWindow;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const RETENTION_MS = 30 * DAY_MS;

export const FRESH_PATH = '/api/v1/observations';

/** Where a window may begin, in epoch milliseconds, and its length; undefined where it has no end of its own. */
export function freshWindow(
  generatedAtMs: number,
  window: FreshWindow,
): {
  readonly oldestMs: number;
  readonly spreadMs: number;
  readonly lengthMs: number | undefined;
} {
  const isDay = window === '1d';
  return {
    oldestMs: generatedAtMs - RETENTION_MS,
    spreadMs: isDay ? RETENTION_MS - DAY_MS : HOUR_MS,
    lengthMs: isDay ? DAY_MS : undefined,
  };
}

/** A request target: a random series from a random millisecond on, so that hardly any is ever asked for twice. */
export function freshPath({ series, generatedAtMs, window }: FreshFilters): string {
  const one = series[Math.floor(Math.random() * series.length)] ?? '';
  const { oldestMs, spreadMs, lengthMs } = freshWindow(generatedAtMs, window);
  const fromMs = oldestMs + Math.floor(Math.random() * spreadMs);
  const to = lengthMs === undefined ? '' : `&to=${new Date(fromMs + lengthMs).toISOString()}`;
  return `${FRESH_PATH}?${one}&from=${new Date(fromMs).toISOString()}${to}`;
}
