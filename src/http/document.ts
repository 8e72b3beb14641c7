/** Finished documents that no snapshot changes, such as the data dictionary: made and compressed once a process. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Answer } from './answer.js';
import { isNotModified, type Conditions } from './caching.js';
import { CROSS_ORIGIN, LINK } from './common-headers.js';
import { headerBlock, type HeaderField } from './header-block.js';

export interface DocumentWish extends Conditions {
  readonly gzip: boolean;
}

export class Document {
  readonly #entityTag: string;
  readonly #identity: Answer;
  readonly #gzip: Answer;
  readonly #notModified: Answer;

  constructor(contentType: string, text: string) {
    const bytes = Buffer.from(text);
    const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
    this.#entityTag = `W/"${digest}"`;
    const shared: readonly HeaderField[] = [
      ['ETag', this.#entityTag],
      ['Cache-Control', 'public, max-age=300, stale-while-revalidate=86400'],
      ['Vary', 'Accept-Encoding'],
      ...CROSS_ORIGIN,
    ];
    const own: readonly HeaderField[] = [['Content-Type', contentType], LINK];
    this.#identity = { status: 200, headers: headerBlock([...own, ...shared]), body: bytes };
    this.#gzip = {
      status: 200,
      headers: headerBlock([...own, ['Content-Encoding', 'gzip'], ...shared]),
      body: gzipSync(bytes, { level: 9 }),
    };
    this.#notModified = { status: 304, headers: headerBlock(shared) };
  }

  answer(wish: DocumentWish): Answer {
    // It has no date of its own: only its tag tells whether it changed.
    const validators = { entityTag: this.#entityTag, lastModifiedMs: Infinity };
    if (isNotModified(wish, validators)) return this.#notModified;
    return wish.gzip ? this.#gzip : this.#identity;
  }
}
