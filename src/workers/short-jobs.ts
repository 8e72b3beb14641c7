/** Time slices of a worker thread: long jobs yield to short ones, such as pages and files. */
import { setImmediate as afterOthers, setTimeout as after } from 'node:timers/promises';

/** Length of a time slice, about the time of a job for one station. */
const TURN_MS = 10;

/** Longest time that long jobs wait for a slice while short jobs run. */
const IDLE_WAIT_MAX_MS = 100;

let running = 0;

/** Time of the last slice of a long job. */
let longTurnAt = -Infinity;

/** Runs a short job, for which long jobs wait. */
export async function asShortJob<T>(job: () => T | Promise<T>): Promise<T> {
  running += 1;
  try {
    return await job();
  } finally {
    running -= 1;
  }
}

/** Runs all steps of a job, and yields to other jobs between them. */
export async function inTurns<T>(steps: Iterator<unknown, T>, isLong: boolean): Promise<T> {
  const turns = new TimeSlices(isLong);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await turns.next();
  }
}

/** The time slices of one job; long jobs of a thread take turns. */
export class TimeSlices {
  readonly #isLong: boolean;
  #endMs = performance.now() + TURN_MS;

  /** @param isLong whether the job also waits for short jobs. */
  constructor(isLong = true) {
    this.#isLong = isLong;
  }

  /** Yields to other jobs when the slice has ended; awaited between two steps. */
  async next(): Promise<void> {
    if (performance.now() < this.#endMs) return;
    if (this.#isLong) longTurnAt = performance.now();
    await afterOthers();
    if (this.#isLong) {
      while (running > 0 && performance.now() < longTurnAt + IDLE_WAIT_MAX_MS) await after(1);
      longTurnAt = performance.now();
    }
    this.#endMs = performance.now() + TURN_MS;
  }
}
