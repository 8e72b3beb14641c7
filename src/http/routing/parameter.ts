/** Types of the parameters that a route declares, and of their parsed values (`parameters.ts`). */
import type { ErrorCode, ValidationProblem } from '../semantics/error-answers.js';

export interface Refused {
  readonly ok: false;
  readonly problem: Omit<ValidationProblem, 'loc' | 'input'>;
}
type Parsed<T> = { readonly ok: true; readonly value: T } | Refused;

/** A value that has an answer in the demonstration's data. */
export type Example = string | number | readonly (string | number)[];

/** One declared parameter. Its description is in `texts/openapi/parameters.md`. */
export interface Parameter<T> {
  readonly example?: Example | undefined;
  readonly in: 'path' | 'query';
  /** Whether the parameter must be given; `parse` decides about blank texts. */
  readonly required: boolean;
  /** The value of a missing optional parameter. */
  readonly absent?: T;
  /** The error for an invalid or missing value; default: 422 with the validation error body. */
  readonly error?: ErrorCode;
  /** Whether that error includes the message of `parse`. */
  readonly isNamed?: true;
  /** JSON Schema of the value in a request. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** @param text last value of a repeated parameter; `query`: all parameters of the query, by default `text` alone. */
  parse(text: string, query?: Texts): Parsed<T>;
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

export type Values<P extends Parameters> = {
  readonly [Name in keyof P]: P[Name] extends Parameter<infer T> ? T : never;
};

/** Decoded texts of each parameter, in the order of the request. */
export type Texts = ReadonlyMap<string, readonly string[]>;

/** Why a request has no answer. */
export type Refusal =
  | { readonly kind: 'error'; readonly code: ErrorCode; readonly found?: string }
  | { readonly kind: 'invalid'; readonly problems: readonly ValidationProblem[] };

export type ParsedParameters = (
  | { readonly ok: true; readonly values: Values<Parameters> }
  | { readonly ok: false; readonly refusal: Refusal }
) & {
  /** Whether the query has undeclared names. */
  readonly ignores: boolean;
};

export interface Declared {
  readonly entries: readonly (readonly [name: string, Parameter<unknown>])[];
  readonly segments: readonly string[];
  readonly reads: { readonly path: boolean };
}
