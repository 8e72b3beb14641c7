/** The last failures of an instance, for `bura status`: 20 at most, repeated ones counted. */

const FAILURES_MAX = 20;

/** Longest text, in UTF-16 units: texts of stores and documents can have any length. */
const LONGEST_MESSAGE = 500;

type FailureKind =
  | 'import_failed'
  | 'pointer_malformed'
  | 'copy_damaged'
  | 'copy_unreadable'
  | 'store_unreachable'
  | 'unavailable'
  | 'pointer_older'
  | 'status_not_written'
  | 'front_died'
  | 'front_hung'
  | 'front_failed';

/** A failure in one sentence, without credentials. */
export interface RecentFailure {
  readonly kind: FailureKind;
  /** A code of `SnapshotError`, or a reason of readiness. */
  readonly code?: string | undefined;
  readonly snapshotId?: string | undefined;
  readonly message: string;
}

/** A failure with its first and last time (epoch milliseconds, UTC) and its count. */
export interface RecordedFailure extends RecentFailure {
  readonly firstMs: number;
  readonly lastMs: number;
  readonly times: number;
}

export class RecentFailures {
  #failures: readonly RecordedFailure[] = [];
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  get newestFirst(): readonly RecordedFailure[] {
    return this.#failures;
  }

  record(failure: RecentFailure): void {
    const lastMs = this.#now();
    const given = { ...failure, message: failure.message.slice(0, LONGEST_MESSAGE) };
    const before = this.#failures.find((one) => isSame(one, given));
    const others = this.#failures.filter((one) => one !== before);
    const { firstMs = lastMs, times = 0 } = before ?? {};
    const recorded = { ...given, firstMs, lastMs, times: times + 1 };
    this.#failures = [recorded, ...others].slice(0, FAILURES_MAX);
  }
}

function isSame(one: RecentFailure, other: RecentFailure): boolean {
  return (
    one.kind === other.kind &&
    one.code === other.code &&
    one.snapshotId === other.snapshotId &&
    one.message === other.message
  );
}
