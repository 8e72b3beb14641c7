/** One representation of a resource, and how a conditional request for it is answered (RFC 9110 §8, §13). */
import type { Answer } from './answer.js';
import { isNotModified, type Conditions, type Validators } from './caching.js';
import { headerBlock, type HeaderField } from './header-block.js';

export interface Representation {
  /** Undefined where no client is to keep it. */
  readonly validators: Validators | undefined;
  /** 200, with the body. */
  readonly answer: Answer;
  /** 304: the same validators and rules for caches, without a body (RFC 9110 §15.4.5). */
  readonly notModified: Answer;
}

export interface RepresentationOptions {
  readonly validators: Validators | undefined;
  /** Header fields of the 200 and the 304. */
  readonly shared: readonly HeaderField[];
  /** Header fields of the 200 alone: what its content is. */
  readonly own: readonly HeaderField[];
  readonly body: NonNullable<Answer['body']>;
}

export function representation(options: RepresentationOptions): Representation {
  const { validators, shared, own, body } = options;
  return {
    validators,
    answer: { status: 200, headers: headerBlock([...own, ...shared]), body },
    notModified: { status: 304, headers: headerBlock(shared) },
  };
}

/** 304 to a client that has this representation already, else 200. */
export function conditionalAnswer(
  { validators, answer, notModified }: Representation,
  conditions: Conditions,
): Answer {
  return validators && isNotModified(conditions, validators) ? notModified : answer;
}
