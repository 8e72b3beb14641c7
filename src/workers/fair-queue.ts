/**
 * A fair queue: the next client is the one that has taken least time for its weight (start-time fair queueing: Goyal,
 * Vin and Cheng 1996). An idle client gains nothing: it begins level with the last one. Pure: no clock.
 */

/** Idle clients that are remembered, the last ones, of those that have taken more than the others. */
const REMEMBERED_MAX = 1000;

export class FairQueue<Who> {
  readonly #weightOf: (who: Who) => number;
  /** Milliseconds for each unit of weight that a waiting client has taken since its start level. */
  readonly #waiting = new Map<Who, number>();
  /** Time taken by clients that are idle now, when it is above the level. */
  readonly #remembered = new Map<Who, number>();
  /** Time that the client which came last had taken before. */
  #levelMs = 0;

  /** @param weightOf how much time one gets beside the others; Infinity: it comes before them. Default: all the same. */
  constructor(weightOf: (who: Who) => number = () => 1) {
    this.#weightOf = weightOf;
  }

  /** One begins to wait; without effect where it waits already. */
  enter(who: Who): void {
    if (this.#waiting.has(who)) return;
    const beginMs = Math.max(this.#levelMs, this.#remembered.get(who) ?? 0);
    this.#waiting.set(who, this.#weightOf(who) === Infinity ? -Infinity : beginMs);
    this.#remembered.delete(who);
  }

  /** One waits no more. */
  leave(who: Who): void {
    const takenMs = this.#waiting.get(who);
    if (takenMs === undefined) return;
    this.#waiting.delete(who);
    this.#remember(who, takenMs);
  }

  /** The client that has taken least, of several the heaviest; undefined when none waits. */
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

  /** Counts time that one has taken; negative: that it has taken so much less than was counted. */
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
