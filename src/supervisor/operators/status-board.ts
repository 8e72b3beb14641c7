/** What following the pointer has come to, for log lines, metrics and `bura status`. */
import type { Log } from '../../log/log.js';
import type { StoreState } from '../../snapshot/domain/serving-state.js';
import type { FollowEvent } from '../../snapshot/follow/follow-event.js';
import { seen, type ServedState } from './follow-events.js';
import { FollowMetrics } from './follow-metrics.js';
import { RecentFailures } from './recent-failures.js';

export class StatusBoard {
  readonly failures = new RecentFailures();
  readonly metrics = new FollowMetrics();
  readonly startedMs = Date.now();
  readonly #log: Log;
  #serving: ServedState & { readonly sinceMs: number };
  /** As it was seen last; undefined before the first look. */
  store: StoreState | undefined;

  constructor(log: Log) {
    this.#log = log;
    const detail = 'The active snapshot is not loaded yet.';
    this.#serving = { reason: 'starting', detail, sinceMs: this.startedMs };
  }

  /** Since when it is so: epoch milliseconds, UTC. */
  get serving(): ServedState & { readonly sinceMs: number } {
    return this.#serving;
  }

  /** It is served, or not, from now on. */
  serves(serving: ServedState): void {
    this.#serving = { ...serving, sinceMs: Date.now() };
  }

  record(event: FollowEvent): void {
    const { level, message, values, failure, count, serving, store } = seen(event.kind, event);
    this.#log[level](values, message);
    count?.(this.metrics);
    if (failure !== undefined) this.failures.record(failure);
    if (serving !== undefined) this.serves(serving);
    if (store !== undefined) this.store = store;
  }
}
