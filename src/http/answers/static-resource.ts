/** Resources that no snapshot changes: the data dictionary, the assets of pages, what describes an archive. Each process holds them in memory. */
import { createHash } from 'node:crypto';
import type { Answer } from '../semantics/answer.js';
import type { HeaderField } from '../semantics/header-block.js';
import {
  conditionalAnswer,
  headersByDigest,
  representation,
  type Preferences,
  type Representation,
} from '../semantics/representation.js';

export interface StaticResourceOptions {
  readonly bytes: Uint8Array;
  /** The bytes in gzip; undefined when compression gains nothing. */
  readonly gzip?: Uint8Array | undefined;
  readonly cacheControl: string;
  /** Fields of the request that it is made from, beside `Accept-Encoding`. Default: none. */
  readonly variesBy?: readonly string[];
  /** `Content-Type` and whatever else is its own. */
  readonly fields: readonly HeaderField[];
}

export class StaticResource {
  readonly #identity: Representation;
  readonly #gzip: Representation;

  constructor({ bytes, gzip, cacheControl, variesBy, fields }: StaticResourceOptions) {
    const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
    const codings = headersByDigest(digest, cacheControl, variesBy);
    this.#identity = representation(codings, fields, bytes);
    const encoded: readonly HeaderField[] = [...fields, ['Content-Encoding', 'gzip']];
    this.#gzip = gzip ? representation(codings, encoded, gzip) : this.#identity;
  }

  answer(preferences: Preferences): Answer {
    return conditionalAnswer(preferences.gzip ? this.#gzip : this.#identity, preferences);
  }
}
