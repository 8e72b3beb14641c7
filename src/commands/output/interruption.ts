/** Turns SIGINT and SIGTERM into an AbortSignal, so that an interrupted command removes what it has half made. */

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Time after which work counts as stuck, in a disk or in a silent server. */
const PROMPTLY_MS = 2000;

/** Runs `work`, which the first signal aborts; a second signal, or work that hangs, ends the process as the system does. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const interrupt = (name: NodeJS.Signals): void => {
    stopListening();
    controller.abort();
    setTimeout(() => process.kill(process.pid, name), PROMPTLY_MS).unref();
  };
  const stopListening = (): void => {
    for (const name of SIGNALS) process.off(name, interrupt);
  };
  for (const name of SIGNALS) process.once(name, interrupt);
  try {
    return await work(controller.signal);
  } catch (error) {
    if (!controller.signal.aborted) throw error;
    throw new Error('interrupted', { cause: error });
  } finally {
    stopListening();
  }
}
