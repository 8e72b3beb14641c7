/** Counters of one front process since its start: answers, bytes, rejections. */
import type { FrontCounters } from './control.js';
import type { Status } from '../semantics/answer.js';

export class Counters {
  readonly #byClass = [0, 0, 0, 0, 0, 0];
  #notModified = 0;
  #bodyBytes = 0;
  /** Answers whose last byte is not out yet. */
  inFlight = 0;

  /** 503 for overload. */
  busyRejections = 0;

  /** Answers begun so far. */
  total = 0;

  answered(status: Status, bodyBytes: number): void {
    this.total += 1;
    const first = Math.floor(status / 100);
    this.#byClass[first] = (this.#byClass[first] ?? 0) + 1;
    if (status === 304) this.#notModified += 1;
    this.#bodyBytes += bodyBytes;
  }

  /** @param leases on any snapshot right now. */
  read(leases: number): FrontCounters {
    const answersByClass = Object.fromEntries(
      this.#byClass.flatMap((count, first) => (first === 0 ? [] : [[String(first), count]])),
    );
    return {
      answersByClass,
      notModified: this.#notModified,
      bodyBytes: this.#bodyBytes,
      busyRejections: this.busyRejections,
      leases,
    };
  }
}
