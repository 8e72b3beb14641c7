/** What following the pointer has come to, for `bura status`: what is served, the store, the import that runs, and failures. */
import type { UnavailableReason } from '../../snapshot/domain/serving-state.js';
import type { FollowEvent } from '../../snapshot/follow/follow-event.js';
import { RecentFailures } from './recent-failures.js';

export type BoardServing =
  | { readonly snapshotId: string; readonly sinceMs: number }
  | { readonly reason: UnavailableReason; readonly detail: string; readonly sinceMs: number };

/** The import that runs. */
export interface BoardImport {
  readonly snapshotId: string;
  readonly sizeBytes: number;
  readonly sinceMs: number;
}

export class StatusBoard {
  readonly failures = new RecentFailures();
  readonly startedMs = Date.now();
  #serving: BoardServing;
  #store: Extract<FollowEvent, { kind: 'store' }> | undefined;
  #import: BoardImport | undefined;

  constructor() {
    const detail = 'The active snapshot is not loaded yet.';
    this.#serving = { reason: 'starting', detail, sinceMs: this.startedMs };
  }

  record(event: FollowEvent): void {
    this.failures.recordEvent(event);
    const sinceMs = Date.now();
    switch (event.kind) {
      case 'importing':
        this.#import = { snapshotId: event.snapshotId, sizeBytes: event.sizeBytes, sinceMs };
        break;
      case 'activated':
        this.#serving = { snapshotId: event.snapshotId, sinceMs };
        this.#endImport(event.snapshotId);
        break;
      case 'superseded':
        if (!event.finishes) this.#endImport(event.snapshotId);
        break;
      case 'failed':
        this.#endImport(event.snapshotId);
        break;
      case 'unavailable':
        this.#serving = { reason: event.reason, detail: event.detail, sinceMs };
        if (event.reason !== 'starting') this.#import = undefined;
        break;
      case 'store':
        this.#store = event;
        break;
      case 'pointer_older':
      case 'foreign_entries':
      case 'store_status_not_written':
        break;
    }
  }

  /** Since when it is so: epoch milliseconds, UTC. */
  get serving(): BoardServing {
    return this.#serving;
  }

  /** As it was seen last; undefined before the first look. */
  get store(): Extract<FollowEvent, { kind: 'store' }> | undefined {
    return this.#store;
  }

  get import(): BoardImport | undefined {
    return this.#import;
  }

  #endImport(snapshotId: string | undefined): void {
    if (this.#import?.snapshotId === snapshotId) this.#import = undefined;
  }
}
