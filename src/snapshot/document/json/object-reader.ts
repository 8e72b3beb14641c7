/** Reads a document's object from tokens: each member is read whole, read element by element, or skipped. */
import { Assembler } from 'stream-json/core/assembler.js';
import { FORBIDDEN_FIELDS, type JsonValue } from '../../domain/model.js';
import { memberPath, unexpected, type Problems } from '../problems.js';
import { MAX_TEXT, type Token } from './tokens.js';

const VALUE_BYTES = 64;

/** Memory limit of header and lists. */
const MAX_LISTS_BYTES = 64 * 1024 * 1024;

/** Depth limit of lists and header; a document needs four. */
const MAX_DEPTH = 32;

/** Depth limit of ignored members: the parser keeps a stack. */
const MAX_IGNORED_DEPTH = 1000;

/** Depth limit of a row: more than two chunks of text can hold, since `takeText` takes rows of any depth from them. */
const MAX_ROW_DEPTH = 32 * 1024;

/** Number of last `}` of a text that are tried as the end of a row: some may end nested objects. */
const MAX_TRIES = 3;

/** Half of a surrogate pair, which JSON can escape alone (RFC 8259 §8.2). */
const HALF_PAIR = /\p{Surrogate}/u;

const FORBIDDEN: ReadonlySet<string> = new Set(FORBIDDEN_FIELDS);

export interface Elements {
  readonly size: number;
  add(element: JsonValue): void;
  end(): void;
}

/** Ways to read a member; `rows` are parsed from text where possible, and not kept. */
export type Member =
  | { readonly kind: 'value'; readonly take: (value: JsonValue) => void }
  | { readonly kind: 'list' | 'rows'; readonly elements: Elements }
  | { readonly kind: 'ignored' };

interface Assembly {
  readonly assembler: Assembler<JsonValue>;
  readonly path: string;
  readonly maxDepth: number;
}

/** A coroutine that gets one token at a time. */
type Reading<T = void> = Generator<undefined, T, Token>;

/** Reads an object member by member; the last of repeated members in a nested object counts, as with `JSON.parse`. */
export class ObjectReader {
  readonly #problems: Problems;
  readonly #memberOf: (name: string) => Member;
  readonly #reading: Reading;
  #leftBytes = MAX_LISTS_BYTES;
  #here = (): string => 'document';
  /** Receives the rows; undefined unless the next token begins a row or ends their array. */
  #rows: Elements | undefined;

  /** @param memberOf called with the name of each member at its beginning. */
  constructor(memberOf: (name: string) => Member, problems: Problems) {
    this.#memberOf = memberOf;
    this.#problems = problems;
    this.#reading = this.#object();
    this.#reading.next();
  }

  take(token: Token): void {
    this.#reading.next(token);
  }

  /** Takes the rows at the beginning of a text, each after a comma. @returns the number of characters taken. */
  takeText(text: string): number {
    const elements = this.#rows;
    let end = text.length;
    for (let tries = elements === undefined ? 0 : MAX_TRIES; tries > 0; tries -= 1) {
      end = text.lastIndexOf('}', end - 1);
      const rows = rowsOf(text.slice(0, end + 1));
      if (rows === undefined) continue;
      for (const row of rows) elements?.add(row);
      return end + 1;
    }
    return 0;
  }

  here(): string {
    return this.#here();
  }

