/** Representations (RFC 9110 §8): validators, header fields, content coding (§12.5.3), conditional requests (§13). */
import type { Answer } from './answer.js';
import { CROSS_ORIGIN } from './common-headers.js';
import { blockOf, fieldLines, type FieldLines, type HeaderField } from './header-block.js';

export interface Validators {
  /** `W/"{snapshot_id}-{build}"` (`docs/http-api/answers.md, "Entity tags"`). */
  readonly entityTag: string;
  /** Epoch milliseconds of a whole second; undefined if no date identifies the representation. */
  readonly lastModified: number | undefined;
}

export interface Representation {
  /** Undefined for uncacheable answers. */
  readonly validators: Validators | undefined;
  readonly answer: Answer;
  /** The 304 with the same validators and cache rules, without a body (RFC 9110 §15.4.5). */
  readonly notModified: Answer;
}

/** Header fields that many representations share, built once. */
export interface SharedHeaders {
  readonly validators: Validators | undefined;
  readonly lines: FieldLines;
  readonly notModified: Answer;
}

/**
 * @param validators undefined for uncacheable answers.
 * @param options.variesBy request fields beside `Accept-Encoding` that shape the answer.
 * @param options.snapshotId undefined for answers that do not name the snapshot.
 */
export function sharedHeaders(
  validators: Validators | undefined,
  cacheControl: string,
  options: {
    readonly variesBy?: readonly string[] | undefined;
    readonly snapshotId?: string | undefined;
  } = {},
): SharedHeaders {
  const { variesBy = [], snapshotId } = options;
  const lines = fieldLines([
    ...(validators === undefined ? [] : [['ETag', validators.entityTag] as const]),
    ['Cache-Control', cacheControl],
    ...lastModifiedField(validators?.lastModified),
    ['Vary', ['Accept-Encoding', ...variesBy].join(', ')],
    ...(snapshotId === undefined ? [] : [['X-Snapshot-Id', snapshotId] as const]),
    ...CROSS_ORIGIN,
  ]);
  return { validators, lines, notModified: { status: 304, headers: blockOf(lines) } };
}

/** Header fields of a representation that is independent of snapshots: an entity tag and no date. */
export function headersByDigest(
  digest: string,
  cacheControl: string,
  variesBy?: readonly string[],
): SharedHeaders {
  const validators = { entityTag: `W/"${digest}"`, lastModified: undefined };
  return sharedHeaders(validators, cacheControl, { variesBy });
}

/** @param own header fields of this answer, which its 304 does not have. */
export function representation(
  { validators, lines, notModified }: SharedHeaders,
  own: readonly HeaderField[],
  body: NonNullable<Answer['body']>,
  status: Answer['status'] = 200,
): Representation {
  const headers = blockOf(fieldLines(own), lines);
  return { validators, answer: { status, headers, body }, notModified };
}

/** Validators of an answer with inputs beside the snapshot, which a date cannot identify. */
export function variantValidators(validators: Validators, variant: string | undefined): Validators {
  if (variant === undefined) return validators;
  const { entityTag } = validators;
  return { entityTag: `${entityTag.slice(0, -1)}.${variant}"`, lastModified: undefined };
}

export function lastModifiedField(date: Validators['lastModified']): readonly HeaderField[] {
  return date === undefined ? [] : [['Last-Modified', httpDate(date)]];
}

/** `Tue, 15 Nov 1994 12:45:26 GMT` (RFC 9110 §5.6.7). */
export function httpDate(epochMs: number): string {
  return new Date(epochMs).toUTCString();
}

/** The fields of a conditional request; missing ones are empty. */
export interface Conditions {
  readonly ifNoneMatch: string;
  readonly ifModifiedSince: string;
}

export interface Preferences extends Conditions {
  readonly gzip: boolean;
}

/** Finds gzip in a list without weights, as browsers and libraries send it. */
const NAMES_GZIP = /(?:^|,)[ \t]*(?:(?:x-)?gzip|\*)[ \t]*(?:,|$)/i;

/** Whether gzip is acceptable, with at least the weight of identity. */
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
  // Named by nothing, not even by `*`, identity is acceptable but less preferred than named codings.
  const identity = weights.get('identity') ?? any ?? 0;
  return gzip > 0 && gzip >= identity;
}

/** Items of a list in lower case, without parameters, with weights (RFC 9110 §12.4.2). */
export function weightedItems(list: string): readonly (readonly [item: string, weight: number])[] {
  return list
    .toLowerCase()
    .split(',')
    .map((text) => {
      const [item = '', ...parameters] = text.split(';').map((part) => part.trim());
      return [item, weight(parameters)];
    });
}

/** The weight of an item: its quality value, by default 1; 0 if that is malformed. */
function weight(parameters: readonly string[]): number {
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  if (quality === undefined) return 1;
  return /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(quality) ? Number(quality.slice(2)) : 0;
}

/** Whether the answer is 304 (RFC 9110 §13.1.3): a malformed date is ignored, and so is any beside `If-None-Match`. */
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

/** The 304 if the client has this representation, else the whole answer. */
export function conditionalAnswer(
  { validators, answer, notModified }: Representation,
  conditions: Conditions,
): Answer {
  // Most requests have no condition.
  if (conditions.ifNoneMatch === '' && conditions.ifModifiedSince === '') return answer;
  return validators && isNotModified(conditions, validators) ? notModified : answer;
}

/** Whether a list has the tag, by weak comparison (RFC 9110 §13.1.2); ignores the `-gzip` that some proxies add. */
function listsTag(header: string, entityTag: string): boolean {
  if (header === entityTag || header.trim() === '*') return true;
  const wanted = entityTag.slice(entityTag.indexOf('"') + 1, -1);
  for (const [, tag] of header.matchAll(/(?:W\/)?"([^"]*)"/g)) {
    if (tag === wanted || tag === `${wanted}-gzip`) return true;
  }
  return false;
}

/** Parses the current form of dates; the two obsolete ones are ignored. */
export function parseHttpDate(text: string): number | undefined {
  const epochMs = Date.parse(text);
  // Only the text of an existing day in this form equals the formatted date.
  return !Number.isNaN(epochMs) && httpDate(epochMs) === text ? epochMs : undefined;
}
