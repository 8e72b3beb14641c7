/** Failures of following, reported each: one that comes again for the same snapshot is marked as repeated. */
import { SnapshotError, type SnapshotErrorCode } from '../domain/snapshot-error.js';
import type { FollowEvent } from './follow-event.js';

export interface Failure {
  readonly code: SnapshotErrorCode;
  readonly message: string;
}

export const NOT_SERVABLE: Failure = {
  code: 'copy_unreadable',
  message: 'there is no local copy that can be served',
};

export class Failures {
  readonly #report: (event: FollowEvent) => void;
  #last: string | undefined;

  constructor(report: (event: FollowEvent) => void) {
    this.#report = report;
  }

  report(failure: Failure, snapshotId?: string): void {
    // Every other malformed pointer is somebody's new act, so there the message counts.
    const about = JSON.stringify([failure.code, snapshotId ?? failure.message]);
    const repeated = about === this.#last;
    this.#last = about;
    const named = snapshotId === undefined ? {} : { snapshotId };
    this.#report({ kind: 'failed', ...failure, ...named, repeated });
  }

  /** What fails from here on is news. */
  forget(): void {
    this.#last = undefined;
  }
}

export function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  return { code: error instanceof SnapshotError ? error.code : 'import_failed', message };
}
