/** Resources that are independent of snapshots, in memory: the data dictionary, assets, descriptions of the archive. */
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
  /** Undefined when compression saves nothing. */
  readonly gzip?: Uint8Array | undefined;
  readonly cacheControl: string;
  /** Request fields beside `Accept-Encoding` that shape the answer; default: none. */
  readonly variesBy?: readonly string[];
  /** `Content-Type` and other header fields of this resource. */
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
