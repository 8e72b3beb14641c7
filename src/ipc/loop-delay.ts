/** How long the event loop of this process has kept others waiting. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** A timer of the library fires so often, and measures how late it is. */
const RESOLUTION_MS = 20;

export class LoopDelay {
  readonly #histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

  constructor() {
    this.#histogram.enable();
  }

  /** The longest delay since the last call, in seconds. What the histogram has holds the timer's own 20 ms. */
  take(): number {
    const longestMs = this.#histogram.max / 1e6;
    this.#histogram.reset();
    return Math.max(0, longestMs - RESOLUTION_MS) / 1000;
  }
}
