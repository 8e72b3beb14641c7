/** Counts the large bodies on their way, by client: each that is not read holds memory of the kernel. */
import { hasPlace } from '../semantics/fair-share.js';

export class LargeBodies {
  readonly #max: number;
  readonly #byClient = new Map<string, number>();
  #underWay = 0;

  /** @param max at a time, to all clients of this process. */
  constructor(max: number) {
    this.#max = max;
  }

  /** Large bodies that are on their way. */
  get underWay(): number {
    return this.#underWay;
  }

  /** Whether this client may be sent one more; then it is counted until `end`. */
  begin(client: string): boolean {
    const held = this.#byClient.get(client) ?? 0;
    if (!hasPlace({ max: this.#max, taken: this.#underWay, held })) return false;
    this.#underWay += 1;
    this.#byClient.set(client, held + 1);
    return true;
  }

  end(client: string): void {
    this.#underWay -= 1;
    const held = (this.#byClient.get(client) ?? 1) - 1;
    if (held === 0) this.#byClient.delete(client);
    else this.#byClient.set(client, held);
  }
}
