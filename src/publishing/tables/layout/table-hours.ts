/** Times as agencies write them → hours of UTC: one, the two that a local time can mean, or the reason for none. */
import { HOUR_MS } from '../../../snapshot/domain/windows.js';
import { unexpected } from '../../../snapshot/document/problems.js';
import { DAY_HOURS, parseDay } from '../../../snapshot/document/rows/dates.js';
import { TimeZone } from './time-zone.js';
import type { DateOrder, HourMarks, TableLayout } from './table-layout.js';

/** Hours are those since the epoch at which the hour starts. */
export type TableHour =
  | { readonly kind: 'hour'; readonly hour: number }
  /** Clocks were put back over this local time: `first` is the earlier one. */
  | { readonly kind: 'ambiguous'; readonly first: number; readonly second: number }
  | { readonly kind: 'refused'; readonly message: string };

/** `2026-02-08`, `2026/2/8`, `20260208`; `08.02.2026.`, and with an order `08/02/2026`, `8-2-26`. */
const DATE =
  /^(?:(\d{4})([-/.])(\d{1,2})\2(\d{1,2})|(\d{4})(\d{2})(\d{2})|(\d{1,2})([./-])(\d{1,2})\9(\d{4}|\d{2})\.?)(?:[ T]00:00(?::00(?:\.0{1,9})?)?)?$/;
const HOUR =
  /^(\d{1,2})(?:[:.](\d{2})(?::(\d{2})(?:\.0{1,9})?)?)?(?: ?(Z|[+-]\d{2}(?::?\d{2})?))?$/;
/** A date, and the time after it. */
const BOTH = /^(\d{8}|[^ T]+)[T ]\s*(.+)$/;
/** `2026020823` and `202602082300` */
const COMPACT = /^(\d{8})(\d{2})(\d{2})?$/;

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
  readonly #dateOrder: DateOrder | undefined;
  readonly #remembered = new Map<string, TableHour>();

  constructor({
    timeZone,
    hourMarks,
    dateOrder,
  }: Pick<TableLayout, 'timeZone' | 'hourMarks' | 'dateOrder'>) {
    this.#zoneName = timeZone ?? '';
    this.#zone = timeZone === undefined ? undefined : new TimeZone(timeZone);
    this.#marks = hourMarks;
    this.#dateOrder = dateOrder;
  }

  /**
   * The hour that a cell names, or two: `hour` then names that of a day, 1 to 24 where hours are marked by their end,
   * else 0 to 23.
   */
  parse(cell: string, hour?: string): TableHour {
    const key = hour === undefined ? cell : `${cell} ${hour}`;
    const known = this.#remembered.get(key);
    if (known !== undefined) return known;
    const found = this.#parse(cell, hour);
    if (this.#remembered.size === MAX_REMEMBERED) this.#remembered.clear();
    this.#remembered.set(key, found);
    return found;
  }

  #parse(date: string, hour: string | undefined): TableHour {
    const cell = hour === undefined ? date : `${date} ${hour}`;
    if (hour !== undefined && this.#marks === 'end' && /^0{1,2}(?:[:.]00)*$/.test(hour.trim())) {
      return refused(unexpected('an hour from 1 to 24, as hours are marked by their end', hour));
    }
    const found = this.#written(date.trim(), hour?.trim());
    if (typeof found === 'string') return refused(unexpected(found, cell));
    // The last of 24 hours is that between 23 and 24 o'clock, whatever the clocks do at its end.
    const isNumbered = hour !== undefined && this.#marks === 'end';
    const written = isNumbered ? { ...found, localMs: found.localMs - HOUR_MS } : found;
    const instants = this.#instants(written, cell);
    if (!Array.isArray(instants)) return refused(instants);
    // Where clocks change by half an hour, only one of two instants can begin an hour of UTC.
    const [first, second] = instants.filter((epochMs) => epochMs % HOUR_MS === 0);
    if (first === undefined) {
      return refused(unexpected('a time that is a whole hour in UTC', cell));
    }
    const isEnd = this.#marks === 'end' && !isNumbered;
    const start = (epochMs: number) => epochMs / HOUR_MS - (isEnd ? 1 : 0);
    return second === undefined
      ? { kind: 'hour', hour: start(first) }
      : { kind: 'ambiguous', first: start(first), second: start(second) };
  }

  /** A time as it is written, or what was expected. */
  #written(cell: string, hourCell: string | undefined): WrittenTime | string {
    const [, date = cell, time = '', minutesOfTime = '00'] =
      hourCell === undefined ? (COMPACT.exec(cell) ?? BOTH.exec(cell) ?? []) : [];
    const text = hourCell ?? (COMPACT.test(cell) ? `${time}:${minutesOfTime}` : time);
    const [, hours = '', minutes = '0', seconds = '0', offset] = HOUR.exec(text) ?? [];
    const day = this.#day(date);
    if (typeof day === 'string') return day;
    const offsetMs = offset === undefined ? undefined : parseOffset(offset);
    if (day === undefined || hours === '' || Number.isNaN(offsetMs)) return EXPECTED;
    if (Number(minutes) > 59 || Number(seconds) > 59) return EXPECTED;
    const sinceMidnight =
      Number(hours) * HOUR_MS + Number(minutes) * 60_000 + Number(seconds) * 1000;
    // The last hour of a day may be said to end at 24:00 (ISO 8601-1:2019/Amd 1).
    const lastMs = DAY_HOURS * HOUR_MS - (this.#marks === 'end' ? 0 : 1);
    if (sinceMidnight > lastMs) return EXPECTED;
    return { localMs: day * DAY_HOURS * HOUR_MS + sinceMidnight, offsetMs };
  }

  /** Days since the epoch; undefined for what is no date, and what was expected where only an order is missing. */
  #day(text: string): number | string | undefined {
    const parts = DATE.exec(text);
    if (parts === null) return undefined;
    const [, year, , month, day, compactYear, compactMonth, compactDay] = parts;
    const [first, mark, second, last = ''] = parts.slice(8);
    if (first === undefined) {
      return dayOf(year ?? compactYear, month ?? compactMonth, day ?? compactDay);
    }
    const order = this.#dateOrder ?? (mark === '.' ? 'day-first' : undefined);
    if (order === undefined) return 'a date whose order is said (--dates day-first or month-first)';
    const fullYear = last.length === 2 ? `20${last}` : last;
    return order === 'day-first' ? dayOf(fullYear, second, first) : dayOf(fullYear, first, second);
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

function dayOf(year = '', month = '', day = ''): number | undefined {
  return parseDay([year, month.padStart(2, '0'), day.padStart(2, '0')].join('-'));
}

function refused(message: string): TableHour {
  return { kind: 'refused', message };
}

/** Milliseconds ahead of UTC of `Z`, `+01`, `+0100` or `+01:00`; not a number where there is no such offset. */
function parseOffset(text: string): number {
  if (text === 'Z') return 0;
  const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(3).replace(':', ''))];
  if (hours > 23 || minutes > 59) return NaN;
  const offset = hours * HOUR_MS + minutes * 60_000;
  return text.startsWith('-') ? -offset : offset;
}
