/** Time as an argument, so that tests control it. */
import { setTimeout as after } from 'node:timers/promises';

export interface Clock {
  /** Epoch milliseconds, UTC: may jump. */
  wallMs(): number;
  /** Milliseconds, monotonic. */
  elapsedMs(): number;
  /** Resolves after the time, or when the signal is aborted. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  wallMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  wait: async (milliseconds, signal) => {
    await after(milliseconds, undefined, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  },
};
