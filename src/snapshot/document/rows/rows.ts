/** The tokens of `measurements` → columns, without an object a row: a document has a hundred thousand rows or a million. */
import { Columns } from './columns.js';
import { DAY_HOURS, parseDay, parseHourOfDay } from './dates.js';
import { memberPath, unexpected, type Problems } from '../problems.js';
import {
  ADDITIONAL,
  COMPONENT,
  DATE,
  memberBit,
  memberName,
  NAMES,
  PUBLISHED,
  STATION,
  TIME,
  UPDATED,
  VALUE,
  WHOLE,
} from './row-members.js';
import { RowText } from './row-text.js';
import { RowTimes } from './row-times.js';
import { skipped, type Sink } from '../json/sinks.js';
import { tokenValue, type Token } from '../json/tokens.js';

/** Rows of one document; the largest networks that we know of have a million. */
const MAX_ROWS = 50_000_000;

/** (station, component) pairs of one document: each takes a hundred bytes or more. */
const MAX_SERIES = 1_000_000;

/** Members of one row, those that are ignored included. */
const MAX_ROW_MEMBERS = 1000;

/** Takes the tokens inside the array `measurements`, one by one. Additional members of a row are ignored. */
export class Rows {
  readonly columns = new Columns();
  readonly times: RowTimes;
  readonly #problems: Problems;
  readonly #text = new RowText();
  #ended = false;
  #state: 'between' | 'in-row' | 'at-value' = 'between';
  /** Takes the tokens of a container that has no place in a row, or in place of one. */
  #skipped: Sink | undefined;
  #member = ADDITIONAL;
  #seen = 0;
  #good = 0;
  #additional: Set<string> | undefined;
  #stationId = 0;
  #componentId = 0;
  #day = 0;
  #hourOfDay = 0;
  #value = 0;

  constructor(problems: Problems) {
    this.#problems = problems;
    this.times = new RowTimes(problems);
  }

  /** How many elements the array has; `undefined` where there is no such array. */
  get length(): number | undefined {
    return this.#ended ? this.columns.length : undefined;
  }

