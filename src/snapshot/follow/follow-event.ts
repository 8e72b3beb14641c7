/** Events of following a pointer, for log lines and metrics. Types only. */
import type { SnapshotErrorCode } from '../domain/snapshot-error.js';
import type { StoreState, UnavailableReason } from '../domain/active-state.js';

export type FollowEvent =
  | { readonly kind: 'importing'; readonly snapshotId: string; readonly sizeBytes: number }
  | {
      readonly kind: 'activated';
      readonly snapshotId: string;
      /** Absent when the copy was there already. */
      readonly importMs?: number;
      /** From the pointer's move until the last front serves it; absent when the pointer moved before this process started. */
      readonly publishToVisibleMs?: number;
    }
  /** The import has ended because its copy exists already, or because the snapshot was removed. */
  | { readonly kind: 'import_ended'; readonly snapshotId: string }
  | {
      readonly kind: 'failed';
      readonly code: SnapshotErrorCode;
      readonly message: string;
      /** Absent where the pointer itself is malformed. */
      readonly snapshotId?: string;
      /** Whether this reason was reported for this snapshot within the last hour: then it is counted, not logged. */
      readonly repeated: boolean;
    }
  /** After failures: what the pointer names is served, or it names nothing. */
  | { readonly kind: 'recovered' }
  /** The pointer is older than the last one seen: a failover of the store has lost what came after it. It is followed. */
  | { readonly kind: 'pointer_older'; readonly snapshotId: string; readonly olderByMs: number }
  | { readonly kind: 'unavailable'; readonly reason: UnavailableReason; readonly detail: string }
  | ({ readonly kind: 'store' } & StoreState)
  /** Foreign entries among the local copies, which are left alone. */
  | {
      readonly kind: 'foreign_entries';
      readonly directory: string;
      readonly names: readonly string[];
    }
  /** When the store last answered cannot be written to disk: after a restart the outage grace ends earlier. */
  | { readonly kind: 'store_status_not_written'; readonly message: string }
  | { readonly kind: 'store_status_written' };
