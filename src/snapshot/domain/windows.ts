/** Half-open UTC intervals, anchored at a snapshot's `generated_at`; and UTC date-times as text. */
import type { Window } from './model.js';

export const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;

/** Days of data that are served at the most. */
export const RETENTION_DAYS = 30;

/** Base name of the files that hold all observations of a snapshot. */
export const OBSERVATIONS_FILE =
  `observations_hourly_preliminary_last${RETENTION_DAYS}days` as const;

/** `[from, to)` in hours since the epoch, UTC. */
export interface HourInterval {
  readonly from: number;
  readonly to: number;
}

const DAYS: Readonly<Record<Exclude<Window, '1h'>, number>> = {
  '1d': 1,
  '7d': 7,
  '14d': 14,
  '30d': RETENTION_DAYS,
};

/**
 * The hours `t` with `generated_at - days x 24 h <= t < generated_at` (`docs/http-api.md, "Windows"`).
 *
 * `1h` is no interval of its own: it is the last hour of `1d` that has data.
 */
export function windowHours(window: Exclude<Window, '1h'>, generatedAtMs: number): HourInterval {
  const to = Math.ceil(generatedAtMs / HOUR_MS);
  return { from: to - DAYS[window] * DAY_HOURS, to };
}

/** `YYYY-MM-DD` of an hour since the epoch, UTC. */
export function dateOfHour(hour: number): string {
  return new Date(hour * HOUR_MS).toISOString().slice(0, 10);
}

/** `HH:MM` of an hour since the epoch, UTC. */
export function timeOfHour(hour: number): string {
  return `${String(hour % DAY_HOURS).padStart(2, '0')}:00`;
}

/** `YYYY-MM-DDTHH:MM:SSZ` of epoch milliseconds (`docs/http-api.md, "Date-times"`). */
export function utcDateTime(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}
