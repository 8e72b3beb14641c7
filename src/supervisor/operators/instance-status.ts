/** What an instance says of itself to `bura status` (`docs/operations.md, "Looking at an instance"`). */
import { BUILD_ID } from '../../build-id.js';
import type { UnavailableReason } from '../../snapshot/domain/serving-state.js';
import type { FollowEvent } from '../../snapshot/follow/follow-event.js';
import { readPointer } from '../../snapshot/follow/read-pointer.js';
import type { PointerStore } from '../../snapshot/store/store.js';
import { VERSION } from '../../version.js';
import { describeAddress, type Address } from '../port.js';
import { readProcesses } from './processes.js';
import type { RecentFailures } from './recent-failures.js';
import { STATUS_FORMAT, type InstanceStatus } from './status-shape.js';

/** Whoever asks in an outage is answered within a second. */
const POINTER_MS = 700;

/** What is read at the moment at which somebody asks. */
export interface StatusSources {
  /** What is listened on. */
  readonly address: Address;
  /** Of the local copies. */
  readonly directory: string;
  readonly store: PointerStore;
  /** Process ids of the fronts, and `generated_at` of what they serve: epoch milliseconds, UTC. */
  readonly fronts: { readonly pids: readonly number[]; readonly generatedAtMs: number | undefined };
}

type Serving =
  | { readonly snapshotId: string; readonly sinceMs: number }
  | { readonly reason: UnavailableReason; readonly detail: string; readonly sinceMs: number };

export class StatusBoard {
  readonly failures: RecentFailures;
  readonly #startedMs = Date.now();
  #serving: Serving;
  #store: Extract<FollowEvent, { kind: 'store' }> | undefined;
  #import: { readonly snapshotId: string; sizeBytes: number; sinceMs: number } | undefined;

  constructor(failures: RecentFailures) {
    this.failures = failures;
    const detail = 'The active snapshot is not loaded yet.';
    this.#serving = { reason: 'starting', detail, sinceMs: this.#startedMs };
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
      case 'overtaken':
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
      case 'strangers':
      case 'store_status_not_written':
        break;
    }
  }

  /** Everything as it is now; the store is asked for its pointer, for a moment. */
  async describe({ address, directory, store, fronts }: StatusSources): Promise<InstanceStatus> {
    const [pointer, processes] = await Promise.all([
      describePointer(store),
      readProcesses(fronts.pids, store.pid),
    ]);
    const nowMs = Date.now();
    return {
      format: STATUS_FORMAT,
      instance: {
        pid: process.pid,
        version: VERSION,
        build: BUILD_ID,
        started_at: timestamp(this.#startedMs),
        uptime_seconds: seconds(nowMs - this.#startedMs),
        url: `http://${describeAddress(address)}`,
        local_copies: directory,
      },
      serving: this.#describeServing(fronts.generatedAtMs, nowMs),
      store: {
        address: store.address,
        reachable: this.#store?.reachable ?? null,
        detail: this.#store?.detail ?? null,
        since: this.#store === undefined ? null : timestamp(this.#store.sinceMs),
        pointer,
      },
      import:
        this.#import === undefined
          ? null
          : {
              snapshot_id: this.#import.snapshotId,
              size_bytes: this.#import.sizeBytes,
              since: timestamp(this.#import.sinceMs),
            },
      processes: processes.map(({ role, pid, residentBytes, anonymousBytes }) => ({
        role,
        pid,
        resident_bytes: residentBytes,
        anonymous_bytes: anonymousBytes,
      })),
      failures: this.failures.newestFirst.map((failure) => ({
        first_at: timestamp(failure.firstMs),
        last_at: timestamp(failure.lastMs),
        times: failure.times,
        kind: failure.kind,
        code: failure.code ?? null,
        snapshot_id: failure.snapshotId ?? null,
        message: failure.message,
      })),
    };
  }

  #describeServing(generatedAtMs: number | undefined, nowMs: number): InstanceStatus['serving'] {
    const serving = this.#serving;
    const since = timestamp(serving.sinceMs);
    if ('reason' in serving) {
      const { reason, detail } = serving;
      return { snapshot_id: null, since, reason, detail };
    }
    return {
      snapshot_id: serving.snapshotId,
      since,
      generated_at: generatedAtMs === undefined ? null : timestamp(generatedAtMs),
      age_seconds: generatedAtMs === undefined ? null : seconds(nowMs - generatedAtMs),
    };
  }

  #endImport(snapshotId: string | undefined): void {
    if (this.#import?.snapshotId === snapshotId) this.#import = undefined;
  }
}

/** As the store has it now, which the instance may not have followed yet. */
async function describePointer(store: PointerStore): Promise<InstanceStatus['store']['pointer']> {
  const reading = await readPointer(store, { limitMs: POINTER_MS });
  switch (reading.kind) {
    case 'pointer': {
      const { snapshotId, schemaVersion, sizeBytes, activatedAtMs } = reading.pointer;
      return {
        kind: 'pointer',
        snapshot_id: snapshotId,
        schema_version: schemaVersion,
        size_bytes: sizeBytes,
        activated_at: timestamp(activatedAtMs),
      };
    }
    case 'absent':
      return { kind: 'absent', detail: 'no snapshot is active in the store' };
    case 'malformed':
    case 'unreachable':
      return { kind: reading.kind, detail: reading.message };
  }
}

/** ISO 8601 in UTC, to the second. */
function timestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

function seconds(ms: number): number {
  return Math.max(0, Math.floor(ms / 1000));
}
