/**
 * Imported first by a front: reports a library that fails to load, usually one installed by another Node, in one line.
 */
import type { FromFront } from '../../ipc/front-messages.js';

process.on('uncaughtException', onFailure);

/** All is loaded: later failures are bugs, which Node prints. */
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
  // Sends the report only after the supervisor's first message: the supervisor does not listen earlier, and this
  // process exits after sending, so that an earlier report would be lost.
  process.once('message', () => process.send?.(message, end));
}
