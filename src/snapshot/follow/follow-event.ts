/** Events of the follower of a pointer, for log lines and metrics. Types only. */
import type { Failure } from '../domain/snapshot-error.js';
import type { StoreState, UnavailableReason } from '../domain/active-state.js';

export type FollowEvent =
  | { readonly kind: 'importing'; readonly snapshotId: string; readonly sizeBytes: number }
  | {
      readonly kind: 'activated';
      readonly snapshotId: string;
      /** Absent if the copy existed already. */
      readonly importMs?: number;
      /** From the pointer's move to the last front's activation; absent if it moved before this process started. */
      readonly publishToVisibleMs?: number;
    }
  /** An import was cancelled: the pointer names an available copy or other bytes for the id, or withdraws the id. */
  | { readonly kind: 'import_ended'; readonly snapshotId: string }
  | (Failure & {
      readonly kind: 'failed';
      /** Absent for a malformed pointer. */
      readonly snapshotId?: string;
      /** Whether this failure of the snapshot was reported within the last hour: then it is only counted. */
      readonly repeated: boolean;
    })
  /** End of failures: the pointer's snapshot is active, or the pointer is absent. */
  | { readonly kind: 'recovered' }
  /** The pointer is older than the last one, such as after a failover that lost changes. It is followed. */
  | { readonly kind: 'pointer_older'; readonly snapshotId: string; readonly olderByMs: number }
  | { readonly kind: 'unavailable'; readonly reason: UnavailableReason; readonly detail: string }
  | ({ readonly kind: 'store' } & StoreState)
  /** Foreign entries among the local copies, which are not touched. */
  | {
      readonly kind: 'foreign_entries';
      readonly directory: string;
      readonly names: readonly string[];
    }
  /** The time of the store's last answer cannot be stored: after a restart the grace ends earlier. */
  | { readonly kind: 'store_status_not_written'; readonly message: string }
  | { readonly kind: 'store_status_written' };
