/**
 * Preloaded into the command (`node --import`): before the command ends the instance that it replaces, it sends
 * `FAULT_SIGNAL` to itself (`FAULT_WHOM=self`) or to that instance. With `FAULT_READS_MS` there is no such signal;
 * instead, every other listing of a folder fails with EMFILE for that time.
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
