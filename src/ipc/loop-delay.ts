/** How long the event loop of this process has kept others waiting: the longest delay in each second, counted in buckets. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { observe } from './counter-table.js';
import { LOOP_DELAY } from './front-counters.js';

/** A timer of the library fires so often, and measures how late it is. */
const RESOLUTION_MS = 20;

export class LoopDelay {
  /** As `LOOP_DELAY` has them. */
  readonly cells: number[] = [];
  readonly #histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

  constructor() {
    this.#histogram.enable();
  }

  /** Counts the longest delay since the last call; to be called once a second. */
  record(): void {
    // The histogram includes the timer's own 20 ms.
    const delayMs = Math.max(0, this.#histogram.max / 1e6 - RESOLUTION_MS);
    this.#histogram.reset();
    observe(this.cells, 0, LOOP_DELAY.buckets, delayMs / 1000);
  }
}
