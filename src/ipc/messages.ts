/** Messages between the supervisor and its front processes over IPC: plain data, distinguished by `kind`. */
import type {
  Serving,
  StoreState,
  UnavailableReason,
} from '../snapshot/domain/serving-state.js';
import type { History } from '../snapshot/history/history.js';
import type { FrontSettings } from '../supervisor/front-settings.js';
import type { FrontCounters } from '../http/front/counters.js';

/** A local copy to be served, with the history that it is part of. */
export type CopyInHistory = ServedCopy & { readonly history: History };

/** A local copy as a front serves it. */
export type ServedCopy = Omit<Extract<Serving, { readonly kind: 'snapshot' }>, 'kind'>;

/**
 * When a front has drained: when nothing has been asked for a moment, or when its last connection is closed. The second
 * takes ten seconds and more, and cuts off nobody who is about to ask: for where another instance serves meanwhile.
 */
export type DrainEnd = 'quiet' | 'unconnected';

/** Messages of the supervisor to a front, delivered in order; a new front gets `start`, then `store`, then `activate` or `unavailable`. */
export type ToFront =
  /** The first message, exactly once; answered by `started`. */
  | { readonly kind: 'start'; readonly settings: FrontSettings }
  /** Open the socket, once whatever was asked for before is served. */
  | { readonly kind: 'listen' }
  /** Serve this copy, which is verified, from now on; the same one again is no error. */
  | ({ readonly kind: 'activate' } & CopyInHistory)
  /** Serve none; the one that was active is released like any other. */
  | { readonly kind: 'unavailable'; readonly reason: UnavailableReason; readonly detail: string }
  | { readonly kind: 'store'; readonly store: StoreState }
  /** The list of past snapshots has changed without a swap. */
  | { readonly kind: 'history'; readonly history: History }
  /** Answer with `counters`. */
  | { readonly kind: 'count' }
  /** The heartbeat: answer with `pong`. */
  | { readonly kind: 'ping' }
  /** Stop accepting, finish answers, send `drained`, exit with 0; a front that takes longer is killed. */
  | { readonly kind: 'drain'; readonly timeLimitMs: number; readonly until: DrainEnd };

/** Messages of a front to the supervisor. */
export type FromFront =
  /** It is loaded, and acts on messages. */
  | { readonly kind: 'started' }
  | { readonly kind: 'listening'; readonly port: number }
  /** The socket cannot be opened; the front exits by itself. */
  | { readonly kind: 'not_listening'; readonly message: string }
  /** Every request from now on is answered from this copy. */
  | {
      readonly kind: 'activated';
      /** Of the copy. */
      readonly directory: string;
      /** The snapshot's own: epoch milliseconds, UTC; for metrics. */
      readonly generatedAtMs: number;
      /** What opening it took. */
      readonly milliseconds: number;
    }
  /** The environment that so many `activate` have asked for is closed: where no more were sent, the files may go. */
  | { readonly kind: 'released'; readonly directory: string; readonly activations: number }
  /** The copy cannot be opened; what was active before goes on being served. */
  | { readonly kind: 'failed'; readonly directory: string; readonly message: string }
  /** A copy that is open does not hold what was written into it: what cannot be read is answered with 503. */
  | { readonly kind: 'damaged'; readonly directory: string; readonly message: string }
  /** What is kept of one of these cannot be read. */
  | { readonly kind: 'history_damaged'; readonly snapshotIds: readonly string[] }
  | { readonly kind: 'counters'; readonly counters: FrontCounters }
  | { readonly kind: 'pong' }
  | { readonly kind: 'drained' };

const TO_FRONT = {
  start: true,
  listen: true,
  activate: true,
  unavailable: true,
  store: true,
  history: true,
  count: true,
  ping: true,
  drain: true,
} satisfies Record<ToFront['kind'], true>;

const FROM_FRONT = {
  started: true,
  listening: true,
  not_listening: true,
  activated: true,
  released: true,
  failed: true,
  damaged: true,
  history_damaged: true,
  counters: true,
  pong: true,
  drained: true,
} satisfies Record<FromFront['kind'], true>;

/** Whether an IPC message is one of the supervisor's to a front; both ends are the same build, so the `kind` decides. */
export function isToFront(message: unknown): message is ToFront {
  return hasKindOf(message, TO_FRONT);
}

/** Whether an IPC message is one of a front's to the supervisor. */
export function isFromFront(message: unknown): message is FromFront {
  return hasKindOf(message, FROM_FRONT);
}

function hasKindOf(message: unknown, kinds: Readonly<Record<string, true>>): boolean {
  return (
    typeof message === 'object' &&
    message !== null &&
    'kind' in message &&
    typeof message.kind === 'string' &&
    Object.hasOwn(kinds, message.kind)
  );
}
