/** The answers that clients ask for just now, by what they typed: saves parsing and the read of the map. */
import type { Coding } from '../../snapshot/local/environment.js';

/** Longer request targets are not remembered: nobody types them twice. */
const KEY_LENGTH_MAX = 256;

/** What an entry costs beside its body. */
const ENTRY_BYTES = 256;

export interface HotAnswer {
  /** Of the body: a client that accepts gzip gets identity where there is no other form. */
  readonly coding: Coding;
  /** A view of the memory's own bytes: to be sent, or copied, before the next answer is remembered. */
  readonly body: Uint8Array;
}

/**
 * A bounded memory of finished bodies, cleared when the snapshot that they come from is no longer served.
 *
 * Two generations: what is asked for moves to the young one, and the old one is dropped whole when the young
 * one is full. No order is kept, so a hit is one look-up, and a client that varies its target only turns the
 * generations faster. Bodies lie in one piece of memory a generation: an allocation for each of them cost three
 * times as much as reading it from the map, once there were more of them than fit.
 */
export class HotAnswers {
  #young: Generation;
  #old: Generation;

  /** @param limitBytes of both generations together. */
  constructor(limitBytes: number) {
    this.#young = new Generation(Math.floor(limitBytes / 2));
    this.#old = new Generation(Math.floor(limitBytes / 2));
  }

  get(key: string): HotAnswer | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    return old && this.#add(key, old);
  }

  /** Keeps a copy of the body, which may be a view of the map. */
  remember(key: string, answer: HotAnswer): void {
    if (key.length <= KEY_LENGTH_MAX) this.#add(key, answer);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }

  #add(key: string, answer: HotAnswer): HotAnswer {
    const added = this.#young.add(key, answer);
    if (added !== undefined) return added;
    // The old one's memory is taken over, so an answer from there has to be added before it is overwritten.
    const kept = { ...answer, body: Uint8Array.from(answer.body) };
    [this.#young, this.#old] = [this.#old, this.#young];
    this.#young.clear();
    return this.#young.add(key, kept) ?? kept;
  }
}

class Generation {
  readonly #bytes: Uint8Array;
  readonly #answers = new Map<string, HotAnswer>();
  #used = 0;

  constructor(sizeBytes: number) {
    // Not touched before it is needed, so that an idle front does not pay for it.
    this.#bytes = new Uint8Array(sizeBytes);
  }

  get(key: string): HotAnswer | undefined {
    return this.#answers.get(key);
  }

  /** Undefined where there is no room left. */
  add(key: string, { coding, body }: HotAnswer): HotAnswer | undefined {
    const end = this.#used + body.byteLength;
    if (end + ENTRY_BYTES > this.#bytes.byteLength) return undefined;
    this.#bytes.set(body, this.#used);
    const answer = { coding, body: this.#bytes.subarray(this.#used, end) };
    this.#answers.set(key, answer);
    this.#used = end + ENTRY_BYTES;
    return answer;
  }

  clear(): void {
    this.#answers.clear();
    this.#used = 0;
  }
}
