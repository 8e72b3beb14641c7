/** Counts what clients hold at a time: large bodies or streams of events, each of which takes memory of the kernel, and bytes. */
import { hasPlace } from '../semantics/fair-share.js';

export class ClientPlaces {
  readonly #max: number;
  readonly #byClient = new Map<string, number>();
  #taken = 0;

  /** @param max at a time, to all clients of this process. */
  constructor(max: number) {
    this.#max = max;
  }

  /** By all clients. */
  get taken(): number {
    return this.#taken;
  }

  /** Whether this client may have so many more; then they are counted until `leave`. */
  take(client: string, wanted = 1): boolean {
    const held = this.#byClient.get(client) ?? 0;
    if (!hasPlace({ max: this.#max, taken: this.#taken, held, wanted })) return false;
    this.#taken += wanted;
    this.#byClient.set(client, held + wanted);
    return true;
  }

  leave(client: string, places = 1): void {
    this.#taken -= places;
    const held = (this.#byClient.get(client) ?? places) - places;
    if (held === 0) this.#byClient.delete(client);
    else this.#byClient.set(client, held);
  }
}
