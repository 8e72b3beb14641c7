/** The state of an instance: its active snapshot with the date of its activation, and whether the store answers. */

/** Reasons for which data endpoints and the readiness check answer 503. */
export const UNAVAILABLE_REASONS = [
  // Nothing was loaded yet: the first pointer is being read, or its import runs or has failed.
  'starting',
  // The store answers that no snapshot is active.
  'pointer_absent',
  // The pointer names a snapshot of another schema version than the expected one.
  'schema_version',
  // The store is unreachable, and the outage grace is over or there is no local copy.
  'store_unreachable',
] as const;
export type UnavailableReason = (typeof UNAVAILABLE_REASONS)[number];

/** `Last-Modified`: the activation, cut to a second; undefined if it is in the future (epoch milliseconds, UTC). */
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
      /** When the pointer was moved to the snapshot: epoch milliseconds, UTC; undefined if unknown. */
      readonly activatedAtMs?: number | undefined;
      /** Directories of earlier copies whose bulk files stay at the addresses with their digests, the last one first. */
      readonly former?: readonly string[];
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
  /** Last change of `reachable`: epoch milliseconds, UTC. */
  readonly sinceMs: number;
}
