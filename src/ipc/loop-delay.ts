/** Measures the event loop of this process: the longest delay in each second, counted in buckets. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { observe } from './counter-table.js';
import { LOOP_DELAY } from './front-counters.js';

/** Interval of Node's timer, which measures how late it fires. */
const RESOLUTION_MS = 20;

export class LoopDelay {
  /** Cells of the metric `LOOP_DELAY`. */
  readonly cells: number[] = [];
  readonly #histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

  constructor() {
    this.#histogram.enable();
  }

  /** Counts the longest delay since the last call; called once a second. */
  record(): void {
    // The histogram includes the timer's own 20 ms.
    const delayMs = Math.max(0, this.#histogram.max / 1e6 - RESOLUTION_MS);
    this.#histogram.reset();
    observe(this.cells, 0, LOOP_DELAY.buckets, delayMs / 1000);
  }
}
