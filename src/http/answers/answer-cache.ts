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

/**
 * What an answer is cached under: what the client has typed, and what the service adds. Two texts, because joining them
 * takes as long as everything else of a look-up.
 */
export interface CacheKey {
  /** The part of the request's target that differs from one request for the endpoint to another. */
  readonly typed: string;
  /** The endpoint, the content coding, and whatever else the answer depends on. */
  readonly form: string;
}

/** Answers by request target. */
export class CachedAnswers {
  /** Answers to the same typed text: one query can be asked of several endpoints, in two content codings. */
  readonly #entries = new AnswerCache<ReadonlyMap<string, Representation>>(ANSWERS_BYTES, (forms) =>
    sum([...forms.values()].map(residentBytesOfAnswer)),
  );

  get({ typed, form }: CacheKey): Representation | undefined {
    return this.#entries.get(typed)?.get(form);
  }

  set({ typed, form }: CacheKey, answer: Representation): void {
    const others = this.#entries.get(typed) ?? [];
    this.#entries.set(typed, new Map([...others, [form, answer]]));
  }

  clear(): void {
    this.#entries.clear();
  }
}

function residentBytesOfAnswer({ answer: { body } }: Representation): number {
  return ENTRY_BYTES + (body instanceof Uint8Array ? body.byteLength : (body?.residentBytes ?? 0));
}

/** What workers have made, by job. */
export function cacheOfPlans(): AnswerCache<Plan> {
  return new AnswerCache(PLANS_BYTES, ({ chunks }) => sum(chunks.map(residentBytesOf)));
}

/** An object, a start and what it holds, roughly. */
export function residentBytesOf(chunk: Chunk): number {
  return chunk.kind === 'bytes' ? 256 + chunk.bytes.byteLength : 80;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
