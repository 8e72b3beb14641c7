/** The shape of what `bura status --json` prints (`docs/operations/monitoring.md, "Looking at an instance"`): times are ISO 8601 in UTC. */
import type { UnavailableReason } from '../../snapshot/domain/serving-state.js';
import type { FailureKind } from './recent-failures.js';

/** Rises when a member is taken away or gets another meaning; members may be added without. */
export const STATUS_FORMAT = 1;

export type ProcessRole = 'supervisor' | 'front' | 'store' | 'import';

export interface InstanceStatus {
  readonly format: typeof STATUS_FORMAT;
  readonly instance: {
    readonly pid: number;
    readonly version: string;
    readonly build: string;
    readonly started_at: string;
    readonly uptime_seconds: number;
    /** With `pid` it names one process: since the start of the system, in clock ticks (proc(5)); null where it is not told. */
    readonly start_ticks: number | null;
    /** What it listens on. */
    readonly url: string;
    /** Its directory of local copies. */
    readonly local_copies: string;
  };
  readonly serving:
    | {
        readonly snapshot_id: string;
        readonly since: string;
        readonly generated_at: string | null;
        readonly age_seconds: number | null;
        /** Null where the history does not keep its rows. */
        readonly holds: {
          readonly rows: number;
          readonly rows_before: number | null;
          readonly newest_hour: string | null;
          readonly stations_in_newest_hour: number;
          readonly series_in_newest_hour: Readonly<Record<string, number>>;
        } | null;
      }
    | {
        readonly snapshot_id: null;
        readonly since: string;
        readonly reason: UnavailableReason;
        readonly detail: string;
      };
  readonly store: {
    /** Without credentials. */
    readonly address: string;
    /** By the last look at the pointer; null before the first. */
    readonly reachable: boolean | null;
    readonly detail: string | null;
    /** When `reachable` became so. */
    readonly since: string | null;
    /** As the store has it at this moment. */
    readonly pointer:
      | {
          readonly kind: 'pointer';
          readonly snapshot_id: string;
          readonly schema_version: string;
          readonly size_bytes: number;
          readonly activated_at: string;
        }
      | { readonly kind: 'absent' | 'malformed' | 'unreachable'; readonly detail: string };
  };
  readonly import: {
    readonly snapshot_id: string;
    readonly size_bytes: number;
    readonly since: string;
  } | null;
  readonly processes: readonly {
    readonly role: ProcessRole;
    readonly pid: number;
    readonly resident_bytes: number | null;
    readonly anonymous_bytes: number | null;
  }[];
  /** Newest first. */
  readonly failures: readonly {
    readonly first_at: string;
    readonly last_at: string;
    readonly times: number;
    readonly kind: FailureKind;
    readonly code: string | null;
    readonly snapshot_id: string | null;
    readonly message: string;
  }[];
}

/** Whether a running instance's answer is of this shape: one of another build may have another one. */
export function isInstanceStatus(value: unknown): value is InstanceStatus {
  return (
    typeof value === 'object' &&
    value !== null &&
    'format' in value &&
    value.format === STATUS_FORMAT
  );
}
