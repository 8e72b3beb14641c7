/** The answer to a request with conditions and ranges, by RFC 9110 and docs/http-api, from the whole answer. */
import { fieldOf, type Answer } from '../support/service/connection.js';

/** Header fields of a request by their usual names. */
export type Fields = Readonly<Record<string, string>>;

/** Whole answers to `GET`: in the preferred coding, and without a coding. */
export interface Whole {
  readonly coded: Answer;
  readonly plain: Answer;
  /** Whether it is a bulk file: with ranges, and strong entity tags. */
  readonly isFile: boolean;
}

export type Predicted =
  | { readonly status: 204 | 304 | 405 | 412; readonly whole: Answer }
  | { readonly status: 416; readonly length: number }
  | { readonly status: 206; readonly whole: Answer; readonly from: number; readonly to: number }
  | { readonly status: 'whole'; readonly whole: Answer };

export function predict(
  method: string,
  fields: Fields,
  { coded, plain, isFile }: Whole,
): Predicted {
  if (method === 'OPTIONS') return { status: 204, whole: coded };
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, whole: coded };
  const range = method === 'GET' && isFile ? fields['Range'] : undefined;
  // Ranges are those of the plain file (docs/http-api/files.md, "Ranges").
  const whole = range === undefined ? coded : plain;
  if (whole.status !== 200) return { status: 'whole', whole };
  const failed = failedCondition(fields, whole, isFile);
  if (failed !== undefined) return { status: failed, whole };
  if (range === undefined || !isCurrent(fields['If-Range'], whole)) {
    return { status: 'whole', whole };
  }
  return partOf(range, whole);
}

/** Conditions in their order (RFC 9110 §13.2.2). */
function failedCondition(fields: Fields, whole: Answer, isFile: boolean): 304 | 412 | undefined {
  const tag = fieldOf(whole, 'etag') ?? '';
  const match = fields['If-Match'];
  if (isFile && match !== undefined && match !== '*') {
    const isStrong = !tag.startsWith('W/') && tagsOf(match).includes(tag);
    if (!isStrong) return 412;
  }
  const modifiedMs = httpDate(fieldOf(whole, 'last-modified'));
  const unchangedMs = httpDate(fields['If-Unmodified-Since']);
  const isNewer = unchangedMs !== undefined && modifiedMs !== undefined && modifiedMs > unchangedMs;
  if (isFile && match === undefined && isNewer) return 412;
  const noneMatch = fields['If-None-Match'];
  if (noneMatch !== undefined) {
    const tags = tagsOf(noneMatch).map(opaque);
    return noneMatch === '*' || tags.includes(opaque(tag)) ? 304 : undefined;
  }
  const sinceMs = httpDate(fields['If-Modified-Since']);
  return sinceMs !== undefined && modifiedMs !== undefined && modifiedMs <= sinceMs
    ? 304
    : undefined;
}

function tagsOf(list: string): readonly string[] {
  return list.match(/(?:W\/)?"[^"]*"/g) ?? [];
}

/** The tag for weak comparison, without the suffix of some proxies. */
function opaque(tag: string): string {
  return tag.replace(/^W\//, '').replace(/-gzip"$/, '"');
}

/** Milliseconds since the epoch of a date in HTTP's preferred form. */
function httpDate(text: string | undefined): number | undefined {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) || new Date(ms).toUTCString() !== text ? undefined : ms;
}

function isCurrent(condition: string | undefined, whole: Answer): boolean {
  const tag = fieldOf(whole, 'etag');
  return condition === undefined || (condition === tag && !tag.startsWith('W/'));
}

/** RFC 9110 §14.1.2; several ranges and malformed ones mean the whole file. */
function partOf(range: string, whole: Answer): Predicted {
  const [, first, last, suffix] = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/i.exec(range) ?? [];
  const { length } = whole.body;
  const from = first === undefined ? Math.max(0, length - Number(suffix)) : Number(first);
  const to = last === undefined || last === '' ? length - 1 : Math.min(Number(last), length - 1);
  const isMalformed = first === undefined && suffix === undefined;
  if (isMalformed || (last !== undefined && last !== '' && Number(last) < from)) {
    return { status: 'whole', whole };
  }
  return from >= length ? { status: 416, length } : { status: 206, whole, from, to };
}

/** Whether gzip is preferred at least as much as the plain form (RFC 9110 §12.5.3). */
export function prefersGzip(accepted: string): boolean {
  const weights = new Map(
    accepted.split(',').map((member): readonly [string, number] => {
      const [coding = '', ...parameters] = member
        .split(';')
        .map((text) => text.trim().toLowerCase());
      const weight = parameters.find((text) => text.startsWith('q='));
      return [coding, weight === undefined ? 1 : Number(weight.slice(2))];
    }),
  );
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0;
  return gzip > 0 && gzip >= (weights.get('identity') ?? weights.get('*') ?? 0);
}
