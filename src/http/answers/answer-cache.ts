/** The one cache of finished answers: by request target, within a limit of memory (`docs/architecture.md, "Caches"`). */
import { LRUCache } from 'lru-cache';
import type { Representation } from '../semantics/representation.js';

/** Of one front process: a network of 105,000 rows has 12 MB of small answers with gzip and 56 MB without. */
const LIMIT_BYTES = 32 * 1024 * 1024;

/** What an entry costs beside its body: header fields, validators, the two ends of a list. */
const ENTRY_BYTES = 1024;

/** Longer keys are not cached: nobody asks twice for what takes as many words. */
const KEY_LENGTH_MAX = 512;

/**
 * The answers of one snapshot that were requested last, by request target.
 *
 * A swap begins a new one, so no entry outlives its snapshot. A client that varies its target only makes the entries
 * that nobody asks for leave sooner.
 */
export class AnswerCache {
  readonly #entries = new LRUCache<string, Representation>({
    maxSize: LIMIT_BYTES,
    sizeCalculation: ({ answer: { body } }, key) => {
      const bodyBytes = body instanceof Uint8Array ? body.byteLength : (body?.residentBytes ?? 0);
      // A client's text may have two bytes a character.
      return ENTRY_BYTES + 2 * key.length + bodyBytes;
    },
  });

  get(key: string): Representation | undefined {
    return this.#entries.get(key);
  }

  set(key: string, representation: Representation): void {
    if (key.length <= KEY_LENGTH_MAX) this.#entries.set(key, representation);
  }

  clear(): void {
    this.#entries.clear();
  }
}
