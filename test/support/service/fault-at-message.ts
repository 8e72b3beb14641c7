/**
 * Preloaded into the command (`node --import`): a message of a take-over ends or stops the process that sends it.
 *
 * `FAULT_MESSAGE` is the message's kind, `FAULT_SIGNAL` the signal, and `FAULT_TIME` says whether it comes `before` the
 * message is written or `after` that.
 */
import { Socket } from 'node:net';

const kind = process.env['FAULT_MESSAGE'] ?? '';
const signal = process.env['FAULT_SIGNAL'] ?? 'SIGKILL';
const isAfter = process.env['FAULT_TIME'] === 'after';
const original: unknown = Reflect.get(Socket.prototype, 'write');
let isDone = false;

Reflect.set(Socket.prototype, 'write', function (this: unknown, ...parameters: unknown[]): unknown {
  const isIt = !isDone && String(parameters[0]).startsWith(`{"kind":"${kind}"`);
  const write = (): unknown => Reflect.apply(original as () => unknown, this, parameters);
  if (!isIt) return write();
  isDone = true;
  const written = isAfter ? write() : undefined;
  process.kill(process.pid, signal);
  return isAfter ? written : write();
});
