/** Turns SIGINT and SIGTERM into an AbortSignal, so that an interrupted command removes what it has half made. */

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Runs `work`, which the first signal aborts; a second signal ends the process as the system does. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const interrupt = (): void => {
    controller.abort();
  };
  for (const name of SIGNALS) process.once(name, interrupt);
  try {
    return await work(controller.signal);
  } catch (error) {
    if (!controller.signal.aborted) throw error;
    throw new Error('interrupted', { cause: error });
  } finally {
    for (const name of SIGNALS) process.off(name, interrupt);
  }
}
