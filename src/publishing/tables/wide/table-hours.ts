/** Times as agencies write them → hours of UTC: one, the two that a local time can mean, or the reason for none. */
import { HOUR_MS } from '../../../snapshot/domain/windows.js';
import { unexpected } from '../../../snapshot/document/problems.js';
import { DAY_HOURS, parseDay } from '../../../snapshot/document/rows/dates.js';
import { TimeZone } from './time-zone.js';
import type { HourMarks } from './wide-layout.js';

/** Hours are those since the epoch at which the hour starts. */
export type TableHour =
  | { readonly kind: 'hour'; readonly hour: number }
  /** Clocks were put back over this local time: `first` is the earlier one. */
  | { readonly kind: 'ambiguous'; readonly first: number; readonly second: number }
  | { readonly kind: 'refused'; readonly message: string };

const TIME =
  /^(?:(\d{4})-(\d{2})-(\d{2})|(\d{2})\.(\d{2})\.(\d{4})\.?)[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.0{1,9})?)?(?: ?(Z|[+-]\d{2}(?::?\d{2})?))?$/;

const EXPECTED = 'a time such as 2026-02-08 23:00, 2026-02-08T23:00:00+01:00 or 08.02.2026 23:00';

/** Times that are remembered: a table repeats each for every station, and asking `Intl` takes 8 µs. */
const MAX_REMEMBERED = 20_000;

interface WrittenTime {
  /** As if it were UTC. */
  readonly localMs: number;
  /** `undefined` where none is written. */
  readonly offsetMs: number | undefined;
}

export class TableHours {
  readonly #zoneName: string;
  readonly #zone: TimeZone | undefined;
  readonly #marks: HourMarks;
  readonly #remembered = new Map<string, TableHour>();

  constructor({
    timeZone,
    hourMarks,
  }: {
    readonly timeZone?: string;
    readonly hourMarks: HourMarks;
  }) {
    this.#zoneName = timeZone ?? '';
    this.#zone = timeZone === undefined ? undefined : new TimeZone(timeZone);
    this.#marks = hourMarks;
  }

  /** The hour that a cell names. */
  parse(cell: string): TableHour {
    const known = this.#remembered.get(cell);
    if (known !== undefined) return known;
    const hour = this.#parse(cell);
    if (this.#remembered.size === MAX_REMEMBERED) this.#remembered.clear();
    this.#remembered.set(cell, hour);
    return hour;
  }

  #parse(cell: string): TableHour {
    const written = parseTime(cell.trim(), this.#marks);
    if (written === undefined) return refused(unexpected(EXPECTED, cell));
    const instants = this.#instants(written, cell);
    if (!Array.isArray(instants)) return refused(instants);
    // Where clocks change by half an hour, only one of two instants can begin an hour of UTC.
    const [first, second] = instants.filter((epochMs) => epochMs % HOUR_MS === 0);
    if (first === undefined) {
      return refused(unexpected('a time that is a whole hour in UTC', cell));
    }
    const start = (epochMs: number) => epochMs / HOUR_MS - (this.#marks === 'end' ? 1 : 0);
    return second === undefined
      ? { kind: 'hour', hour: start(first) }
      : { kind: 'ambiguous', first: start(first), second: start(second) };
  }

  /** The instants that a time can mean, or why there is none. */
  #instants({ localMs, offsetMs }: WrittenTime, cell: string): number[] | string {
    const zone = this.#zone;
    if (offsetMs === undefined) {
      if (zone === undefined) return `${unexpected('an offset', cell)}: say --time-zone`;
      const instants = zone.instantsOf(localMs);
      if (instants.length > 0) return [...instants];
      return `${unexpected('a time that there was', cell)}: clocks in ${this.#zoneName} were put forward over it`;
    }
    const epochMs = localMs - offsetMs;
    if (zone === undefined || zone.offsetMs(epochMs) === offsetMs) return [epochMs];
    return unexpected(`the offset of ${this.#zoneName}, or no --time-zone`, cell);
  }
}

function refused(message: string): TableHour {
  return { kind: 'refused', message };
}

function parseTime(text: string, marks: HourMarks): WrittenTime | undefined {
  const [, year, month, day, dayFirst, monthSecond, yearLast, hours = '', ...rest] =
    TIME.exec(text) ?? [];
  const [minutes = '', seconds = '0', offset] = rest;
  const date = parseDay(
    [year ?? yearLast ?? '', month ?? monthSecond ?? '', day ?? dayFirst ?? ''].join('-'),
  );
  const offsetMs = offset === undefined ? undefined : parseOffset(offset);
  if (date === undefined || Number.isNaN(offsetMs)) return undefined;
  if (Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  const sinceMidnight = Number(hours) * HOUR_MS + Number(minutes) * 60_000 + Number(seconds) * 1000;
  // The last hour of a day may be said to end at 24:00 (ISO 8601-1:2019/Amd 1).
  const lastMs = DAY_HOURS * HOUR_MS - (marks === 'end' ? 0 : 1);
  if (sinceMidnight > lastMs) return undefined;
  return { localMs: date * DAY_HOURS * HOUR_MS + sinceMidnight, offsetMs };
}

/** Milliseconds ahead of UTC of `Z`, `+01`, `+0100` or `+01:00`; not a number where there is no such offset. */
function parseOffset(text: string): number {
  if (text === 'Z') return 0;
  const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(3).replace(':', ''))];
  if (hours > 23 || minutes > 59) return NaN;
  const offset = hours * HOUR_MS + minutes * 60_000;
  return text.startsWith('-') ? -offset : offset;
}
