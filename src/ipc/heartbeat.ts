/**
 * The heartbeat between supervisor and fronts, a `ping` each second (`docs/operations/running.md, "Hung processes"`).
 */

/** Between two beats. */
export const BEAT_MS = 1000;

/** Missed beats after which a front is no longer waited for: its event loop is never busy for that long. */
export const LATE_BEATS = 2;

/** Missed beats after which a process counts as hung. */
export const HUNG_BEATS = 5;

/** Beats that a front may take from its start to its first message: it loads its libraries before it listens to any. */
export const STARTING_BEATS = 30;

/**
 * Counts beats since the other side's last message. Beats instead of a clock: a process that was stopped itself counts
 * one when it goes on, and has read the other side's messages by the next.
 */
export class MissedBeats {
  #beats = 0;

  /** Answers how many have been missed by now. */
  beat(): number {
    this.#beats += 1;
    return this.#beats;
  }

  /** The other side was heard; answers how many were missed before. */
  reset(): number {
    const beats = this.#beats;
    this.#beats = 0;
    return beats;
  }
}
