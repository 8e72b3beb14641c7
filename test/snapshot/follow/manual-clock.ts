/** A clock that only a test moves; the test can wait until the tested code waits on it. */
import type { Clock } from '../../../src/snapshot/domain/clock.js';
import { inTime } from '../../support/service/service.js';

interface Wait {
  readonly until: number;
  readonly end: () => void;
}

export class TestClock implements Clock {
  #wall = Date.parse('2026-09-10T00:00:00Z');
  #elapsed = 0;
  readonly #waits = new Set<Wait>();
  #onWait: () => void = () => undefined;

  wallMs(): number {
    return this.#wall;
  }

  elapsedMs(): number {
    return this.#elapsed;
  }

  async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        this.#waits.delete(wait);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const wait: Wait = { until: this.#elapsed + milliseconds, end };
      this.#waits.add(wait);
      signal.addEventListener('abort', end);
      this.#onWait();
    });
  }

  /** Resolves when code waits on the clock, so that nothing happens before the clock moves or an event comes. */
  async idle(): Promise<void> {
    if (this.#waits.size > 0) return;
    const waited = new Promise<void>((resolve) => {
      this.#onWait = resolve;
    });
    await inTime(waited, 'somebody to wait on the clock');
  }

  /** Moves both clocks from wait to wait, and lets the woken code finish each time. */
  async advance(milliseconds: number): Promise<void> {
    const target = this.#elapsed + milliseconds;
    do {
      // Code that does not wait is working, perhaps after an event.
      await this.idle();
      const next = Math.min(target, ...[...this.#waits].map(({ until }) => until));
      this.#wall += next - this.#elapsed;
      this.#elapsed = next;
      for (const wait of [...this.#waits]) if (wait.until <= next) wait.end();
    } while (this.#elapsed < target);
    await this.idle();
  }

  /** The clock of a later run: the wall clock goes on, the monotonic one restarts. */
  restarted(afterMs: number): TestClock {
    const clock = new TestClock();
    clock.#wall = this.#wall + afterMs;
    return clock;
  }
}
