/** Counts what clients hold at a time, such as large bodies or streams of events: each that is not read takes memory of the kernel. */
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

  /** Whether this client may have one more; then it is counted until `leave`. */
  take(client: string): boolean {
    const held = this.#byClient.get(client) ?? 0;
    if (!hasPlace({ max: this.#max, taken: this.#taken, held })) return false;
    this.#taken += 1;
    this.#byClient.set(client, held + 1);
    return true;
  }

  leave(client: string): void {
    this.#taken -= 1;
    const held = (this.#byClient.get(client) ?? 1) - 1;
    if (held === 0) this.#byClient.delete(client);
    else this.#byClient.set(client, held);
  }
}
