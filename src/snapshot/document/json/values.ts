/** Builds one JSON value from tokens, within a budget: everything of a document but its rows. */
import { MAX_TEXT, type Token } from './tokens.js';
import { FORBIDDEN_FIELDS, type JsonValue } from '../../domain/model.js';
import { memberPath, type Problems } from '../problems.js';

/** What one value takes beside its text, roughly, in bytes. */
const VALUE_BYTES = 64;

/** What the header and the lists of a document may take in memory, roughly. */
const MAX_LISTS_BYTES = 64 * 1024 * 1024;

/** Containers inside each other; a document needs four. */
const MAX_DEPTH = 32;

/** JSON can escape one half alone (RFC 8259 §8.2). */
const HALF_PAIR = /\p{Surrogate}/u;

/** Memory that a document's values have left; one for a document. */
export class Budget {
  #leftBytes = MAX_LISTS_BYTES;
  readonly #problems: Problems;

  constructor(problems: Problems) {
    this.#problems = problems;
  }

  /** @throws {DocumentError} when the document is over it. */
  spend(text: string, path: string): void {
    if (text.length > MAX_TEXT) {
      this.#problems.fail(path, `a text longer than ${MAX_TEXT} characters`);
    }
    this.#leftBytes -= VALUE_BYTES + text.length;
    if (this.#leftBytes < 0) {
      this.#problems.fail(path, `the lists take more than ${MAX_LISTS_BYTES} bytes`);
    }
  }
}

type Container =
  | { readonly kind: 'array'; readonly path: string; readonly items: JsonValue[] }
  | {
      readonly kind: 'object';
      readonly path: string;
      readonly members: Map<string, JsonValue>;
      /** Of the member whose value comes next. */
      name: string | undefined;
    };

/** Takes tokens until one value is whole. A member that repeats in one object is a problem. */
export class ValueBuilder {
  readonly #path: string;
  readonly #budget: Budget;
  readonly #problems: Problems;
  readonly #open: Container[] = [];
  #value: JsonValue | undefined;

  constructor(path: string, { budget, problems }: { budget: Budget; problems: Problems }) {
    this.#path = path;
    this.#budget = budget;
    this.#problems = problems;
  }

  /** The value, once it is whole. */
  take(token: Token): JsonValue | undefined {
    switch (token.name) {
      case 'startObject':
        this.#push({ kind: 'object', path: this.here(), members: new Map(), name: undefined });
        break;
      case 'startArray':
        this.#push({ kind: 'array', path: this.here(), items: [] });
        break;
      case 'endObject':
      case 'endArray':
        this.#close();
        break;
      case 'keyValue':
        this.#name(token.value);
        break;
      case 'stringValue':
        if (HALF_PAIR.test(token.value)) {
          this.#problems.add(this.here(), 'half of a surrogate pair: no UTF-8 can carry it');
        }
        this.#put(token.value, token.value);
        break;
      case 'numberValue':
        this.#put(this.#finite(token.value), token.value);
        break;
      case 'nullValue':
      case 'trueValue':
      case 'falseValue':
        this.#put(token.value, '');
        break;
      default:
        // The parser emits whole values only (`streamValues: false`), so no other token carries one.
        break;
    }
    return this.#value;
  }

  /** The path of what comes next. */
  here(): string {
    const top = this.#open.at(-1);
    if (top === undefined) return this.#path;
    if (top.kind === 'array') return `${top.path}[${top.items.length}]`;
    return top.name === undefined ? top.path : memberPath(top.path, top.name);
  }

  #push(container: Container): void {
    if (this.#open.length === MAX_DEPTH) {
      this.#problems.fail(this.#path, `nested deeper than ${MAX_DEPTH}`);
    }
    this.#open.push(container);
  }

  #name(name: string): void {
    const top = this.#open.at(-1);
    if (top?.kind !== 'object') return;
    this.#budget.spend(name, top.path);
    top.name = name;
    if (top.members.has(name)) this.#problems.add(memberPath(top.path, name), 'repeated member');
  }

  #finite(text: string): number {
    const number = Number(text);
    if (!Number.isFinite(number)) this.#problems.add(this.here(), 'a number out of range');
    return number;
  }

  #close(): void {
    const done = this.#open.pop();
    if (done === undefined) return;
    if (done.kind === 'array') this.#put(done.items, '');
    else {
      for (const name of FORBIDDEN_FIELDS) done.members.delete(name);
      // Safe with a member called `__proto__`, which an assignment would not be.
      this.#put(Object.fromEntries(done.members), '');
    }
  }

  #put(value: JsonValue, text: string): void {
    this.#budget.spend(text, this.#path);
    const top = this.#open.at(-1);
    if (top === undefined) this.#value = value;
    else if (top.kind === 'array') top.items.push(value);
    else if (top.name !== undefined) {
      top.members.set(top.name, value);
      top.name = undefined;
    }
  }
}
