/** What signals tell the service: SIGTERM and SIGINT end it, the second one at once; SIGHUP reloads it. */
import { isatty } from 'node:tty';

export interface Signals {
  /** Resolves when it is to end. */
  readonly first: Promise<NodeJS.Signals>;
  /** Called before the second signal ends the process. */
  onSecond: () => void;
  onReload: () => void;
  close(): void;
}

export function listenForSignals(): Signals {
  let count = 0;
  let resolveFirst: ((signal: NodeJS.Signals) => void) | undefined;
  const onEnd = (signal: NodeJS.Signals): void => {
    count++;
    resolveFirst?.(signal);
    if (count < 2) return;
    signals.onSecond();
    process.exit(1);
  };
  const onHangup = (signal: NodeJS.Signals): void => {
    // In a terminal it says that the terminal is closed.
    if (isatty(0) || isatty(1)) onEnd(signal);
    else signals.onReload();
  };
  const signals: Signals = {
    first: new Promise((resolve) => {
      resolveFirst = resolve;
    }),
    onSecond: () => undefined,
    onReload: () => undefined,
    close: () => {
      process.off('SIGTERM', onEnd).off('SIGINT', onEnd).off('SIGHUP', onHangup);
    },
  };
  process.on('SIGTERM', onEnd).on('SIGINT', onEnd).on('SIGHUP', onHangup);
  return signals;
}
