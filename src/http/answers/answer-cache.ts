/** Caches answers by the parts of requests that shape them (docs/architecture.md, "Caches"). */
import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { Representation } from '../semantics/representation.js';

/** Default size of a front's cache: a network of 105,000 rows has 12 MB of small answers with gzip, 56 MB without. */
const ANSWERS_BYTES = 32 * 1024 * 1024;

/** Size of the cache of immutable answers; the map of one network, in two themes and content codings, takes 0.3 MB. */
const IMMUTABLE_BYTES = 2 * 1024 * 1024;

/** Memory of an entry beside its body: header fields, validators, the text around the records of a list. */
const ENTRY_BYTES = 1024;

/** Answers with longer keys are not cached, since such long requests hardly repeat. */
export const KEY_LENGTH_MAX = 512;

/**
 * Caches the answers that were requested last. A client that varies its requests without end must not displace popular
 * answers: once the cache is half full, an answer is stored at its second request. This always applies to answers that
 * are rendered quickly.
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

/** Number of remembered keys; a later key replaces an earlier one with the same remainder of its checksum. */
const RECENT_KEYS = 8192;

/** Caches answers whose address contains the digest of their bytes, for all snapshots. */
export const IMMUTABLE_ANSWERS = new AnswerCache(IMMUTABLE_BYTES);

/** Memory of an entry without its body; a key may take two bytes per character. */
export function entryBytes(key: string): number {
  return ENTRY_BYTES + 2 * key.length;
}
