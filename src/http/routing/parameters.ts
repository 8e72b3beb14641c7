/** Parses parameters to exact values, or to the problems of a 400 or 422 (docs/http-api/requests.md, "Parameters"). */
import { listItems } from '../../snapshot/domain/selection.js';
import { isSnapshotId } from '../../snapshot/domain/snapshot-id.js';
import { DATE_TIME, parseDateTime } from '../../snapshot/domain/windows.js';
import type { ErrorCode, ValidationProblem } from '../semantics/error-answers.js';
import { pathParameters, splitPath } from '../semantics/paths.js';
import type { PlainRequest } from '../semantics/request.js';
import type {
  Declared,
  Example,
  Parameter,
  ParsedParameters,
  Parameters,
  Refused,
  Texts,
} from './parameter.js';

/** Parses every declared parameter; other parameters are ignored. */
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
      const found = text === undefined ? `\`${name}\` is missing.` : parsed.problem.msg;
      const message = parameter.isNamed ? { found } : {};
      return { ok: false, refusal: { kind: 'error', code: parameter.error, ...message }, ignores };
    } else {
      const input = text === undefined ? {} : { input: text };
      problems.push({ loc: [parameter.in, name], ...parsed.problem, ...input });
    }
  }
  return problems.length > 0
    ? { ok: false, refusal: { kind: 'invalid', problems }, ignores }
    : { ok: true, values, ignores };
}

/** Limits of `X-Ignored-Parameters`: number of names, and characters of each name. */
const IGNORED_MAX = 16;
const IGNORED_LENGTH_MAX = 64;

/** Unknown names in a query, escaped as in a URL, for a header field; empty without any. */
export function ignoredNames({ entries }: Pick<Declared, 'entries'>, query: string): string {
  const names = [...queryTexts(query, entries).keys()].filter(
    (name) => !entries.some(([known, { in: place }]) => known === name && place === 'query'),
  );
  const escaped = names
    .slice(0, IGNORED_MAX)
    // Cuts between characters: half of a surrogate pair cannot be escaped.
    .map((name) => encodeURIComponent(Array.from(name).slice(0, IGNORED_LENGTH_MAX).join('')));
  return names.length > IGNORED_MAX ? `${escaped.join(', ')}, ...` : escaped.join(', ');
}

const NONE: Texts = new Map();

function queryTexts(query: string, entries: Declared['entries']): Texts {
  if (query === '') return NONE;
  const texts = new Map<string, string[]>();
  // `URLSearchParams` drops one `?` at the beginning, so another is added: `??a=1` has a parameter `?a`.
  for (const [written, text] of new URLSearchParams(`?${query}`)) {
    const name = written.endsWith(']') ? listName(written, entries) : written;
    const known = texts.get(name);
    if (known === undefined) texts.set(name, [text]);
    else known.push(text);
  }
  return texts;
}

/** The name of a list parameter, of which many clients write the items as `name[]` or `name[0]`. */
function listName(written: string, entries: Declared['entries']): string {
  const [, name] = /^(\w+)\[\d*\]$/.exec(written) ?? [];
  const isList = ([known, { schema }]: Declared['entries'][number]): boolean =>
    known === name && schema['type'] === 'array';
  return name !== undefined && entries.some(isList) ? name : written;
}

/** Members in which a query parameter differs from an optional one without a default. */
type Kind<T> = Pick<Parameter<T>, 'schema' | 'parse'> & Partial<Parameter<T>>;

export function inQuery<T>(kind: Kind<T>): Parameter<T> {
  return { in: 'query', required: false, ...kind };
}

