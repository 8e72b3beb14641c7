/** Half-open UTC intervals, anchored at a snapshot's `generated_at`, and date-times of clients and answers. */
import type { Hours, SnapshotHeader, Window } from './model.js';

export const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;

/** Largest window, in days. */
export const RETENTION_DAYS = 30;

/** Base name of the files that hold all observations of a snapshot. */
export const OBSERVATIONS_FILE =
  `observations_hourly_preliminary_last${RETENTION_DAYS}days` as const;

/**
 * An hour is everywhere the time at which it starts, in hours since the epoch, UTC: `hour * HOUR_MS` is its start. In a
 * snapshot with an `hourMinute` it is no whole number, but a quarter, a half or three quarters more (exact in binary);
 * files store the whole part.
 */
export type HourGrid = Pick<SnapshotHeader, 'generatedAtMs' | 'hourMinute'>;

/** How much later than the whole hours the hours of a snapshot start, in hours: 0, 0.25, 0.5 or 0.75. */
export function hourShift({ hourMinute = 0 }: Pick<HourGrid, 'hourMinute'>): number {
  return hourMinute / 60;
}

/** The first hour of a snapshot that starts at this time or later. */
export function hourFrom(epochMs: number, grid: HourGrid): number {
  const shift = hourShift(grid);
  return Math.ceil(epochMs / HOUR_MS - shift) + shift;
}

/** The whole parts of hours, as files store them. */
export function wholeHours(hours: Hours): Int32Array {
  return hours instanceof Int32Array ? hours : Int32Array.from(hours, Math.floor);
}

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
 * The hours `t` with `generated_at - days x 24 h <= t < generated_at` (`docs/http-api/requests.md, "Windows"`). `1h`,
 * the last hour of `1d` that has data, is no such interval.
 */
export function windowHours(window: Exclude<Window, '1h'>, grid: HourGrid): HourInterval {
  const to = hourFrom(grid.generatedAtMs, grid);
  return { from: to - DAYS[window] * DAY_HOURS, to };
}

/** Start of the retention window in epoch milliseconds, rounded up to a whole second. */
export function retentionFromMs(generatedAtMs: number): number {
  return Math.ceil(generatedAtMs / 1000) * 1000 - RETENTION_DAYS * DAY_HOURS * HOUR_MS;
}

export function retainedHours(grid: HourGrid): HourInterval {
  return windowHours('30d', grid);
}

/** `YYYY-MM-DD` of an hour since the epoch, UTC. */
export function dateOfHour(hour: number): string {
  return new Date(hour * HOUR_MS).toISOString().slice(0, 10);
}

/** `HH:MM` of an hour since the epoch, UTC. */
export function timeOfHour(hour: number): string {
  return new Date(hour * HOUR_MS).toISOString().slice(11, 16);
}

/** `YYYY-MM-DDTHH:MM:SSZ` of epoch milliseconds (`docs/http-api/requests.md, "Date-times"`). */
export function utcDateTime(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}

/** A date, or a date-time to minutes or finer, with `Z`, an offset or none (UTC); a blank is an unescaped `+`. */
export const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(Z|z|[+\- ]\d\d(?::?\d\d)?)?)?$/;

/** The usual form: a date-time to seconds or milliseconds, in UTC. */
const PLAIN_DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/;

const MINUTE_MS = 60_000;

/** 0000-01-01T00:00:00Z and 9999-12-31T23:59:59.999Z: the range of four-digit years. */
const EARLIEST_MS = -62_167_219_200_000;
const LATEST_MS = 253_402_300_799_999;

/**
 * Epoch milliseconds, UTC, of a date or date-time; undefined for malformed text and times that do not exist.
 * Rounded up: rows at whole milliseconds then compare as with the exact time.
 */
export function parseDateTime(text: string): number | undefined {
  // Fast path for the usual form, three times as fast.
  const plain = PLAIN_DATE_TIME.test(text) ? Date.parse(text) : NaN;
  if (new Date(plain).getUTCDate() === Number(text.slice(8, 10))) return plain;
  const match = DATE_TIME.exec(text.trim());
  if (match === null) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone] =
    match;
  const offsetMs = parseOffset(zone);
  if (offsetMs === undefined) return undefined;
  // 24:00 and leap seconds (ISO 8601) are the beginning of the next day or minute.
  const endsDay = hour === '24' && /^0*$/.test(minute + second + fraction);
  const leapSecond = second === '60' && minute === '59';
  const date = `${year ?? ''}-${month ?? ''}-${day ?? ''}`;
  const time = `${endsDay ? '00' : hour}:${minute}:${leapSecond ? '59' : second}`;
  const epochMs = Date.parse(`${date}T${time}Z`);
  // `Date` reads days beyond a month's end as days of the next month.
  if (Number.isNaN(epochMs) || new Date(epochMs).getUTCDate() !== Number(day)) return undefined;
  const fractionMs = leapSecond ? 1000 : millisecondsOf(fraction);
  const utcMs = epochMs + fractionMs + (endsDay ? 24 * 60 * MINUTE_MS : 0) - offsetMs;
  return utcMs >= EARLIEST_MS && utcMs <= LATEST_MS ? utcMs : undefined;
}

/** Milliseconds of the decimal digits of a second, in any number, rounded up. */
function millisecondsOf(fraction: string): number {
  const rest = /[1-9]/.test(fraction.slice(3)) ? 1 : 0;
  return Number(fraction.slice(0, 3).padEnd(3, '0')) + rest;
}

function parseOffset(zone: string | undefined): number | undefined {
  if (zone === undefined || zone === 'Z' || zone === 'z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', ''));
  if (hours > 23 || minutes > 59) return undefined;
  const sign = zone.startsWith('-') ? -1 : 1;
  return sign * (hours * 60 + minutes) * MINUTE_MS;
}
