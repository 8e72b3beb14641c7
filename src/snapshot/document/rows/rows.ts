/** Reads the elements of `measurements`, a hundred thousand or a million, into columns. */
import type { JsonValue } from '../../domain/model.js';
import type { Elements } from '../json/object-reader.js';
import {
  DAY,
  HOUR_OF_DAY,
  ID,
  isJsonObject,
  NUMBER_OR_NULL,
  type JsonObject,
  type MemberType,
} from '../member-types.js';
import { memberPath, unexpected, type Problems } from '../problems.js';
import { Columns } from './columns.js';
import { DAY_HOURS } from './dates.js';
import { RowTimes } from './row-times.js';

/** The largest known networks have a million rows. */
const MAX_ROWS = 50_000_000;

/** Limit of (station, component) pairs: each takes a hundred bytes or more. */
const MAX_SERIES = 1_000_000;

const MEMBERS: ReadonlyMap<string, MemberType<number>> = new Map([
  ['station_id', ID],
  ['component_id', ID],
  ['date', DAY],
  ['time', HOUR_OF_DAY],
  ['value', NUMBER_OR_NULL],
]);

/** Takes rows one by one; ignores additional members. */
export class RowReader implements Elements {
  readonly columns = new Columns();
  readonly times: RowTimes;
  readonly #problems: Problems;
  #ended = false;
  // Caches the last date: most rows repeat it.
  #lastDate: JsonValue | undefined;
  #lastDay: number | undefined;

  constructor(problems: Problems) {
    this.#problems = problems;
    this.times = new RowTimes(problems);
  }

  /** Number of elements; undefined if the array is missing. */
  get length(): number | undefined {
    return this.#ended ? this.size : undefined;
  }

  get size(): number {
    return this.columns.length;
  }

  add(row: JsonValue): void {
    const number = this.size;
    if (number === MAX_ROWS) this.#problems.fail('measurements', `more than ${MAX_ROWS} rows`);
    if (!isJsonObject(row)) {
      this.#problems.add(`measurements[${number}]`, unexpected('an object', row));
      this.columns.addUnreadable();
      return;
    }
    this.#addMembers(row);
    this.times.take(row, number);
  }

  end(): void {
    this.#ended = true;
  }

  #addMembers(row: JsonObject): void {
    const stationId = ID.parse(row['station_id']);
    const componentId = ID.parse(row['component_id']);
    const day = this.#dayOf(row['date']);
    const hourOfDay = HOUR_OF_DAY.parse(row['time']);
    const value = NUMBER_OR_NULL.parse(row['value']);
    if (
      stationId === undefined ||
      componentId === undefined ||
      day === undefined ||
      hourOfDay === undefined ||
      value === undefined
    ) {
      this.#refuse(row);
      this.columns.addUnreadable();
      return;
    }
    this.columns.add(stationId, componentId, day * DAY_HOURS + hourOfDay, value);
    if (this.columns.pairs().length > MAX_SERIES) {
      this.#problems.fail('measurements', `more than ${MAX_SERIES} series`);
    }
  }

  #dayOf(date: JsonValue | undefined): number | undefined {
    if (date !== this.#lastDate) {
      this.#lastDate = date;
      this.#lastDay = DAY.parse(date);
    }
    return this.#lastDay;
  }

  /** Notes wrong members of a row, then missing ones. */
  #refuse(row: JsonObject): void {
    const path = `measurements[${this.size}]`;
    for (const [name, value] of Object.entries(row)) {
      const type = MEMBERS.get(name);
      if (type === undefined || type.parse(value) !== undefined) continue;
      this.#problems.add(memberPath(path, name), unexpected(type.expected, value));
    }
    for (const name of MEMBERS.keys()) {
      if (!Object.hasOwn(row, name)) this.#problems.add(memberPath(path, name), 'missing');
    }
  }
}
