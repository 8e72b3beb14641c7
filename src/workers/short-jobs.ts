/** In a worker thread: jobs that may take long let the others end first, each of which is a page or a file that somebody waits for. */
import { setImmediate as afterOthers, setTimeout as after } from 'node:timers/promises';

/** How long a thread is kept from what else waits for it: about as long as a job for one station takes. */
const TURN_MS = 10;

/** While there are short jobs, one of the long ones has a turn after so long: they end too, however many others there are. */
const IDLE_WAIT_MAX_MS = 100;

let running = 0;

/** When a long job had its last turn. */
let longTurnAt = -Infinity;

/** A job that the long ones wait for. */
export async function asShortJob<T>(job: () => T | Promise<T>): Promise<T> {
  running += 1;
  try {
    return await job();
  } finally {
    running -= 1;
  }
}

/** Goes through all steps of a job, and lets others in between them. */
export async function inTurns<T>(steps: Iterator<unknown, T>, isLong: boolean): Promise<T> {
  const turns = new TimeSlices(isLong);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await turns.next();
  }
}

/** The turns of one job that lets others in between two steps of it; long jobs of one thread take turns. */
export class TimeSlices {
  readonly #isLong: boolean;
  #endMs = performance.now() + TURN_MS;

  /** @param isLong whether it lets short jobs end, too. */
  constructor(isLong = true) {
    this.#isLong = isLong;
  }

  /** Awaited between two steps. */
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
