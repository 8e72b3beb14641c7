/** Spreads requests that have to be parsed over turns of the event loop: a burst of them keeps nobody else waiting. */
import { PendingAnswer, type Answer } from '../semantics/answer.js';

/** Until its code is compiled a page's request takes 55 µs from the text to the queue, so these take less than a millisecond. */
const REQUESTS_A_TURN = 16;

/** The turns of one front. Requests wait in the order in which they came; who leaves meanwhile costs nothing more. */
export class Turns {
  readonly #requestsATurn: number;
  readonly #waiting = new Set<() => void>();
  #left: number;
  #isEndAwaited = false;

  constructor(requestsATurn = REQUESTS_A_TURN) {
    this.#requestsATurn = requestsATurn;
    this.#left = requestsATurn;
  }

  /** Whether one more request may be parsed in this turn; it counts. */
  take(): boolean {
    this.#awaitEnd();
    if (this.#left === 0) return false;
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
