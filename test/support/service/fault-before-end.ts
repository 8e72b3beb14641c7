/**
 * Preloaded into the command (`node --import`): before it ends the instance that it takes over from, it sends a signal to
 * itself or to that one, as `FAULT_WHOM` and `FAULT_SIGNAL` say; or, for `FAULT_READS_MS` from then on, every other
 * listing of a folder fails as where too many files are open.
 */
import fsPromises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const whom = process.env['FAULT_WHOM'];
const fault = process.env['FAULT_SIGNAL'] ?? 'SIGKILL';
const readsMs = Number(process.env['FAULT_READS_MS'] ?? 0);
const kill = process.kill.bind(process);
const readdir: unknown = Reflect.get(fsPromises, 'readdir');
let failUntil = -Infinity;
let calls = 0;

process.kill = (pid, signal) => {
  if (signal === 'SIGTERM' && readsMs > 0) failUntil = performance.now() + readsMs;
  else if (signal === 'SIGTERM') kill(whom === 'self' ? process.pid : pid, fault);
  return kill(pid, signal);
};

Reflect.set(fsPromises, 'readdir', function (this: unknown, ...parameters: unknown[]): unknown {
  calls += 1;
  if (performance.now() < failUntil && calls % 2 === 0) {
    const error = new Error('EMFILE: injected into readdir');
    return Promise.reject(Object.assign(error, { code: 'EMFILE', syscall: 'scandir' }));
  }
  const listed: unknown = Reflect.apply(readdir as () => unknown, this, parameters);
  return listed;
});
syncBuiltinESMExports();
