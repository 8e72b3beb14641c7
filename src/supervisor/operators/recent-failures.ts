/** The last failures of an instance, for `bura status`: so many as fit a screen, repeated ones counted. */
import type { FollowEvent } from '../../snapshot/follow/follow-event.js';

/** Older ones are in the log. */
const FAILURES_MAX = 20;

/** Longest text of one, in UTF-16 units: what stores and documents say can be of any length. */
const LONGEST_MESSAGE = 500;

export type FailureKind =
  | 'import_failed'
  | 'pointer_malformed'
  | 'copy_damaged'
  | 'copy_unreadable'
  | 'store_unreachable'
  | 'unavailable'
  | 'pointer_older'
  | 'status_not_written'
  | 'directory_lost'
  | 'front_died'
  | 'front_hung'
  | 'front_failed'
  | 'reload_failed';

/** What has failed, and why: one sentence, without credentials. */
export interface Failure {
  readonly kind: FailureKind;
  /** A code of `SnapshotError`, or a reason of readiness, where there is one. */
  readonly code?: string;
  readonly snapshotId?: string;
  readonly message: string;
}

/** What failed once or several times in the same way: epoch milliseconds, UTC. */
export interface RecordedFailure extends Failure {
  readonly firstMs: number;
  readonly lastMs: number;
  readonly times: number;
}

export class RecentFailures {
  /** The one that came last is the first. */
  #failures: readonly RecordedFailure[] = [];
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  get newestFirst(): readonly RecordedFailure[] {
    return this.#failures;
  }

  record(failure: Failure): void {
    const lastMs = this.#now();
    const given = { ...failure, message: failure.message.slice(0, LONGEST_MESSAGE) };
    const before = this.#failures.find((one) => isSame(one, given));
    const others = this.#failures.filter((one) => one !== before);
    const { firstMs = lastMs, times = 0 } = before ?? {};
    const recorded = { ...given, firstMs, lastMs, times: times + 1 };
    this.#failures = [recorded, ...others].slice(0, FAILURES_MAX);
  }

  /** What of following the pointer is a failure. */
  recordEvent(event: FollowEvent): void {
    const failure = failureOf(event);
    if (failure !== undefined) this.record(failure);
  }
}

function isSame(one: Failure, other: Failure): boolean {
  return (
    one.kind === other.kind &&
    one.code === other.code &&
    one.snapshotId === other.snapshotId &&
    one.message === other.message
  );
}

function isOwnKind(code: string): code is 'pointer_malformed' | 'copy_damaged' | 'copy_unreadable' {
  return ['pointer_malformed', 'copy_damaged', 'copy_unreadable'].includes(code);
}

function failureOf(event: FollowEvent): Failure | undefined {
  switch (event.kind) {
    case 'failed': {
      const { code, message, snapshotId } = event;
      const kind = isOwnKind(code) ? code : 'import_failed';
      return { kind, code, message, ...(snapshotId !== undefined && { snapshotId }) };
    }
    case 'store':
      return event.reachable ? undefined : { kind: 'store_unreachable', message: event.detail };
    case 'unavailable':
      if (event.reason === 'starting') return undefined;
      return { kind: 'unavailable', code: event.reason, message: event.detail };
    case 'pointer_older': {
      const seconds = Math.ceil(event.olderByMs / 1000);
      const message = `the pointer is ${seconds} s older than the last one seen`;
      return { kind: event.kind, snapshotId: event.snapshotId, message };
    }
    case 'store_status_not_written':
      return { kind: 'status_not_written', message: event.message };
    case 'importing':
    case 'activated':
    case 'superseded':
    case 'foreign_entries':
      return undefined;
  }
}
