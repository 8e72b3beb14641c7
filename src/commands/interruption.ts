/** SIGINT and SIGTERM as an AbortSignal, so that an interrupted command clears away what it has half made. */

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Runs something that can be interrupted once; a second signal ends the process in the system's way. */
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
