/** The state of an instance: its active snapshot, its knowledge of the store, and the date that follows from them. */

/** Why data and readiness answer 503. */
export const UNAVAILABLE_REASONS = [
  // Nothing has been loaded yet: the first pointer is still being read, or its import runs or has failed.
  'starting',
  // The store answers that no snapshot is active.
  'pointer_absent',
  // The pointer names a snapshot of another schema version.
  'schema_version',
  // The store cannot be reached, and the outage grace is over (or there is no local copy).
  'store_unreachable',
] as const;
export type UnavailableReason = (typeof UNAVAILABLE_REASONS)[number];

/** `Last-Modified` of a snapshot's answers: the whole second of its activation, undefined while that is in the future (epoch milliseconds, UTC). */
export function modificationDate(
  activatedAtMs: number | undefined,
  nowMs: number,
): number | undefined {
  if (activatedAtMs === undefined || activatedAtMs > nowMs) return undefined;
  return Math.floor(activatedAtMs / 1000) * 1000;
}

export type ActiveState =
  /** A local copy that has been verified. */
  | {
      readonly kind: 'snapshot';
      readonly snapshotId: string;
      readonly directory: string;
      /** Build that renders its answers: the end of their entity tags. */
      readonly build: string;
      /** See `modificationDate`. */
      readonly lastModified?: number | undefined;
      /** When the pointer was moved to it: epoch milliseconds, UTC; undefined where nothing says. */
      readonly activatedAtMs?: number | undefined;
    }
  | {
      readonly kind: 'unavailable';
      readonly reason: UnavailableReason;
      /** One sentence, for readiness and logs. */
      readonly detail: string;
    };

/** The store as it was last seen. */
export interface StoreState {
  readonly reachable: boolean;
  /** One sentence for logs, without credentials: the address, and what went wrong when it cannot be reached. */
  readonly detail: string;
  /** When it changed to this state: epoch milliseconds, UTC. */
  readonly sinceMs: number;
}
