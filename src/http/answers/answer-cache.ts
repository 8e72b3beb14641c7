/** Finished answers, and what they are made of, within a limit of memory (`docs/architecture.md, "Caches"`). */
import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { Chunk, Plan } from '../../snapshot/local/plan.js';
import type { Representation } from '../semantics/representation.js';

/** Of one front process: a network of 105,000 rows has 12 MB of small answers with gzip and 56 MB without. */
const ANSWERS_BYTES = 32 * 1024 * 1024;

/** The map of one network, in two themes and content codings, takes 0.3 MB. */
const IMMUTABLE_BYTES = 2 * 1024 * 1024;

const PLANS_BYTES = 8 * 1024 * 1024;

/** What an entry costs beside its body: header fields, validators, the two ends of a list. */
const ENTRY_BYTES = 1024;

/** Longer keys are not cached: nobody asks twice for what takes as many words. */
const KEY_LENGTH_MAX = 512;

/**
 * Answers by what tells their requests apart, those that were requested last; each snapshot has its own, so that no entry
 * outlives its snapshot.
 *
 * What is requested once, by a client that varies its requests without end, would take the place of what everybody asks
 * for: once half of it is taken, an answer is stored when it is requested again; one that is quickly made, always.
 */
export class CachedAnswers extends LRUCache<string, Representation> {
  readonly #recent = new RecentKeys();

  constructor(maxBytes = ANSWERS_BYTES) {
    super({ maxSize: maxBytes });
  }

  add(key: string, answer: Representation, isQuicklyMade = false): void {
    if (key.length > KEY_LENGTH_MAX) return;
    const isScarce = isQuicklyMade || this.calculatedSize > this.maxSize / 2;
    if (isScarce && !this.#recent.again(key)) return;
    const { body } = answer.answer;
    const bytes = body instanceof Uint8Array ? body.byteLength : (body?.residentBytes ?? 0);
    this.set(key, answer, { size: entryBytes(key) + bytes });
  }
}

/** A later key takes the place of an earlier one with the same remainder. */
const RECENT_KEYS = 8192;

/**
 * Which keys were added a moment ago, by their CRC-32, 32 kB in all: two that have the same one are only cached too early.
 */
class RecentKeys {
  readonly #checksums = new Uint32Array(RECENT_KEYS);

  /** Whether it was added before; now it was. */
  again(key: string): boolean {
    const checksum = crc32(key);
    const at = checksum % RECENT_KEYS;
    if (this.#checksums[at] === checksum) return true;
    this.#checksums[at] = checksum;
    return false;
  }
}

/** Answers whose address has the digest of their bytes: the same whatever this process serves. */
export const IMMUTABLE_ANSWERS = new CachedAnswers(IMMUTABLE_BYTES);

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
