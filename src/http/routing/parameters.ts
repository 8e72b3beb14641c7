/** Parses the parameters of a request to exact values, or to the problems of a 400 or 422 (`docs/http-api.md, "Parameters"`). */
import type { BoundingBox } from '../../snapshot/domain/selection.js';
import { isSnapshotId } from '../../snapshot/domain/snapshot-id.js';
import { CHART_SIZE } from '../../views/pages/page.js';
import { DATE_TIME, parseDateTime } from '../semantics/date-time.js';
import type { ErrorCode, ValidationProblem } from '../semantics/error-answers.js';

type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: Omit<ValidationProblem, 'loc' | 'input'> };

/** Documentation of a parameter, for the OpenAPI document. */
export interface About {
  /** In English, CommonMark. */
  readonly description: string;
  /** A value that the demonstration data has an answer for. */
  readonly example?: string | number | readonly string[];
}

/** One declared parameter: its text is parsed once, at the edge. */
export interface Parameter<T> extends About {
  readonly in: 'path' | 'query';
  /** A blank value counts as missing. */
  readonly required: boolean;
  /** An error of its own; undefined where it is refused with the validation error body. */
  readonly error?: ErrorCode;
  /** JSON Schema of the value as a client writes it. */
  readonly schema: Readonly<Record<string, unknown>>;
  /**
   * @param text of a repeated one the last.
   * @param texts of the whole query; default: `text` alone.
   */
  parse(text: string | undefined, texts?: Texts): Parsed<T>;
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

export type Values<P extends Parameters> = {
  readonly [Name in keyof P]: P[Name] extends Parameter<infer T> ? T : never;
};

/** Decoded texts of one parameter of the query, in their order. */
export type Texts = (name: string) => readonly string[];

/** Reads the decoded texts of one parameter, in their order; none where the request does not have it. */
export type ParameterReader = (location: 'path' | 'query', name: string) => readonly string[];

/** Why a request has no answer of its own. */
export type Refusal =
  | { readonly kind: 'error'; readonly code: ErrorCode }
  | { readonly kind: 'invalid'; readonly problems: readonly ValidationProblem[] };

type ParsedParameters<P extends Parameters> =
  | { readonly ok: true; readonly values: Values<P> }
  | { readonly ok: false; readonly refusal: Refusal };

/** Parses every declared parameter of a request; what is not declared is ignored. */
export function parameterParser<P extends Parameters>(
  parameters: P,
): (read: ParameterReader) => ParsedParameters<P> {
  // Listing them takes a tenth of what a fresh filter costs to parse.
  const entries = Object.entries(parameters);
  return (read) => parseParameters<P>(entries, read);
}

function parseParameters<P extends Parameters>(
  entries: readonly (readonly [string, Parameter<unknown>])[],
  read: ParameterReader,
): ParsedParameters<P> {
  const values: Record<string, unknown> = {};
  const problems: ValidationProblem[] = [];
  const texts: Texts = (name) => read('query', name);
  for (const [name, parameter] of entries) {
    const text = read(parameter.in, name).at(-1);
    const parsed = parameter.parse(text, texts);
    if (parsed.ok) values[name] = parsed.value;
    else if (parameter.error)
      return { ok: false, refusal: { kind: 'error', code: parameter.error } };
    else {
      const input = text === undefined ? {} : { input: text };
      problems.push({ loc: [parameter.in, name], ...parsed.problem, ...input });
    }
  }
  // Each name was filled by its own parameter, which is what `Values` says; the compiler cannot follow a loop.
  return problems.length > 0
    ? { ok: false, refusal: { kind: 'invalid', problems } }
    : { ok: true, values: values as Values<P> };
}

/**
 * An integer in plain decimal digits: no sign but `-`, no leading zero, no exponent, no blank.
 *
 * One beyond 2^53 is still an integer, and one that names nothing.
 */
export function integer(location: 'path' | 'query', about: About): Parameter<number> {
  return {
    ...about,
    in: location,
    required: true,
    schema: { type: 'integer' },
    parse(text) {
      if (text === undefined) return missing();
      if (!PLAIN_INTEGER.test(text)) {
        return invalid(
          'int_parsing',
          'Input should be a valid integer, unable to parse string as an integer',
        );
      }
      return { ok: true, value: Number(text) };
    },
  };
}

/** One of a closed set, spelled exactly. */
export function oneOf<const T extends string>(
  location: 'path' | 'query',
  choices: readonly T[],
  about: About,
): Parameter<T> {
  const expected = listed(choices);
  return {
    ...about,
    in: location,
    required: true,
    schema: { type: 'string', enum: choices },
    parse(text) {
      if (text === undefined || text === '') return missing();
      const value = choices.find((choice) => choice === text);
      if (value !== undefined) return { ok: true, value };
      return invalid('enum', `Input should be ${expected}`, { expected });
    },
  };
}

/** `true`, `false`, `1`, `0` in any case (`docs/http-api.md, "Booleans"`); `fallback` where it is missing or blank. */
export function flag(fallback: boolean, about: About): Parameter<boolean> {
  return {
    ...about,
    in: 'query',
    required: false,
    schema: { type: 'boolean', default: fallback },
    parse(text) {
      if (text === undefined || text === '') return { ok: true, value: fallback };
      if (/^(?:true|1)$/i.test(text)) return { ok: true, value: true };
      if (/^(?:false|0)$/i.test(text)) return { ok: true, value: false };
      return invalid('bool_parsing', 'Input should be a valid boolean, unable to interpret input');
    },
  };
}

/** Free text, trimmed; undefined where it is missing or blank. */
export function optionalText(about: About): Parameter<string | undefined> {
  return {
    ...about,
    in: 'query',
    required: false,
    schema: { type: 'string' },
    parse(text) {
      const trimmed = text?.trim() ?? '';
      return { ok: true, value: trimmed === '' ? undefined : trimmed };
    },
  };
}

/** The id of a snapshot, which has to be there; undefined where it is none: that is another error than none at all. */
export function snapshotId(about: About): Parameter<string | undefined> {
  return {
    ...about,
    in: 'query',
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
    parse(text) {
      if (text === undefined || isBlank(text)) return missing();
      return { ok: true, value: isSnapshotId(text) ? text : undefined };
    },
  };
}

/** A date-time as epoch milliseconds, UTC; undefined where it is missing or blank. */
export function optionalDateTime(error: ErrorCode, about: About): Parameter<number | undefined> {
  return {
    ...about,
    in: 'query',
    required: false,
    error,
    // No format: that of a date-time has neither a date alone nor one without an offset.
    schema: { type: 'string', pattern: DATE_TIME.source },
    parse(text) {
      if (text === undefined || text.trim() === '') return { ok: true, value: undefined };
      const epochMs = parseDateTime(text);
      if (epochMs === undefined) return invalid('datetime_parsing', 'Input should be a date-time');
      return { ok: true, value: epochMs };
    },
  };
}

/** A flag that may be missing or blank. */
export function optionalFlag(about: About): Parameter<boolean | undefined> {
  const given = flag(false, about);
  return {
    ...about,
    in: 'query',
    required: false,
    schema: { type: 'boolean' },
    parse: (text) => (isBlank(text) ? { ok: true, value: undefined } : given.parse(text)),
  };
}

/** One of a closed set, or nothing. */
export function optionalOneOf<const T extends string>(
  choices: readonly T[],
  about: About,
): Parameter<T | undefined> {
  const given = oneOf('query', choices, about);
  return {
    ...about,
    in: 'query',
    required: false,
    schema: given.schema,
    parse: (text) => (isBlank(text) ? { ok: true, value: undefined } : given.parse(text)),
  };
}

/**
 * `min_lon,min_lat,max_lon,max_lat` in WGS84 decimal degrees (`docs/http-api.md, "Bounding boxes"`); refused with an error of its own.
 */
export function optionalBoundingBox(about: About): Parameter<BoundingBox | undefined> {
  return {
    ...about,
    in: 'query',
    required: false,
    error: 'invalid_bbox',
    schema: { type: 'string', pattern: '^[^,]+(,[^,]+){3}$' },
    parse(text) {
      if (text === undefined || isBlank(text)) return { ok: true, value: undefined };
      const value = parseBoundingBox(text);
      if (value === undefined) return invalid('bbox_parsing', 'Input should be a bounding box');
      return { ok: true, value };
    },
  };
}

/** Any text in this segment of a path; `existing` are those that have an answer. */
export function pathText(existing: readonly string[], about: About): Parameter<string> {
  return {
    ...about,
    in: 'path',
    required: true,
    schema: { type: 'string', enum: existing },
    parse: (text) => ({ ok: true, value: text ?? '' }),
  };
}

/** One of a closed set; anything else counts as none. */
export function anyOf<const T extends string>(
  choices: readonly T[],
  about: About,
): Parameter<T | undefined> {
  return {
    ...about,
    in: 'query',
    required: false,
    // Not an enum: no value is refused.
    schema: { type: 'string' },
    parse: (text) => ({ ok: true, value: choices.find((choice) => choice === text) }),
  };
}

/** An identifier; anything that cannot be one counts as none. */
export function anyId(about: About): Parameter<number | undefined> {
  return {
    ...about,
    in: 'query',
    required: false,
    // Whatever it is, it is not refused.
    schema: { type: ['integer', 'string'] },
    parse: (text) => ({
      ok: true,
      value: text !== undefined && PLAIN_INTEGER.test(text) ? Number(text) : undefined,
    }),
  };
}

/** A size in pixels, moved to the nearest one that is drawn; `fallback` where it is no whole number. */
export function anySize(fallback: number, about: About): Parameter<number> {
  return {
    ...about,
    in: 'query',
    required: false,
    // Whatever it is, it is not refused.
    schema: { type: ['integer', 'string'], default: fallback },
    parse: (text) => ({
      ok: true,
      value:
        text !== undefined && PLAIN_INTEGER.test(text)
          ? Math.min(Math.max(Number(text), CHART_SIZE.min), CHART_SIZE.max)
          : fallback,
    }),
  };
}

/** Free text, trimmed and cut; empty where there is none. */
export function anyText(length: number, about: About): Parameter<string> {
  return {
    ...about,
    in: 'query',
    required: false,
    schema: { type: 'string' },
    // Of whole characters: half of one is no text.
    parse: (text) => ({
      ok: true,
      value: Array.from((text?.trim() ?? '').slice(0, 2 * length))
        .slice(0, length)
        .join(''),
    }),
  };
}

/** The same parameter, refused with an error of its own. */
export function refusedWith<T>(error: ErrorCode, parameter: Parameter<T>): Parameter<T> {
  return { ...parameter, error };
}

const PLAIN_INTEGER = /^(?:0|-?[1-9]\d*)$/;

/** No two of its parts can match the same digits, so it never goes back over them. */
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/;

function parseBoundingBox(text: string): BoundingBox | undefined {
  const parts = text.split(',', 5).map(parseDecimal);
  if (parts.length !== 4 || parts.includes(undefined)) return undefined;
  const [west = NaN, south = NaN, east = NaN, north = NaN] = parts;
  const inRange = Math.abs(west) <= 180 && Math.abs(east) <= 180 && Math.abs(south) <= 90;
  if (!inRange || !(Math.abs(north) <= 90) || west > east || south > north) return undefined;
  return { west, south, east, north };
}

/** A decimal number, blanks around it left out; undefined for any other text. */
export function parseDecimal(text: string): number | undefined {
  const trimmed = text.trim();
  return DECIMAL.test(trimmed) ? Number(trimmed) : undefined;
}

export function isBlank(text: string | undefined): boolean {
  return text === undefined || text.trim() === '';
}

function missing(): Parsed<never> {
  return invalid('missing', 'Field required');
}

export function invalid(
  type: string,
  msg: string,
  ctx?: Readonly<Record<string, string>>,
): Parsed<never> {
  return { ok: false, problem: ctx === undefined ? { msg, type } : { msg, type, ctx } };
}

/** `'a', 'b' or 'c'`. */
function listed(choices: readonly string[]): string {
  const quoted = choices.map((choice) => `'${choice}'`);
  return `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1) ?? ''}`;
}
