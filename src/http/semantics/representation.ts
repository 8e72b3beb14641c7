/** One representation of a resource: its validators, and its answers to a client that has it and to one that has not (RFC 9110 §8). */
import type { Answer } from './answer.js';
import { CROSS_ORIGIN } from './common-headers.js';
import { blockOf, fieldLines, type FieldLines, type HeaderField } from './header-block.js';

/** What every answer made from one snapshot is validated by. */
export interface Validators {
  /** `W/"{snapshot_id}-{build}"` (`docs/http-api/answers.md, "Entity tags"`). */
  readonly entityTag: string;
  /** Whole seconds, epoch milliseconds; undefined where no date identifies the representation. */
  readonly lastModified: number | undefined;
}

export interface Representation {
  /** Undefined where no client is to keep it. */
  readonly validators: Validators | undefined;
  /** 200 or the status of its own, with the body. */
  readonly answer: Answer;
  /** 304: the same validators and rules for caches, without a body (RFC 9110 §15.4.5). */
  readonly notModified: Answer;
}

/** What the representations of many resources have in common, made once for all of them. */
export interface SharedHeaders {
  readonly validators: Validators | undefined;
  /** Of the 200 and the 304. */
  readonly lines: FieldLines;
  readonly notModified: Answer;
}

/** @param fields of the 200 and the 304. */
export function sharedHeaders(
  validators: Validators | undefined,
  fields: readonly HeaderField[],
): SharedHeaders {
  const lines = fieldLines(fields);
  return { validators, lines, notModified: { status: 304, headers: blockOf(lines) } };
}

/** Of a representation that no snapshot changes: it has no date of its own, only its tag tells whether it changed. */
export function headersByDigest(digest: string, cacheControl: string): SharedHeaders {
  const validators = { entityTag: `W/"${digest}"`, lastModified: undefined };
  return sharedHeaders(validators, [
    ['ETag', validators.entityTag],
    ['Cache-Control', cacheControl],
    ['Vary', 'Accept-Encoding'],
    ...CROSS_ORIGIN,
  ]);
}

/**
 * @param own header fields of the 200 alone: what its content is.
 * @param status instead of 200.
 */
export function representation(
  { validators, lines, notModified }: SharedHeaders,
  own: readonly HeaderField[],
  body: NonNullable<Answer['body']>,
  status: Answer['status'] = 200,
): Representation {
  const headers = blockOf(fieldLines(own), lines);
  return { validators, answer: { status, headers, body }, notModified };
}

/** Validators of an answer that depends on more than the snapshot, so that its date does not identify it. */
export function variantValidators(validators: Validators, variant: string | undefined): Validators {
  if (variant === undefined) return validators;
  const { entityTag } = validators;
  return { entityTag: `${entityTag.slice(0, -1)}.${variant}"`, lastModified: undefined };
}

/** The header field of a date, where there is one. */
export function lastModifiedField(date: Validators['lastModified']): readonly HeaderField[] {
  return date === undefined ? [] : [['Last-Modified', httpDate(date)]];
}

/** `Tue, 15 Nov 1994 12:45:26 GMT` (RFC 9110 §5.6.7). */
export function httpDate(epochMs: number): string {
  return new Date(epochMs).toUTCString();
}
