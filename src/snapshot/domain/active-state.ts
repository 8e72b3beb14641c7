/** The state of an instance: its active snapshot, its knowledge of the store, and the date that follows from them. */

/** Reasons for 503 from data and readiness. */
export const UNAVAILABLE_REASONS = [
  // Nothing was loaded yet: the first pointer is being read, or its import runs or has failed.
  'starting',
  // The store answers that no snapshot is active.
  'pointer_absent',
  // The pointer names a snapshot of another schema version.
  'schema_version',
  // The store is unreachable, and the outage grace is over or there is no local copy.
  'store_unreachable',
] as const;
export type UnavailableReason = (typeof UNAVAILABLE_REASONS)[number];

/**
 * `Last-Modified`: the whole second of the activation; undefined while that is in the future (epoch milliseconds, UTC).
 */
export function modificationDate(
  activatedAtMs: number | undefined,
  nowMs: number,
): number | undefined {
  if (activatedAtMs === undefined || activatedAtMs > nowMs) return undefined;
  return Math.floor(activatedAtMs / 1000) * 1000;
}

export type ActiveState =
  /** A verified local copy. */
  | {
      readonly kind: 'snapshot';
      readonly snapshotId: string;
      readonly directory: string;
      /** Build that renders its answers, for entity tags. */
      readonly build: string;
      readonly lastModified?: number | undefined;
      /** Time of the pointer's move: epoch milliseconds, UTC; undefined where unknown. */
      readonly activatedAtMs?: number | undefined;
    }
  | {
      readonly kind: 'unavailable';
      readonly reason: UnavailableReason;
      readonly detail: string;
    };

export interface StoreState {
  readonly reachable: boolean;
  /** One sentence without credentials: the address, and the failure if any. */
  readonly detail: string;
  /** Since when: epoch milliseconds, UTC. */
  readonly sinceMs: number;
}
