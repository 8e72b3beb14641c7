/** Which representation a client gets: the content coding that it prefers, and whether it has the current one (RFC 9110 §12.5.3, §13). */
import type { Answer } from './answer.js';
import { httpDate, type Representation, type Validators } from './representation.js';

/** The fields of a request that can make it conditional; empty texts where it has none. */
export interface Conditions {
  readonly ifNoneMatch: string;
  readonly ifModifiedSince: string;
}

/** What a client prefers among the representations of one answer, and the validators that it has. */
export interface Preferences extends Conditions {
  readonly gzip: boolean;
}

/** Without weights, as browsers and libraries send it: whatever is named is wanted. */
const NAMES_GZIP = /(?:^|,)[ \t]*(?:(?:x-)?gzip|\*)[ \t]*(?:,|$)/i;

/** Whether gzip is acceptable and not less wanted than identity. */
export function prefersGzip(acceptEncoding: string): boolean {
  if (acceptEncoding === '') return false;
  return acceptEncoding.includes(';') ? negotiate(acceptEncoding) : NAMES_GZIP.test(acceptEncoding);
}

function negotiate(acceptEncoding: string): boolean {
  const weights = new Map<string, number>();
  for (const [coding, quality] of weightedItems(acceptEncoding)) {
    weights.set(coding === 'x-gzip' ? 'gzip' : coding, quality);
  }
  const any = weights.get('*');
  const gzip = weights.get('gzip') ?? any ?? 0;
  // Identity that is not named is acceptable, but less wanted than what is named.
  const identity = weights.get('identity') ?? (any === 0 ? 0 : undefined);
  return gzip > 0 && gzip >= (identity ?? 0);
}

/** The items of a list of preferences in lower case, without their parameters, each with its weight (RFC 9110 §12.4.2). */
export function weightedItems(list: string): readonly (readonly [item: string, weight: number])[] {
  return list
    .toLowerCase()
    .split(',')
    .map((text) => {
      const [item = '', ...parameters] = text.split(';').map((part) => part.trim());
      return [item, weight(parameters)];
    });
}

/** A quality value, 1 where there is none; one that is malformed asks for nothing. */
function weight(parameters: readonly string[]): number {
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  if (quality === undefined) return 1;
  return /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(quality) ? Number(quality.slice(2)) : 0;
}

/**
 * Whether the client has the current representation, so that 304 is the answer.
 *
 * `If-Modified-Since` counts only without `If-None-Match` (RFC 9110 §13.1.3); a date that is none is ignored.
 */
export function isNotModified(
  { ifNoneMatch, ifModifiedSince }: Conditions,
  validators: Validators,
): boolean {
  if (ifNoneMatch !== '') return listsTag(ifNoneMatch, validators.entityTag);
  const { lastModified } = validators;
  if (ifModifiedSince === '' || lastModified === undefined) return false;
  const since = parseHttpDate(ifModifiedSince);
  return since !== undefined && lastModified <= since;
}

/** 304 to a client that has this representation already, else 200. */
export function conditionalAnswer(
  { validators, answer, notModified }: Representation,
  conditions: Conditions,
): Answer {
  // Most requests have no condition.
  if (conditions.ifNoneMatch === '' && conditions.ifModifiedSince === '') return answer;
  return validators && isNotModified(conditions, validators) ? notModified : answer;
}

/** Weak comparison against a list (RFC 9110 §13.1.2); some proxies mark their own encoding by `-gzip`. */
function listsTag(header: string, entityTag: string): boolean {
  if (header === entityTag) return true;
  if (header.trim() === '*') return true;
  const wanted = opaque(entityTag);
  for (const [, tag] of header.matchAll(/(?:W\/)?"([^"]*)"/g)) {
    if (tag === wanted || tag === `${wanted}-gzip`) return true;
  }
  return false;
}

function opaque(entityTag: string): string {
  return entityTag.slice(entityTag.indexOf('"') + 1, -1);
}

/** The one form that clients send today; the two obsolete ones are ignored, as an invalid date is. */
export function parseHttpDate(text: string): number | undefined {
  const epochMs = Date.parse(text);
  // What can be written back as it stands has that form, and names a day that there is.
  return !Number.isNaN(epochMs) && httpDate(epochMs) === text ? epochMs : undefined;
}
