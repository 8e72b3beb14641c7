/** Turns SIGINT and SIGTERM into an AbortSignal, so that an interrupted command removes partial results. */

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Time after a signal in which work must end; slower work counts as hung, in a disk or a server. */
const PROMPTLY_MS = 2000;

/** Runs `work`, which the first signal aborts; a second signal, or hanging work, ends the process at once. */
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
