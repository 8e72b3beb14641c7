/** Whether an instance that takes over has come to serve a snapshot, as the one does that it takes over from. */
import type { FollowEvent } from '../../snapshot/follow/follow-event.js';

/** After a failure, an older copy may still be found to be served at once; a new import would only fail again. */
const FAILED_MS = 5000;

export class FirstServing {
  /** Resolves when it serves a snapshot; rejects, with one line, when it will not soon. */
  readonly served: Promise<void>;
  #resolve: () => void = () => undefined;
  #reject: (reason: Error) => void = () => undefined;
  #timer: NodeJS.Timeout;

  constructor(limitMs: number) {
    this.served = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.served.catch(() => undefined);
    this.#timer = this.#failAfter(limitMs, `no snapshot is served after ${limitMs / 1000} s`);
  }

  /** To be called with all that the follower reports. */
  onEvent(event: FollowEvent): void {
    if (event.kind === 'unavailable') this.#fail(event.detail);
    else if (event.kind === 'activated') this.#end(this.#resolve);
    if (event.kind !== 'failed' || event.code === 'copy_damaged') return;
    clearTimeout(this.#timer);
    this.#timer = this.#failAfter(FAILED_MS, event.message);
  }

  #failAfter(limitMs: number, reason: string): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.#fail(reason);
    }, limitMs);
    return timer.unref();
  }

  #fail(reason: string): void {
    this.#end(() => {
      this.#reject(new Error(`cannot take over: data would be answered with 503 (${reason})`));
    });
  }

  #end(settle: () => void): void {
    clearTimeout(this.#timer);
    settle();
  }
}
