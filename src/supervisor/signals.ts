/** Signals that end the service: SIGTERM, SIGINT, and SIGHUP of a closed terminal; a second signal ends it at once. */
import { isatty } from 'node:tty';

export interface Signals {
  readonly first: Promise<NodeJS.Signals>;
  onSecond: () => void;
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
    // Without a terminal SIGHUP usually means log rotation, which does not apply here.
    if (isatty(0) || isatty(1)) onEnd(signal);
  };
  const signals: Signals = {
    first: new Promise((resolve) => {
      resolveFirst = resolve;
    }),
    onSecond: () => undefined,
    close: () => {
      process.off('SIGTERM', onEnd).off('SIGINT', onEnd).off('SIGHUP', onHangup);
    },
  };
  process.on('SIGTERM', onEnd).on('SIGINT', onEnd).on('SIGHUP', onHangup);
  return signals;
}
