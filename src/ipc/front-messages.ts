/** Messages between the supervisor and its front processes: plain data, distinguished by `kind`. */
import type {
  ActiveState,
  StoreState,
  UnavailableReason,
} from '../snapshot/domain/active-state.js';
import type { ArchiveState } from '../snapshot/archive/archive-state.js';
import type { History } from '../snapshot/history/history.js';
import type { Settings } from '../settings.js';
import type { FrontLabels } from './front-counters.js';

/** Settings of a front. Its port is never 0: uWebSockets.js cannot share a port that it picks. */
export type FrontSettings = Omit<
  Settings,
  'snapshotStore' | 'redisCaFile' | 'redisSentinelPassword'
> &
  FrontLimits;

export interface FrontLimits {
  readonly largeBodiesMax: number;
  readonly fileBodiesMax: number;
  readonly connectionsMax: number;
  readonly listenersMax: number;
}

/** A local copy to be activated, with the history that includes it. */
export type CopyInHistory = ActivatedCopy & { readonly history: History };

export type ActivatedCopy = Omit<Extract<ActiveState, { readonly kind: 'snapshot' }>, 'kind'>;

/** Messages to a front, in order; a new front gets `start`, then `store`, then `activate` or `unavailable`. */
export type ToFront =
  /** The first message, exactly once; answered by `started`. */
  | { readonly kind: 'start'; readonly settings: FrontSettings }
  /** Open the socket. */
  | { readonly kind: 'listen' }
  /** Activate this verified copy, possibly again. */
  | ({ readonly kind: 'activate' } & CopyInHistory)
  /** No snapshot is active; the former one is released. */
  | { readonly kind: 'unavailable'; readonly reason: UnavailableReason; readonly detail: string }
  | { readonly kind: 'store'; readonly store: StoreState }
  /** The list of past snapshots has changed without a swap. */
  | { readonly kind: 'history'; readonly history: History }
  /** The cached files of the archive; unknown before the first message. */
  | { readonly kind: 'archive'; readonly folder: string; readonly archive: ArchiveState }
  | { readonly kind: 'count' }
  /** The heartbeat: answer with `pong`. */
  | { readonly kind: 'ping' }
  /** Stop accepting, finish answers, exit with 0; a front that takes longer is killed. */
  | { readonly kind: 'drain'; readonly timeLimitMs: number };

export type FromFront =
  /** The front is loaded; `frontCounters` of these labels names its counters. */
  | { readonly kind: 'started'; readonly labels: FrontLabels }
  | { readonly kind: 'listening'; readonly port: number }
  /** The socket cannot be opened; the front exits. */
  | { readonly kind: 'not_listening'; readonly message: string }
  /** Later requests are answered from this copy. */
  | {
      readonly kind: 'activated';
      readonly directory: string;
      /** Epoch milliseconds, UTC; for metrics. */
      readonly generatedAtMs: number;
    }
  /** The front has closed a copy after `activations` messages for it: if no more were sent, it may be removed. */
  | { readonly kind: 'released'; readonly directory: string; readonly activations: number }
  /** The copy cannot be opened; the former one stays active. */
  | { readonly kind: 'failed'; readonly directory: string; readonly message: string }
  /** An open copy is damaged; unreadable answers are 503. */
  | { readonly kind: 'damaged'; readonly directory: string; readonly message: string }
  /** The rows of one of these snapshots cannot be read. */
  | { readonly kind: 'history_damaged'; readonly snapshotIds: readonly string[] }
  /** A cached file of the archive is damaged. */
  | { readonly kind: 'archive_damaged'; readonly sha256: string }
  | {
      readonly kind: 'counters';
      readonly cells: readonly number[];
      readonly loopDelays: readonly number[];
    }
  | { readonly kind: 'pong' };
