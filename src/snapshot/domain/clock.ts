/** Time, handed in: so that a test decides when a minute is over. */
import { setTimeout as after } from 'node:timers/promises';

export interface Clock {
  /** Epoch milliseconds, UTC: may jump. */
  wallMs(): number;
  /** Milliseconds since some moment of this run: never jumps. */
  elapsedMs(): number;
  /** Resolves when the time is over or the signal is aborted, whichever is first. */
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
