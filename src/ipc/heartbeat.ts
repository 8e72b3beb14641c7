/** The heartbeat of supervisor and fronts: a `ping` each second (`docs/operations/running.md, "Hung processes"`). */

/** Time between two beats. */
export const BEAT_MS = 1000;

/** Missed beats after which a front is no longer waited for: its event loop is never busy for that long. */
export const LATE_BEATS = 2;

/** Missed beats after which a process counts as hung. */
export const HUNG_BEATS = 5;

/** Beats that a front may take from its start to its first message: it loads its libraries before it reads messages. */
export const STARTING_BEATS = 30;

/**
 * Counts beats since the other side's last message. It counts beats, not time: a process that was itself stopped counts
 * only one beat when it continues, and has read the other side's messages before the next beat.
 */
export class MissedBeats {
  #beats = 0;

  /** Counts a beat. @returns the number of beats missed so far. */
  beat(): number {
    this.#beats += 1;
    return this.#beats;
  }

  /** Called at a message of the other side. @returns the number of beats missed before it. */
  reset(): number {
    const beats = this.#beats;
    this.#beats = 0;
    return beats;
  }
}