/** An integer in plain decimal digits: no sign but `-`, no leading zero, no exponent, no blank; of any size. */
export function integer(location: 'path' | 'query', example?: Example): Parameter<number> {
  return {
    example,
    in: location,
    required: true,
    schema: { type: 'integer' },
    parse(text) {
      if (!isInteger(text)) {
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
  choices: readonly T[],
  example?: Example,
): Parameter<T> {
  const expected = listed(choices);
  return inQuery({
    example,
    required: true,
    schema: { type: 'string', enum: choices },
    parse(text) {
      if (text === '') return missing();
      const value = choices.find((choice) => choice === text);
      if (value !== undefined) return { ok: true, value };
      return invalid('enum', `Input should be ${expected}`, { expected });
    },
  });
}

/** `true`, `false`, `1`, `0` in any case (docs/http-api/requests.md, "Booleans"); `fallback` if missing or blank. */
export function flag(fallback: boolean): Parameter<boolean> {
  return inQuery({
    absent: fallback,
    schema: { type: 'boolean', default: fallback },
    parse(text) {
      if (text === '') return { ok: true, value: fallback };
      if (/^(?:true|1)$/i.test(text)) return { ok: true, value: true };
      if (/^(?:false|0)$/i.test(text)) return { ok: true, value: false };
      return invalid('bool_parsing', 'Input should be a valid boolean, unable to interpret input');
    },
  });
}

/** Free text, trimmed; undefined where missing or blank. */
export function optionalText(example?: Example): Parameter<string | undefined> {
  return inQuery({
    example,
    schema: { type: 'string' },
    parse(text) {
      const trimmed = text.trim();
      return { ok: true, value: trimmed === '' ? undefined : trimmed };
    },
  });
}

/** Makes a parameter optional: undefined when missing or blank. */
export function optional<T>(given: Parameter<T>): Parameter<T | undefined> {
  const { default: _, ...schema } = given.schema;
  return {
    ...given,
    required: false,
    absent: undefined,
    schema,
    parse: (text, query) =>
      isBlank(text) ? { ok: true, value: undefined } : given.parse(text, query),
  };
}

/** The id of a snapshot, required; undefined for a malformed id, which has another error than a missing one. */
export function snapshotId(example?: Example): Parameter<string | undefined> {
  return inQuery({
    example,
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
    parse(text) {
      if (isBlank(text)) return missing();
      return { ok: true, value: isSnapshotId(text) ? text : undefined };
    },
  });
}

/** A date-time as epoch milliseconds, UTC; undefined where missing or blank. */
export function optionalDateTime(
  error: ErrorCode,
  example?: Example,
): Parameter<number | undefined> {
  return inQuery({
    example,
    error,
    // Not `format: date-time`, which excludes plain dates and local times.
    schema: { type: 'string', pattern: DATE_TIME.source },
    parse(text) {
      const epochMs = parseDateTime(text);
      if (epochMs !== undefined || isBlank(text)) return { ok: true, value: epochMs };
      return invalid('datetime_parsing', 'Input should be a date-time');
    },
  });
}

/** Maximal number of values of a list parameter; a request line of the default length has room for 4,000. */
const LIST_MAX = 500;

/** Names of lists, with the errors for too many items. */
const TOO_MANY = {
  station_id: 'too_many_station_ids',
  parameter_code: 'too_many_parameter_codes',
} as const;

/** Trimmed texts of a list parameter, not split yet, since a code may hold a comma; undefined where all are blank. */
export function optionalList(
  name: keyof typeof TOO_MANY,
  example: Example,
): Parameter<readonly string[] | undefined> {
  return inQuery({
    example,
    error: TOO_MANY[name],
    // The schema describes a repeated parameter, in which a list with commas is one item.
    schema: { type: 'array', items: { type: 'string' } },
    parse(text, query) {
      const given: string[] = [];
      let values = 0;
      for (const one of query?.get(name) ?? [text]) {
        const trimmed = one.trim();
        if (trimmed === '') continue;
        given.push(trimmed);
        values += trimmed.includes(',') ? listItems(trimmed).length : 1;
      }
      if (values > LIST_MAX) return invalid('too_long', 'Input should have fewer values');
      return { ok: true, value: given.length === 0 ? undefined : given };
    },
  });
}

/** Any text of a path segment. @param existing texts that have an answer, for the OpenAPI document. */
export function pathText(existing?: readonly string[]): Parameter<string> {
  return {
    in: 'path',
    required: true,
    schema: { type: 'string', ...(existing && { enum: existing }) },
    parse: (text) => ({ ok: true, value: text }),
  };
}

/** The parameters, with one error for all invalid values. */
export function refusedWith<P extends Parameters>(error: ErrorCode, parameters: P): P {
  const entries = Object.entries(parameters);
  return Object.fromEntries(entries.map(([name, one]) => [name, { ...one, error }])) as P;
}

const PLAIN_INTEGER = /^(?:0|-?[1-9]\d*)$/;

export function isInteger(text: string): boolean {
  return PLAIN_INTEGER.test(text);
}

export function isBlank(text: string): boolean {
  return text.trim() === '';
}

function missing(): Refused {
  return invalid('missing', 'Field required');
}

export function invalid(
  type: string,
  msg: string,
  ctx?: Readonly<Record<string, string>>,
): Refused {
  return { ok: false, problem: ctx === undefined ? { msg, type } : { msg, type, ctx } };
}

/** Characters of an invalid value that an error repeats. */
const INPUT_CHARACTERS = 40;

/** The beginning of an invalid value, for the text of its error. */
export function quotedInput(text: string): string {
  return JSON.stringify(text.slice(0, INPUT_CHARACTERS));
}

/** `'a', 'b' or 'c'`. */
function listed(choices: readonly string[]): string {
  const quoted = choices.map((choice) => `'${choice}'`);
  return `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1) ?? ''}`;
}
