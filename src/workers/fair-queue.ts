/**
 * A fair queue: the next client is the one that has taken least time for its weight (start-time fair queueing: Goyal,
 * Vin and Cheng 1996). An idle client gains nothing: it begins level with the last one. Pure: no clock.
 */

/** Number of remembered idle clients, of those above the level. */
const REMEMBERED_MAX = 1000;

export class FairQueue<Who> {
  readonly #weightOf: (who: Who) => number;
  /** Milliseconds for each unit of weight that a waiting client has taken since its start level. */
  readonly #waiting = new Map<Who, number>();
  /** Time of idle clients above the level. */
  readonly #remembered = new Map<Who, number>();
  /** Time of the client that came last, before its last job. */
  #levelMs = 0;

  /** @param weightOf share of a client; Infinity precedes all others. Default: equal. */
  constructor(weightOf: (who: Who) => number = () => 1) {
    this.#weightOf = weightOf;
  }

  /** A client begins to wait; no effect on a waiting one. */
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

  /** The client with the least time, of several the heaviest; undefined when none waits. */
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

  /** Adds time to a client; negative corrects an estimate. */
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
