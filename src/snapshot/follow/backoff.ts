/** Backoff for imports of one pointer: the delay after a failure is one second and doubles to a minute. */
import type { Clock } from '../domain/clock.js';
import type { Pointer } from '../store/store.js';

const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 60_000;

export class Backoff {
  readonly #clock: Clock;
  /** The pointer that the failures belong to, with all its members: one that is published anew is another one. */
  #about: string | undefined;
  #failures = 0;
  #dueAt = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds until this pointer may be tried (again); 0: now. */
  dueInMs(pointer: Pointer): number {
    if (this.#about !== JSON.stringify(pointer)) return 0;
    return Math.max(0, this.#dueAt - this.#clock.elapsedMs());
  }

  /** Counts a failure; returns after how many milliseconds the next import is due. */
  failed(pointer: Pointer): number {
    const about = JSON.stringify(pointer);
    if (this.#about !== about) this.#failures = 0;
    this.#about = about;
    const delayMs = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** this.#failures);
    this.#failures++;
    this.#dueAt = this.#clock.elapsedMs() + delayMs;
    return delayMs;
  }

  /** Starts over: the cause of the failures may be gone. */
  forget(): void {
    this.#about = undefined;
  }
}
