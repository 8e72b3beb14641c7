/** Caches finished answers by the parts of requests that shape them (docs/architecture.md, "Caches"). */
import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { Representation } from '../semantics/representation.js';

/** Cache of one front process: a network of 105,000 rows has 12 MB of small answers with gzip, 56 MB without. */
const ANSWERS_BYTES = 32 * 1024 * 1024;

/** The map of one network, in two themes and content codings, takes 0.3 MB. */
const IMMUTABLE_BYTES = 2 * 1024 * 1024;

/** Memory of an entry beside its body: header fields, validators, the two ends of a list. */
const ENTRY_BYTES = 1024;

/** Longer keys are not cached: requests that long hardly repeat. */
export const KEY_LENGTH_MAX = 512;

/**
 * Caches the answers of one snapshot that were requested last.
 *
 * A client that varies its requests without end must not displace popular answers: once half of the cache is taken, an
 * answer is stored at its second request. An answer that is rendered quickly is always treated so.
 */
export class AnswerCache extends LRUCache<string, Representation> {
  /** CRC-32 of recently added keys, 32 kB in all; a collision only caches an answer too early. */
  readonly #recent = new Uint32Array(RECENT_KEYS);

  constructor(maxBytes = ANSWERS_BYTES) {
    super({ maxSize: maxBytes });
  }

  add(key: string, answer: Representation, isQuick = false): void {
    if (key.length > KEY_LENGTH_MAX) return;
    if (isQuick || this.calculatedSize > this.maxSize / 2) {
      const checksum = crc32(key);
      const at = checksum % RECENT_KEYS;
      const isRecent = this.#recent[at] === checksum;
      this.#recent[at] = checksum;
      if (!isRecent) return;
    }
    const { body } = answer.answer;
    const bytes = body instanceof Uint8Array ? body.byteLength : (body?.residentBytes ?? 0);
    this.set(key, answer, { size: entryBytes(key) + bytes });
  }
}

/** A later key replaces an earlier one with the same remainder. */
const RECENT_KEYS = 8192;

/** Answers with the digest of their bytes in the address, the same for every snapshot. */
export const IMMUTABLE_ANSWERS = new AnswerCache(IMMUTABLE_BYTES);

/** A client's text may have two bytes per character. */
export function entryBytes(key: string): number {
  return ENTRY_BYTES + 2 * key.length;
}
