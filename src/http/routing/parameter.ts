/** Types of the parameters that a route declares, and of their parsed values (`parameters.ts`). */
import type { ErrorCode, ValidationProblem } from '../semantics/error-answers.js';

export interface Refused {
  readonly ok: false;
  readonly problem: Omit<ValidationProblem, 'loc' | 'input'>;
}
type Parsed<T> = { readonly ok: true; readonly value: T } | Refused;

/** A value that the demonstration has an answer for. */
export type Example = string | number | readonly string[];

/** One declared parameter: its text is parsed once, at the edge. What it means is said in `texts/openapi/parameters.md`. */
export interface Parameter<T> {
  readonly example?: Example | undefined;
  readonly in: 'path' | 'query';
  /** A blank value counts as missing. */
  readonly required: boolean;
  /** The value where the request does not have the parameter; of no use where it is required. */
  readonly absent?: T;
  /** An error of its own; undefined where it is refused with the validation error body. */
  readonly error?: ErrorCode;
  /** Whether that error goes on with what `parse` says. */
  readonly isNamed?: true;
  /** JSON Schema of the value as a client writes it. */
  readonly schema: Readonly<Record<string, unknown>>;
  /**
   * @param text the last one of a repeated parameter.
   * @param query default: `text` alone.
   */
  parse(text: string, query?: Texts): Parsed<T>;
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

export type Values<P extends Parameters> = {
  readonly [Name in keyof P]: P[Name] extends Parameter<infer T> ? T : never;
};

/** Decoded texts by the name of their parameter, in their order. */
export type Texts = ReadonlyMap<string, readonly string[]>;

/** Why a request has no answer of its own. */
export type Refusal =
  | { readonly kind: 'error'; readonly code: ErrorCode; readonly found?: string }
  | { readonly kind: 'invalid'; readonly problems: readonly ValidationProblem[] };

export type ParsedParameters = (
  | { readonly ok: true; readonly values: Values<Parameters> }
  | { readonly ok: false; readonly refusal: Refusal }
) & {
  /** Whether the query has names that are not declared. */
  readonly ignores: boolean;
};

/** The part of an endpoint that `parseParameters` reads. */
export interface Declared {
  readonly entries: readonly (readonly [name: string, Parameter<unknown>])[];
  readonly segments: readonly string[];
  readonly reads: { readonly path: boolean };
}
