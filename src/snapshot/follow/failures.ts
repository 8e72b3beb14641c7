/**
 * Reports failures of following; a failure that was already reported within the last hour is marked as repeated. A
 * failed import of a pointer is retried after one second, then after twice as long each time, up to a minute.
 */
import { BackOff } from '../domain/back-off.js';
import type { Clock } from '../domain/clock.js';
import { LastingFailures } from '../domain/lasting-failures.js';
import type { Failure } from '../domain/snapshot-error.js';
import type { Pointer } from '../store/pointer.js';
import type { FollowEvent } from './follow-event.js';

const DELAYS = { firstMs: 1000, longestMs: 60_000 };

export const NOT_SERVABLE: Failure = {
  code: 'copy_unreadable',
  message: 'there is no local copy that can be served',
};

export class Failures {
  readonly #report: (event: FollowEvent) => void;
  readonly #clock: Clock;
  readonly #lasting: LastingFailures;
  /**
   * The pointer whose import failed last, as JSON of all its members, so that a new publication of the same snapshot
   * differs.
   */
  #pointer: string | undefined;
  readonly #backOff = new BackOff(DELAYS);
  #dueAt = 0;

  constructor(report: (event: FollowEvent) => void, clock: Clock) {
    this.#report = report;
    this.#clock = clock;
    this.#lasting = new LastingFailures(clock);
  }

  report(failure: Failure, snapshotId?: string): void {
    // Malformed pointers are distinguished by their messages.
    const about = JSON.stringify([failure.code, snapshotId ?? failure.message]);
    const repeated = !this.#lasting.isDue(about);
    const named = snapshotId === undefined ? {} : { snapshotId };
    this.#report({ kind: 'failed', ...failure, ...named, repeated });
  }

  reportImport(failure: Failure, pointer: Pointer): void {
    const about = JSON.stringify(pointer);
    if (this.#pointer !== about) this.#backOff.succeed();
    this.#pointer = about;
    this.#dueAt = this.#clock.elapsedMs() + this.#backOff.fail();
    this.report(failure, pointer.snapshotId);
  }

  /** Milliseconds until the next import of this pointer is due; 0 if it is due now. */
  dueInMs(pointer: Pointer | undefined): number {
    if (this.#pointer === undefined || this.#pointer !== JSON.stringify(pointer)) return 0;
    return Math.max(0, this.#dueAt - this.#clock.elapsedMs());
  }

  /** Makes the next import due now: the cause of failures may be gone. */
  retryNow(): void {
    this.#pointer = undefined;
  }

  /** Ends all failures: if one of them occurs again, it is reported as new, not as repeated. */
  end(): void {
    this.#pointer = undefined;
    if (this.#lasting.end()) this.#report({ kind: 'recovered' });
  }
}
