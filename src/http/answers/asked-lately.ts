/** Which targets were asked for a moment ago: what is asked for once is not worth a place in a cache. */
import { crc32 } from 'node:zlib';
import type { CacheKey } from './answer-cache.js';

/** Places for so many targets; a later one takes the place of an earlier one with the same remainder. */
const TARGETS = 8192;

/** Knows targets by their CRC-32, 32 kB in all: two that have the same one are only cached too early. */
export class AskedLately {
  readonly #checksums = new Uint32Array(TARGETS);

  /** Whether it was asked for before; now it was. */
  again({ typed }: Pick<CacheKey, 'typed'>): boolean {
    const checksum = crc32(typed);
    const place = checksum % TARGETS;
    if (this.#checksums[place] === checksum) return true;
    this.#checksums[place] = checksum;
    return false;
  }
}
