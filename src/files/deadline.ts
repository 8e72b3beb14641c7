/** Time limits of single operations, beside a signal that lives longer than they do. */
import { aborted } from 'node:util';

export interface Deadline {
  readonly signal: AbortSignal;
  isOver(): boolean;
  end(): void;
}

/**
 * A signal that is aborted after `limitMs`, or with one of `signals`. `AbortSignal.any` leaks in Node 20: a signal
 * keeps an entry for each signal made of it, so a long-lived one grows with every poll.
 */
export function deadlineWithin(
  limitMs: number,
  ...signals: readonly (AbortSignal | undefined)[]
): Deadline {
  const controller = new AbortController();
  const late = AbortSignal.timeout(limitMs);
  const all = [late, ...signals].filter((signal) => signal !== undefined);
  const onAbort = (): void => {
    controller.abort(all.find(({ aborted }) => aborted)?.reason);
  };
  for (const signal of all) signal.addEventListener('abort', onAbort);
  if (all.some(({ aborted }) => aborted)) onAbort();
  return {
    signal: controller.signal,
    isOver: () => late.aborted,
    end: () => {
      for (const signal of all) signal.removeEventListener('abort', onAbort);
    },
  };
}

/** The result of work, or `reason` at an abort: some reads ignore their signal, such as on a hanging network disk. */
export async function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
  reason: Error,
): Promise<T> {
  const late = aborted(signal, signal).then(() => Promise.reject(reason));
  return await Promise.race([work, late]);
}
