/** The answers that clients ask for just now, by what they typed: saves parsing and the read of the map. */

/** Longer request targets are not remembered: nobody types them twice. */
const KEY_LENGTH_MAX = 256;

/** What an entry costs beside its body. */
const ENTRY_BYTES = 512;

/**
 * A bounded memory of finished bodies, of one snapshot and gone with it.
 *
 * Two generations: what is asked for moves to the young one, and the old one is dropped whole when the young
 * one is full. No order is kept, so a hit is one look-up, and a client that varies its target only turns the
 * generations faster.
 */
export class HotAnswers {
  readonly #generationBytes: number;
  #young = new Map<string, Uint8Array>();
  #old = new Map<string, Uint8Array>();
  #youngBytes = 0;

  /** @param limitBytes of both generations together. */
  constructor(limitBytes: number) {
    this.#generationBytes = limitBytes / 2;
  }

  get(key: string): Uint8Array | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.#add(key, old);
    return old;
  }

  /** Keeps a copy of `body`, which may be a view of the map. */
  remember(key: string, body: Uint8Array): void {
    if (key.length > KEY_LENGTH_MAX) return;
    // Not from Node's shared pool: a small slice would keep 8 KB alive.
    this.#add(key, Uint8Array.from(body));
  }

  #add(key: string, body: Uint8Array): void {
    this.#young.set(key, body);
    this.#youngBytes += body.byteLength + ENTRY_BYTES;
    if (this.#youngBytes <= this.#generationBytes) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#youngBytes = 0;
  }
}
