/**
 * Start-time fair queueing: the next client is the one that has used the least time for its weight. An idle client
 * saves no time for later: it starts at the level of the client that was chosen last. Pure: no clock.
 */

/** Limit of idle clients above the level whose time is remembered. */
const REMEMBERED_MAX = 1000;

export class FairQueue<Who> {
  readonly #weightOf: (who: Who) => number;
  /** Time of each waiting client: its level at the start, plus its milliseconds divided by its weight. */
  readonly #waiting = new Map<Who, number>();
  /** Time of each idle client above the level. */
  readonly #remembered = new Map<Who, number>();
  /** Time of the client that was chosen last, before it was charged for the job. */
  #levelMs = 0;

  /** @param weightOf weight of a client; Infinity precedes all others. Default: equal weights. */
  constructor(weightOf: (who: Who) => number = () => 1) {
    this.#weightOf = weightOf;
  }

  /** Adds a client to the waiting clients; no effect if it waits already. */
  enter(who: Who): void {
    if (this.#waiting.has(who)) return;
    const beginMs = Math.max(this.#levelMs, this.#remembered.get(who) ?? 0);
    this.#waiting.set(who, this.#weightOf(who) === Infinity ? -Infinity : beginMs);
    this.#remembered.delete(who);
  }

  leave(who: Who): void {
    const takenMs = this.#waiting.get(who);
    if (takenMs === undefined) return;
    this.#waiting.delete(who);
    this.#remember(who, takenMs);
  }

  /** The waiting client with the least time, and among equals the highest weight; undefined without one. */
  next(): Who | undefined {
    let next: Who | undefined;
    let leastMs = Infinity;
    let weight = 0;
    for (const [who, takenMs] of this.#waiting) {
      if (takenMs > leastMs || (takenMs === leastMs && this.#weightOf(who) <= weight)) continue;
      next = who;
      leastMs = takenMs;
      weight = this.#weightOf(who);
    }
    if (leastMs < Infinity) this.#levelMs = Math.max(this.#levelMs, leastMs);
    return next;
  }

  /** Charges a client for time; a negative time corrects an estimate. */
  charge(who: Who, milliseconds: number): void {
    const takenMs = this.#waiting.get(who);
    const moreMs = milliseconds / this.#weightOf(who);
    if (takenMs !== undefined) this.#waiting.set(who, takenMs + moreMs);
    else this.#remember(who, (this.#remembered.get(who) ?? this.#levelMs) + moreMs);
  }

  #remember(who: Who, takenMs: number): void {
    this.#remembered.delete(who);
    if (takenMs > this.#levelMs) this.#remembered.set(who, takenMs);
    for (const oldest of this.#remembered.keys()) {
      if (this.#remembered.size <= REMEMBERED_MAX) break;
      this.#remembered.delete(oldest);
    }
  }
}
