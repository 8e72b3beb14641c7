/** Finished answers, and what they are made of, within a limit of memory (`docs/architecture.md, "Caches"`). */
import { LRUCache } from 'lru-cache';
import type { Chunk, Plan } from '../../snapshot/local/plan.js';
import type { Representation } from '../semantics/representation.js';

/** Of one front process: a network of 105,000 rows has 12 MB of small answers with gzip and 56 MB without. */
const ANSWERS_BYTES = 32 * 1024 * 1024;

const PLANS_BYTES = 8 * 1024 * 1024;

/** What an entry costs beside its body: header fields, validators, the two ends of a list. */
const ENTRY_BYTES = 1024;

/** Longer keys are not cached: nobody asks twice for what takes as many words. */
const KEY_LENGTH_MAX = 512;

/**
 * What was requested of one snapshot last.
 *
 * A swap begins a new one, so no entry outlives its snapshot. A client that varies its target only makes the entries
 * that nobody asks for leave sooner.
 */
export class AnswerCache<Value extends object> {
  readonly #entries: LRUCache<string, Value>;

  /** @param bytesOf what a value holds beside the size of any entry. */
  constructor(limitBytes: number, bytesOf: (value: Value) => number) {
    this.#entries = new LRUCache({
      maxSize: limitBytes,
      // A client's text may have two bytes a character.
      sizeCalculation: (value, key) => ENTRY_BYTES + 2 * key.length + bytesOf(value),
    });
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: Value): void {
    if (key.length <= KEY_LENGTH_MAX) this.#entries.set(key, value);
  }

  clear(): void {
    this.#entries.clear();
  }
}

/** Answers by request target. */
export function cacheOfAnswers(): AnswerCache<Representation> {
  return new AnswerCache(ANSWERS_BYTES, ({ answer: { body } }) =>
    body instanceof Uint8Array ? body.byteLength : (body?.residentBytes ?? 0),
  );
}

/** What workers have made, by job. */
export function cacheOfPlans(): AnswerCache<Plan> {
  return new AnswerCache(PLANS_BYTES, ({ chunks }) =>
    chunks.reduce((sum, chunk) => sum + residentBytesOf(chunk), 0),
  );
}

/** An object, a start and what it holds, roughly. */
export function residentBytesOf(chunk: Chunk): number {
  return chunk.kind === 'bytes' ? 256 + chunk.bytes.byteLength : 80;
}
