/** Finished documents that no snapshot changes: the data dictionary, the assets of pages. Held in memory by each process. */
import { createHash } from 'node:crypto';
import type { Answer } from '../semantics/answer.js';
import { isNotModified, type Conditions } from '../semantics/caching.js';
import { CROSS_ORIGIN } from '../semantics/common-headers.js';
import { headerBlock, type HeaderField } from '../semantics/header-block.js';

export interface DocumentWish extends Conditions {
  readonly gzip: boolean;
}

export interface DocumentOptions {
  readonly bytes: Uint8Array;
  /** The same bytes compressed. */
  readonly gzip?: Uint8Array | undefined;
  readonly cacheControl: string;
  /** `Content-Type` and whatever else is its own. */
  readonly fields: readonly HeaderField[];
}

export class Document {
  readonly #entityTag: string;
  readonly #identity: Answer;
  /** Undefined where compression gains nothing. */
  readonly #gzip: Answer | undefined;
  readonly #notModified: Answer;

  constructor({ bytes, gzip, cacheControl, fields }: DocumentOptions) {
    const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
    this.#entityTag = `W/"${digest}"`;
    const shared: readonly HeaderField[] = [
      ['ETag', this.#entityTag],
      ['Cache-Control', cacheControl],
      ['Vary', 'Accept-Encoding'],
      ...CROSS_ORIGIN,
    ];
    this.#identity = { status: 200, headers: headerBlock([...fields, ...shared]), body: bytes };
    this.#gzip = gzip && {
      status: 200,
      headers: headerBlock([...fields, ['Content-Encoding', 'gzip'], ...shared]),
      body: gzip,
    };
    this.#notModified = { status: 304, headers: headerBlock(shared) };
  }

  answer(wish: DocumentWish): Answer {
    // It has no date of its own: only its tag tells whether it changed.
    const validators = { entityTag: this.#entityTag, lastModifiedMs: Infinity };
    if (isNotModified(wish, validators)) return this.#notModified;
    return (wish.gzip ? this.#gzip : undefined) ?? this.#identity;
  }
}
