/**
 * Imported first by a front: reports a library that cannot be loaded to the supervisor, in one line. Usually `npm ci`
 * was run by another version of Node.
 */
import type { FromFront } from '../../ipc/front-messages.js';

process.on('uncaughtException', onFailure);

/** Everything is there: what fails from now on is a bug, and is shown as Node shows it. */
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
  // The supervisor listens from its first message on, which comes when it has loaded its own libraries: what is sent before
  // is lost when this process ends.
  process.once('message', () => process.send?.(message, end));
}
