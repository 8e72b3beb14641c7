/** Messages between the supervisor and its front processes over IPC: plain data, distinguished by `kind`. */
import type {
  ActiveState,
  StoreState,
  UnavailableReason,
} from '../snapshot/domain/active-state.js';
import type { ArchiveState } from '../snapshot/archive/archive-state.js';
import type { History } from '../snapshot/history/history.js';
import type { Settings } from '../settings.js';
import type { FrontLabels } from './front-counters.js';

/** All that a front needs to know before it listens. Its port is never 0: one that the library picks cannot be shared. */
export type FrontSettings = Omit<
  Settings,
  'snapshotStore' | 'redisCaFile' | 'redisSentinelPassword'
> &
  FrontLimits;

/** Limits of one front. */
export interface FrontLimits {
  /** Large answers on their way at a time, to all its clients. */
  readonly largeBodiesMax: number;
  /** Bodies among them that are read from open files. */
  readonly fileBodiesMax: number;
  /** Connections at a time. */
  readonly connectionsMax: number;
  /** Clients that listen to events at a time. */
  readonly listenersMax: number;
}

/** A local copy to be served, with the history that it is part of. */
export type CopyInHistory = ActivatedCopy & { readonly history: History };

/** A local copy as a front serves it. */
export type ActivatedCopy = Omit<Extract<ActiveState, { readonly kind: 'snapshot' }>, 'kind'>;

/** Messages of the supervisor to a front, delivered in order; a new front gets `start`, then `store`, then `activate` or `unavailable`. */
export type ToFront =
  /** The first message, exactly once; answered by `started`. */
  | { readonly kind: 'start'; readonly settings: FrontSettings }
  /** Open the socket. */
  | { readonly kind: 'listen' }
  /** Serve this copy, which is verified, from now on; the same one again is no error. */
  | ({ readonly kind: 'activate' } & CopyInHistory)
  /** Serve none; the one that was active is released like any other. */
  | { readonly kind: 'unavailable'; readonly reason: UnavailableReason; readonly detail: string }
  | { readonly kind: 'store'; readonly store: StoreState }
  /** The list of past snapshots has changed without a swap. */
  | { readonly kind: 'history'; readonly history: History }
  /** The kept files of the archive, and where they are. Until the first message the archive is unknown. */
  | { readonly kind: 'archive'; readonly folder: string; readonly archive: ArchiveState }
  /** Answer with `counters`. */
  | { readonly kind: 'count' }
  /** The heartbeat: answer with `pong`. */
  | { readonly kind: 'ping' }
  /** Stop accepting, finish answers, exit with 0; a front that takes longer is killed. */
  | { readonly kind: 'drain'; readonly timeLimitMs: number };

/** Messages of a front to the supervisor. */
export type FromFront =
  /** It is loaded, and acts on messages; `frontCounters` of these labels names its counters. */
  | { readonly kind: 'started'; readonly labels: FrontLabels }
  | { readonly kind: 'listening'; readonly port: number }
  /** The socket cannot be opened; the front exits by itself. */
  | { readonly kind: 'not_listening'; readonly message: string }
  /** Every request from now on is answered from this copy. */
  | {
      readonly kind: 'activated';
      /** Directory of the copy. */
      readonly directory: string;
      /** The snapshot's own: epoch milliseconds, UTC; for metrics. */
      readonly generatedAtMs: number;
    }
  /** The front has closed a copy that `activations` messages asked for: if no more were sent, its files may go. */
  | { readonly kind: 'released'; readonly directory: string; readonly activations: number }
  /** The copy cannot be opened; what was active before goes on being served. */
  | { readonly kind: 'failed'; readonly directory: string; readonly message: string }
  /** A copy that is open does not hold what was written into it: what cannot be read is answered with 503. */
  | { readonly kind: 'damaged'; readonly directory: string; readonly message: string }
  /** The stored rows of one of these snapshots cannot be read. */
  | { readonly kind: 'history_damaged'; readonly snapshotIds: readonly string[] }
  /** A kept file of the archive is not as it was written. */
  | { readonly kind: 'archive_damaged'; readonly sha256: string }
  | {
      readonly kind: 'counters';
      /** As `frontCounters` names them. */
      readonly cells: readonly number[];
      /** As `LOOP_DELAY` has them. */
      readonly loopDelays: readonly number[];
    }
  | { readonly kind: 'pong' };

/** Whether an IPC message is one of the supervisor's to a front; both ends are the same build, so a `kind` is enough. */
export function isToFront(message: unknown): message is ToFront {
  return hasKind(message);
}

/** Whether an IPC message is one of a front's to the supervisor. */
export function isFromFront(message: unknown): message is FromFront {
  return hasKind(message);
}

function hasKind(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'kind' in message;
}
