/** Imported first by a front: reports a library that cannot be loaded, usually one installed by another Node. */
import type { FromFront } from '../../ipc/front-messages.js';

process.on('uncaughtException', onFailure);

/** Called when all is loaded: later failures are bugs, which Node prints. */
export function onLoaded(): void {
  process.off('uncaughtException', onFailure);
}

function onFailure(error: Error): void {
  const [reason = ''] = error.message.split('\n');
  const message: FromFront = {
    kind: 'not_listening',
    message: `a library cannot be loaded; run npm ci with the Node that runs the service, ${process.version} (${reason})`,
  };
  const end = (): never => process.exit(1);
  process.once('disconnect', end);
  // The report waits for the supervisor's first message: before that, the supervisor does not listen, and the report
  // would be lost, since this process exits after sending it.
  process.once('message', () => process.send?.(message, end));
}
