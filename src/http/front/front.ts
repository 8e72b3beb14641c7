/** Entry point of a front process: connects a `FrontService` with the supervisor and with signals. */
import { onLoaded } from './loading-failure.js';
import type { ToFront } from '../../ipc/front-messages.js';

// Node opens the files of all imports at once; importing in two steps lets a front load with few free files.
await import('../routes/routes.js');
const { FrontService } = await import('./front-service.js');

/** Drain time when the supervisor is gone, or after SIGTERM. */
const DRAIN_MS = 30_000;

onLoaded();
let front: InstanceType<typeof FrontService> | undefined;
const drain = (): void => {
  if (front === undefined) process.exit(0);
  front.drain(DRAIN_MS);
};

process.on('message', (message: ToFront) => {
  if (message.kind === 'start') front = new FrontService(message.settings, { send, exit });
  else front?.onMessage(message);
});
// The supervisor is gone: no message about a swap could arrive.
process.once('disconnect', () => {
  if (process.exitCode === undefined) drain();
  else process.exit();
});
process.once('SIGTERM', drain);
// A terminal sends SIGINT to the whole process group; the supervisor handles it and sends `drain`.
process.on('SIGINT', () => undefined);

function send(message: object): void {
  if (process.connected) process.send?.(message);
}

/** Exits when pending messages are sent. */
function exit(code: number): void {
  process.exitCode = code;
  if (process.connected) process.disconnect();
  else process.exit();
}