  *#object(): Reading {
    const first = yield;
    if (first.name !== 'startObject') {
      this.#problems.fail('document', unexpected('an object', firstValue(first)));
    }
    for (let token = yield; token.name === 'keyValue'; token = yield) {
      yield* this.#member(token.value);
      this.#here = () => 'document';
    }
  }

  *#member(name: string): Reading {
    const member = this.#memberOf(name);
    this.#here = () => name;
    const first = yield;
    if (member.kind === 'ignored') yield* this.#skip(first, name);
    else if (member.kind === 'value') member.take(yield* this.#value(first, name));
    else if (first.name === 'startArray') {
      yield* this.#elements(member.elements, name, member.kind === 'rows');
    } else {
      this.#problems.add(name, unexpected('an array', firstValue(first)));
      yield* this.#skip(first, name);
    }
  }

  *#elements(elements: Elements, name: string, areRows: boolean): Reading {
    for (;;) {
      this.#here = () => `${name}[${elements.size}]`;
      if (areRows) this.#rows = elements;
      const first = yield;
      this.#rows = undefined;
      if (first.name === 'endArray') break;
      const path = this.#here();
      elements.add(yield* areRows ? this.#row(first, path) : this.#value(first, path));
    }
    elements.end();
  }

  *#value(first: Token, path: string): Reading<JsonValue> {
    const assembler: Assembler<JsonValue> = new Assembler({
      reviver: (name, value: JsonValue) => {
        this.#check(value, () => pathIn(assembler, path, name));
        return FORBIDDEN.has(name) ? undefined : value;
      },
    });
    return yield* this.#assemble(first, { assembler, path, maxDepth: MAX_DEPTH });
  }

  /** A row as `JSON.parse` returns it; its memory is not counted after its end. */
  *#row(first: Token, path: string): Reading<JsonValue> {
    const leftBytes = this.#leftBytes;
    const assembler = new Assembler<JsonValue>();
    const row = yield* this.#assemble(first, { assembler, path, maxDepth: MAX_ROW_DEPTH });
    this.#leftBytes = leftBytes;
    return row;
  }

  *#assemble(first: Token, { assembler, path, maxDepth }: Assembly): Reading<JsonValue> {
    this.#here = () => pathIn(assembler, path);
    for (let token = first; ; token = yield) {
      assembler.consume(token);
      if (assembler.depth > maxDepth) this.#problems.fail(path, `nested deeper than ${maxDepth}`);
      this.#spend(token, path);
      if (assembler.done) return assembler.current;
    }
  }

  #check(value: JsonValue, path: () => string): void {
    if (typeof value === 'string' && HALF_PAIR.test(value)) {
      this.#problems.add(path(), 'half of a surrogate pair, which UTF-8 cannot encode');
    }
    if (typeof value === 'number' && !Number.isFinite(value)) {
      this.#problems.add(path(), 'a number out of range');
    }
  }

  #spend(token: Token, path: string): void {
    if (token.name === 'startObject' || token.name === 'startArray') return;
    const length = 'value' in token && typeof token.value === 'string' ? token.value.length : 0;
    if (length > MAX_TEXT) this.#problems.fail(path, `a text longer than ${MAX_TEXT} characters`);
    this.#leftBytes -= VALUE_BYTES + length;
    if (this.#leftBytes < 0) {
      this.#problems.fail(path, `the lists take more than ${MAX_LISTS_BYTES} bytes`);
    }
  }

  /** Skips a value of any size in constant memory. */
  *#skip(first: Token, path: string): Reading {
    let depth = 0;
    for (let { name } = first; ; { name } = yield) {
      if (name === 'startObject' || name === 'startArray') depth += 1;
      else if (name === 'endObject' || name === 'endArray') depth -= 1;
      if (depth > MAX_IGNORED_DEPTH) {
        this.#problems.fail(path, `nested deeper than ${MAX_IGNORED_DEPTH}`);
      }
      if (depth === 0) return;
    }
  }
}

/** Rows that each follow a comma; undefined for other text. */
function rowsOf(text: string): readonly JsonValue[] | undefined {
  const [comma] = /^[ \t\n\r]*,/.exec(text) ?? [];
  if (comma === undefined) return undefined;
  try {
    return JSON.parse(`[${text.slice(comma.length)}]`) as readonly JsonValue[];
  } catch {
    return undefined;
  }
}

/** The value of a first token, for a message. */
function firstValue(token: Token): JsonValue {
  return new Assembler<JsonValue>().consume(token).current;
}

/** The path of the value under construction or of its member `name`; `path` alone if it is too deep for a message. */
function pathIn(assembler: Assembler<JsonValue>, path: string, name?: string): string {
  if (assembler.done || assembler.depth > MAX_DEPTH) return path;
  const { current, key } = assembler;
  const inside = Array.isArray(current) ? Number(name ?? current.length) : (name ?? key);
  const steps = inside === null ? assembler.path : [...assembler.path, inside];
  return steps.reduce<string>(
    (at, step) => (typeof step === 'number' ? `${at}[${step}]` : memberPath(at, step)),
    path,
  );
}
