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
 * What an answer is cached under. Two texts, because joining them takes as long as everything else of a look-up.
 */
export interface CacheKey {
  /** The part of the request's target that differs from one request for the endpoint to another, as the client typed it. */
  readonly target: string;
  /** The endpoint, the content coding, and whatever else the answer depends on. */
  readonly variant: string;
}

/**
 * Answers by request target, those that were requested last: to one target the answers of several endpoints, in two
 * content codings.
 *
 * Each snapshot has its own, so no entry outlives its snapshot. A client that varies its target only makes the entries
 * that nobody asks for leave sooner.
 */
export class CachedAnswers extends LRUCache<string, ReadonlyMap<string, Representation>> {
  constructor() {
    super({ maxSize: ANSWERS_BYTES });
  }

  add({ target, variant }: CacheKey, answer: Representation): void {
    if (target.length > KEY_LENGTH_MAX) return;
    const variants = new Map([...(this.get(target) ?? []), [variant, answer]]);
    let size = entryBytes(target);
    for (const { answer: one } of variants.values()) {
      const { body } = one;
      size += ENTRY_BYTES;
      size += body instanceof Uint8Array ? body.byteLength : (body?.residentBytes ?? 0);
    }
    this.set(target, variants, { size });
  }
}

/** What workers have made, by job. */
export class CachedPlans extends LRUCache<string, Plan> {
  constructor() {
    super({ maxSize: PLANS_BYTES });
  }

  add(key: string, plan: Plan): void {
    if (key.length > KEY_LENGTH_MAX) return;
    const size = plan.chunks.reduce((sum, chunk) => sum + residentBytesOf(chunk), entryBytes(key));
    this.set(key, plan, { size });
  }
}

/** An object, a start and what it holds, roughly. */
export function residentBytesOf(chunk: Chunk): number {
  return chunk.kind === 'bytes' ? 256 + chunk.bytes.byteLength : 80;
}

/** A client's text may have two bytes a character. */
function entryBytes(key: string): number {
  return ENTRY_BYTES + 2 * key.length;
}
