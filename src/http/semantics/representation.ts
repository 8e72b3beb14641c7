/** One representation of a resource, and how a conditional request for it is answered (RFC 9110 §8, §13). */
import type { Answer } from './answer.js';
import { isNotModified, type Conditions, type Validators } from './caching.js';
import { blockOf, fieldLines, type FieldLines, type HeaderField } from './header-block.js';

export interface Representation {
  /** Undefined where no client is to keep it. */
  readonly validators: Validators | undefined;
  /** 200, with the body. */
  readonly answer: Answer;
  /** 304: the same validators and rules for caches, without a body (RFC 9110 §15.4.5). */
  readonly notModified: Answer;
}

/** What the representations of many resources have in common, made once for all of them. */
export interface Family {
  readonly validators: Validators | undefined;
  /** Of the 200 and the 304. */
  readonly lines: FieldLines;
  readonly notModified: Answer;
}

/** @param fields of the 200 and the 304. */
export function family(validators: Validators | undefined, fields: readonly HeaderField[]): Family {
  const lines = fieldLines(fields);
  return { validators, lines, notModified: { status: 304, headers: blockOf(lines) } };
}

/** @param own header fields of the 200 alone: what its content is. */
export function representation(
  { validators, lines, notModified }: Family,
  own: readonly HeaderField[],
  body: NonNullable<Answer['body']>,
): Representation {
  const headers = blockOf(fieldLines(own), lines);
  return { validators, answer: { status: 200, headers, body }, notModified };
}

/** 304 to a client that has this representation already, else 200. */
export function conditionalAnswer(
  { validators, answer, notModified }: Representation,
  conditions: Conditions,
): Answer {
  return validators && isNotModified(conditions, validators) ? notModified : answer;
}
