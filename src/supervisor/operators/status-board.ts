/** Events of following the pointer, for operators: log lines, metrics, and the state that `bura status` shows. */
import type { Log } from '../../log/log.js';
import {
  SNAPSHOT_ERROR_CODES,
  type SnapshotErrorCode,
} from '../../snapshot/domain/snapshot-error.js';
import type { StoreState, UnavailableReason } from '../../snapshot/domain/active-state.js';
import type { FollowEvent } from '../../snapshot/follow/follow-event.js';
import { FollowMetrics } from './follow-metrics.js';
import { RecentFailures, type RecentFailure } from './recent-failures.js';

/** The active snapshot, or the reason why no snapshot is active. */
export type SnapshotState =
  { readonly snapshotId: string } | { readonly reason: UnavailableReason; readonly detail: string };

export class StatusBoard {
  readonly failures = new RecentFailures();
  readonly metrics = new FollowMetrics();
  readonly startedMs = Date.now();
  readonly #log: Log;
  #serving: SnapshotState & { readonly sinceMs: number };
  /** The store as last seen; undefined before the first poll. */
  store: StoreState | undefined;

  constructor(log: Log) {
    this.#log = log;
    const detail = 'The active snapshot is not loaded yet.';
    this.#serving = { reason: 'starting', detail, sinceMs: this.startedMs };
  }

  /** The present state, with the time of its last change: epoch milliseconds, UTC. */
  get serving(): SnapshotState & { readonly sinceMs: number } {
    return this.#serving;
  }

  record(event: FollowEvent): void {
    const { level, message, values, failure, count, serving, store } = seen(event.kind, event);
    this.#log[level](values, message);
    count?.(this.metrics);
    if (failure !== undefined) this.failures.record(failure);
    if (serving !== undefined) this.#serving = { ...serving, sinceMs: Date.now() };
    if (store !== undefined) this.store = store;
  }
}

interface SeenEvent {
  readonly level: 'debug' | 'info' | 'warn';
  readonly message: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly failure?: RecentFailure | undefined;
  readonly count?: (metrics: FollowMetrics) => void;
  readonly serving?: SnapshotState;
  readonly store?: StoreState;
}

type Kind = FollowEvent['kind'];
type EventOf<K extends Kind> = Extract<FollowEvent, { readonly kind: K }>;

/** Log messages of failures outside of imports. */
const OTHER_FAILURES = {
  pointer_malformed: 'pointer malformed',
  copy_damaged: 'local copy damaged',
  copy_unreadable: 'local copy cannot be read',
} as const;

const EVENTS: { readonly [K in Kind]: (event: EventOf<K>) => SeenEvent } = {
  importing: ({ snapshotId, sizeBytes }) => ({
    level: 'info',
    message: 'importing',
    values: { snapshot_id: snapshotId, size_bytes: sizeBytes },
  }),
  activated: ({ snapshotId, importMs, publishToVisibleMs }) => ({
    level: 'info',
    message: 'activated',
    values: {
      snapshot_id: snapshotId,
      import_ms: importMs,
      publish_to_visible_ms: publishToVisibleMs,
    },
    serving: { snapshotId },
    count: (metrics) => {
      metrics.add('swaps');
      metrics.observe('imports', importMs);
      metrics.observe('visible', publishToVisibleMs);
    },
  }),
  import_ended: ({ snapshotId }) => ({
    level: 'info',
    message: 'import cancelled, its snapshot is no longer needed',
    values: { snapshot_id: snapshotId },
  }),
  failed: ({ code, message, snapshotId, repeated }) => ({
    level: repeated ? 'debug' : 'warn',
    message: isOther(code) ? OTHER_FAILURES[code] : 'import failed',
    values: { code, snapshot_id: snapshotId, reason: message },
    failure: { kind: isOther(code) ? code : 'import_failed', code, snapshotId, message },
    count: (metrics) => {
      metrics.add('failures', 1, SNAPSHOT_ERROR_CODES.indexOf(code));
    },
  }),
  recovered: () => ({ level: 'info', message: 'failures ended', values: {} }),
  pointer_older: ({ snapshotId, olderByMs }) => ({
    level: 'warn',
    message: 'pointer older than the last',
    values: { snapshot_id: snapshotId, older_by_ms: olderByMs },
    failure: {
      kind: 'pointer_older',
      snapshotId,
      message: `the pointer is ${Math.ceil(olderByMs / 1000)} s older than the last one seen`,
    },
  }),
  unavailable: ({ reason, detail }) => ({
    level: reason === 'starting' ? 'info' : 'warn',
    message: 'unavailable',
    values: { reason, detail },
    failure:
      reason === 'starting' ? undefined : { kind: 'unavailable', code: reason, message: detail },
    serving: { reason, detail },
  }),
  store: ({ reachable, detail, sinceMs }) => ({
    level: reachable ? 'info' : 'warn',
    message: reachable ? 'store reachable' : 'store unreachable',
    values: { detail },
    failure: reachable ? undefined : { kind: 'store_unreachable', message: detail },
    store: { reachable, detail, sinceMs },
    count: (metrics) => {
      metrics.set('storeReachable', Number(reachable));
    },
  }),
  foreign_entries: ({ directory, names }) => ({
    level: 'warn',
    message: 'foreign files in the local directory',
    values: { directory, names: names.join(', ') },
  }),
  store_status_not_written: ({ message }) => ({
    level: 'warn',
    message: 'store status cannot be saved',
    values: { reason: message },
    failure: { kind: 'status_not_written', message },
  }),
  store_status_written: () => ({
    level: 'info',
    message: 'store status saved again',
    values: {},
  }),
};

function seen<K extends Kind>(kind: K, event: EventOf<K>): SeenEvent {
  return EVENTS[kind](event);
}

function isOther(code: SnapshotErrorCode): code is keyof typeof OTHER_FAILURES {
  return code in OTHER_FAILURES;
}
