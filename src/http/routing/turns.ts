/** Spreads requests that have to be parsed over turns of the event loop: a burst of them keeps nobody else waiting. */
import { PendingAnswer, type Answer } from '../semantics/answer.js';

/** Until its code is compiled a page's request takes 55 µs from the text to the queue, so these take less than a millisecond. */
const REQUESTS_A_TURN = 16;

/**
 * Records that a front finds and compresses by itself take 0.05 to 0.3 ms a request: when so much time has passed since the
 * first one of a turn, the others wait, so that whoever has an answer in memory waits no longer than that.
 */
const TURN_MS = 2;

/** The turns of one front. Requests wait in the order in which they came; who leaves meanwhile costs nothing more. */
export class Turns {
  readonly #requestsATurn: number;
  readonly #turnMs: number;
  readonly #waiting = new Set<() => void>();
  #left: number;
  #until = 0;
  #isEndAwaited = false;

  /** The first request of a turn is always taken. */
  constructor({ requests = REQUESTS_A_TURN, milliseconds = TURN_MS } = {}) {
    this.#requestsATurn = requests;
    this.#turnMs = milliseconds;
    this.#left = requests;
  }

  /** Whether one more request may be parsed in this turn; it counts. */
  take(): boolean {
    this.#awaitEnd();
    if (this.#left === 0) return false;
    const now = performance.now();
    if (this.#left === this.#requestsATurn) this.#until = now + this.#turnMs;
    else if (now >= this.#until) return false;
    this.#left -= 1;
    return true;
  }

  /** Answers in a later turn, unless its client has left by then. */
  later(respond: () => Answer | PendingAnswer): PendingAnswer {
    let abandon: (() => void) | undefined;
    let run: (() => void) | undefined;
    const promise = new Promise<Answer>((resolve, reject) => {
      run = () => {
        try {
          const answer = respond();
          if (answer instanceof PendingAnswer) abandon = answer.abandon;
          resolve(answer instanceof PendingAnswer ? answer.promise : answer);
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      };
      this.#waiting.add(run);
    });
    this.#awaitEnd();
    return new PendingAnswer(promise, () => {
      if (run !== undefined && this.#waiting.delete(run)) return;
      abandon?.();
    });
  }

  #awaitEnd(): void {
    if (this.#isEndAwaited) return;
    this.#isEndAwaited = true;
    setImmediate(() => {
      this.#isEndAwaited = false;
      this.#left = this.#requestsATurn;
      for (const run of this.#waiting) {
        if (!this.take()) return;
        this.#waiting.delete(run);
        run();
      }
    });
  }
}