  /** True with the token that ends the array. */
  take(token: Token): boolean {
    if (this.#skipped !== undefined) {
      if (this.#skipped.take(token)) this.#skipped = undefined;
      return false;
    }
    switch (this.#state) {
      case 'at-value':
        this.#takeValue(token);
        return false;
      case 'in-row':
        if (token.name === 'keyValue') this.#takeName(token.value);
        else this.#endRow();
        return false;
      case 'between':
        return this.#takeElement(token);
    }
  }

  /** Takes the rows that the text begins with, as far as they are plain ones without a mistake; how many characters. */
  takeText(text: string): number {
    if (this.#state !== 'between' || this.#skipped !== undefined) return 0;
    let taken = 0;
    while (this.columns.length < MAX_ROWS) {
      const end = this.#text.read(text, taken);
      if (end === undefined) break;
      const { stationId, componentId, hour, value, publishedAt, updatedAt } = this.#text;
      this.times.take('published_at_utc', publishedAt, this.columns.length);
      this.times.take('updated_at_utc', updatedAt, this.columns.length);
      this.times.endRow(this.columns.length);
      this.#add(stationId, componentId, hour, value);
      taken = end;
    }
    return taken;
  }

  /** The path of what comes next. */
  here(): string {
    return this.#state === 'at-value' && this.#member !== ADDITIONAL
      ? memberPath(this.#row(), memberName(this.#member))
      : this.#row();
  }

  /** The path of the row that is being read, or comes next. */
  #row(): string {
    return `measurements[${this.columns.length}]`;
  }

  #takeElement(token: Token): boolean {
    if (token.name === 'endArray') {
      this.#ended = true;
      return true;
    }
    if (this.columns.length === MAX_ROWS) {
      this.#problems.fail('measurements', `more than ${MAX_ROWS} rows`);
    }
    if (token.name === 'startObject') {
      this.#state = 'in-row';
      this.#seen = 0;
      this.#good = 0;
      this.#additional = undefined;
      return false;
    }
    this.#problems.add(this.#row(), unexpected('an object', tokenValue(token)));
    this.columns.addUnreadable();
    this.#skip(token);
    return false;
  }

  #takeName(name: string): void {
    const member = memberBit(name);
    this.#member = member;
    this.#state = 'at-value';
    if (member === ADDITIONAL) this.#takeAdditional(name);
    else if ((this.#seen & member) === 0) this.#seen |= member;
    else this.#repeats(name);
  }

  #takeAdditional(name: string): void {
    this.#additional ??= new Set();
    if (this.#additional.has(name)) this.#repeats(name);
    else this.#additional.add(name);
    if (this.#additional.size > MAX_ROW_MEMBERS) {
      this.#problems.fail(this.#row(), `more than ${MAX_ROW_MEMBERS} members`);
    }
  }

  #repeats(name: string): void {
    this.#problems.add(memberPath(this.#row(), name), 'repeated member');
  }

  #takeValue(token: Token): void {
    this.#state = 'in-row';
    const member = this.#member;
    if (member === PUBLISHED) this.times.take('published_at_utc', token, this.columns.length);
    else if (member === UPDATED) this.times.take('updated_at_utc', token, this.columns.length);
    else if (member !== ADDITIONAL) {
      if (this.#read(member, token)) this.#good |= member;
      else this.#refuse(member, token);
    }
    this.#skip(token);
  }

  /** Reads one of the first five members; false when it is not what it should be. */
  #read(member: number, token: Token): boolean {
    if (token.name === 'numberValue') {
      const number = Number(token.value);
      if (member === VALUE) this.#value = number;
      else if (member === STATION) this.#stationId = number;
      else if (member === COMPONENT) this.#componentId = number;
      else return false;
      return member === VALUE ? Number.isFinite(number) : isId(number);
    }
    if (token.name === 'stringValue') {
      if (member === DATE) {
        const day = parseDay(token.value);
        this.#day = day ?? 0;
        return day !== undefined;
      }
      if (member === TIME) {
        const hour = parseHourOfDay(token.value);
        this.#hourOfDay = hour ?? 0;
        return hour !== undefined;
      }
      return false;
    }
    this.#value = Number.NaN;
    return token.name === 'nullValue' && member === VALUE;
  }

  #refuse(member: number, token: Token): void {
    const path = memberPath(this.#row(), memberName(member));
    if (token.name === 'numberValue') {
      // As it is written: as a number, 1e400 would be Infinity.
      this.#problems.add(path, `expected ${expectation(member)}, got ${token.value.slice(0, 40)}`);
    } else this.#problems.add(path, unexpected(expectation(member), tokenValue(token)));
  }

  #endRow(): void {
    this.#state = 'between';
    this.times.endRow(this.columns.length);
    for (const [bit, name] of NAMES) {
      if ((WHOLE & bit & ~this.#seen) !== 0) {
        this.#problems.add(memberPath(this.#row(), name), 'missing');
      }
    }
    if (this.#good !== WHOLE) {
      this.columns.addUnreadable();
      return;
    }
    // Adding 0 makes an id of -0 the 0 that it is.
    const hour = this.#day * DAY_HOURS + this.#hourOfDay;
    this.#add(this.#stationId + 0, this.#componentId + 0, hour, this.#value);
  }

  #add(stationId: number, componentId: number, hour: number, value: number): void {
    this.columns.add(stationId, componentId, hour, value);
    if (this.columns.pairs().length > MAX_SERIES) {
      this.#problems.fail('measurements', `more than ${MAX_SERIES} series`);
    }
  }

  /** Skips the container that a token opens, if it opens one. */
  #skip(token: Token): void {
    if (token.name !== 'startObject' && token.name !== 'startArray') return;
    const sink = skipped(this.#row(), this.#problems);
    sink.take(token);
    this.#skipped = sink;
  }
}

function isId(number: number): boolean {
  return Number.isSafeInteger(number) && number >= 0;
}

function expectation(member: number): string {
  switch (member) {
    case DATE:
      return 'a date YYYY-MM-DD';
    case TIME:
      return 'a full hour HH:00';
    case VALUE:
      return 'a number or null';
    default:
      return 'an integer from 0 to 9007199254740991';
  }
}
