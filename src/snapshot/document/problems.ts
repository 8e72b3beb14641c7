/** Collects the problems of a document by path, and refuses it with all of them. */
import { SnapshotError } from '../domain/snapshot-error.js';

/** Number of problems that a refusal lists; further ones are only counted. */
const MAX_LISTED = 20;

const MAX_SHOWN = 60;

export interface Problem {
  /** Such as `measurements[17].value`; `document` for the whole. */
  readonly path: string;
  readonly message: string;
}

/** The refusal of a document by the checks of `docs/snapshot-format.md, "Checks"`; its message is one line. */
export class DocumentError extends SnapshotError {
  /** The first 20, in the order of their discovery. */
  readonly problems: readonly Problem[];
  readonly problemCount: number;

  constructor(problems: readonly Problem[], problemCount: number, options?: ErrorOptions) {
    super('document_invalid', summary(problems, problemCount), options);
    this.problems = problems;
    this.problemCount = problemCount;
  }

  /** This refusal with other paths, such as rows of tables. */
  withPaths(pathOf: (path: string) => string): DocumentError {
    const problems = this.problems.map(({ path, message }) => ({ path: pathOf(path), message }));
    return new DocumentError(problems, this.problemCount, { cause: this });
  }
}

function summary(problems: readonly Problem[], problemCount: number): string {
  const listed = problems.map(({ path, message }) => `${path}: ${message}`).join('; ');
  const more = problemCount - problems.length;
  return more === 0 ? listed : `${listed}; and ${more} more`;
}

/** Refuses the whole source for one reason. */
export type Refuse = (message: string, options?: ErrorOptions) => never;

export class Problems {
  readonly #first: Problem[] = [];
  #count = 0;

  add(path: string, message: string): void {
    this.#count += 1;
    if (this.#first.length < MAX_LISTED) this.#first.push({ path, message });
  }

  addAll(others: Problems): void {
    for (const { path, message } of others.#first) this.add(path, message);
    this.#count += others.#count - others.#first.length;
  }

  /** Nothing can be read after this problem, so it is always listed. @throws {DocumentError} always. */
  fail(path: string, message: string, options?: ErrorOptions): never {
    if (this.#first.length === MAX_LISTED) this.#first.pop();
    this.add(path, message);
    throw new DocumentError(this.#first, this.#count, options);
  }

  throwIfAny(): void {
    if (this.#count > 0) throw new DocumentError(this.#first, this.#count);
  }
}

/** `expected X, got Y`, with Y cut and on one line. */
export function unexpected(expected: string, value: unknown): string {
  return `expected ${expected}, got ${describeValue(value)}`;
}

/** A value for messages: arrays and objects by kind, other values as JSON, cut, on one line. */
export function describeValue(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value === 'number') {
    return Number.isFinite(value) ? String(value) : 'a number out of range';
  }
  const cut =
    typeof value === 'string' && value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value;
  // JSON does not escape these characters, which could break a terminal or a log.
  return JSON.stringify(cut).replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * The path of a member: `path.name`, or `path["a name"]` for a name with other characters; at the top, without `path.`.
 */
export function memberPath(path: string, name: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name)) return `${path}[${describeValue(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}
