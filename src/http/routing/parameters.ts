/** Parses the parameters of a request to exact values, or to the problems of a 400 or 422 (`docs/http-api/requests.md, "Parameters"`). */
import type { ErrorCode, ValidationProblem } from '../semantics/error-answers.js';
import { pathParameters, splitPath } from '../semantics/paths.js';
import type { PlainRequest } from '../semantics/request.js';

interface Refused {
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
   * @param text of a repeated one the last.
   * @param query all of it; default: `text` alone.
   */
  parse(text: string, query?: Texts): Parsed<T>;
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

export type Values<P extends Parameters> = {
  readonly [Name in keyof P]: P[Name] extends Parameter<infer T> ? T : never;
};

/** Decoded texts by the name of their parameter, in their order. */
type Texts = ReadonlyMap<string, readonly string[]>;

/** Why a request has no answer of its own. */
export type Refusal =
  | { readonly kind: 'error'; readonly code: ErrorCode; readonly found?: string }
  | { readonly kind: 'invalid'; readonly problems: readonly ValidationProblem[] };

type ParsedParameters = (
  | { readonly ok: true; readonly values: Values<Parameters> }
  | { readonly ok: false; readonly refusal: Refusal }
) & {
  /** Whether the query has names that are not declared. */
  readonly ignores: boolean;
};

/** What `parseParameters` needs to know of an endpoint. */
interface Declared {
  readonly entries: readonly (readonly [name: string, Parameter<unknown>])[];
  readonly segments: readonly string[];
  readonly reads: { readonly path: boolean };
}

/** Parses every declared parameter of a request; what is not declared is ignored. */
export function parseParameters(
  { entries, segments, reads }: Declared,
  request: Pick<PlainRequest, 'path' | 'query'>,
): ParsedParameters {
  const query = queryTexts(request.query, entries);
  const path = reads.path ? pathParameters(segments, splitPath(request.path)) : query;
  const values: Record<string, unknown> = {};
  const problems: ValidationProblem[] = [];
  let unknown = query.size;
  for (const [name, { in: place }] of entries)
    if (place === 'query' && query.has(name)) unknown -= 1;
  const ignores = unknown > 0;
  for (const [name, parameter] of entries) {
    const text = (parameter.in === 'path' ? path : query).get(name)?.at(-1);
    if (text === undefined && !parameter.required) {
      values[name] = parameter.absent;
      continue;
    }
    const parsed = text === undefined ? missing() : parameter.parse(text, query);
    if (parsed.ok) values[name] = parsed.value;
    else if (parameter.error) {
      const found = parameter.isNamed ? { found: parsed.problem.msg } : {};
      return { ok: false, refusal: { kind: 'error', code: parameter.error, ...found }, ignores };
    } else {
      const input = text === undefined ? {} : { input: text };
      problems.push({ loc: [parameter.in, name], ...parsed.problem, ...input });
    }
  }
  return problems.length > 0
    ? { ok: false, refusal: { kind: 'invalid', problems }, ignores }
    : { ok: true, values, ignores };
}

/** A header field names so many, each so long. */
const IGNORED_MAX = 16;
const IGNORED_LENGTH_MAX = 64;

/** Names in a query that the endpoint does not know, for a header field: escaped as in a URL; empty where there are none. */
export function ignoredNames({ entries }: Pick<Declared, 'entries'>, query: string): string {
  const names = [...queryTexts(query, entries).keys()].filter(
    (name) => !entries.some(([known, { in: place }]) => known === name && place === 'query'),
  );
  const shown = names
    .slice(0, IGNORED_MAX)
    // Of whole characters: half of one cannot be escaped.
    .map((name) => encodeURIComponent(Array.from(name).slice(0, IGNORED_LENGTH_MAX).join('')));
  return names.length > IGNORED_MAX ? `${shown.join(', ')}, ...` : shown.join(', ');
}

const NONE: Texts = new Map();

function queryTexts(query: string, entries: Declared['entries']): Texts {
  if (query === '') return NONE;
  const texts = new Map<string, string[]>();
  // The first `?` is not in the query, and only that one: `??a=1` has a parameter `?a`.
  for (const [written, text] of new URLSearchParams(`?${query}`)) {
    const name = written.endsWith(']') ? listName(written, entries) : written;
    const known = texts.get(name);
    if (known === undefined) texts.set(name, [text]);
    else known.push(text);
  }
  return texts;
}

/** Many clients write each item of a list as `name[]` or `name[0]`; anything else is a name as it stands. */
function listName(written: string, entries: Declared['entries']): string {
  const [, name] = /^(\w+)\[\d*\]$/.exec(written) ?? [];
  const isList = ([known, { schema }]: Declared['entries'][number]): boolean =>
    known === name && schema['type'] === 'array';
  return name !== undefined && entries.some(isList) ? name : written;
}

export function missing(): Refused {
  return invalid('missing', 'Field required');
}

export function invalid(
  type: string,
  msg: string,
  ctx?: Readonly<Record<string, string>>,
): Refused {
  return { ok: false, problem: ctx === undefined ? { msg, type } : { msg, type, ctx } };
}
