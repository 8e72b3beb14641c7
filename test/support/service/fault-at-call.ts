/**
 * Preloaded into the command (`node --import`): the N-th call that changes the file system fails, or ends the process.
 * `FAULT_CALL` is N, from 1; N is one higher for each later command of the process. `FAULT` is `kill` (SIGKILL before
 * the call) or an error such as `ENOSPC`. Calls are those of `node:fs/promises` that create, rename or flush files.
 */
import fsPromises, { open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const fault = process.env['FAULT'] ?? 'kill';
let faultCall = Number(process.env['FAULT_CALL']);
let calls = 0;
let command = process.argv;

/** Functions whose calls count. Removals clean up after failures: the process can be killed at one, but none fails. */
const CHANGES = ['mkdir', 'link', 'symlink', 'rename', 'writeFile', 'appendFile'];
if (fault === 'kill') CHANGES.push('rm');

function failAtTurn(holder: object, name: string): void {
  const original: unknown = Reflect.get(holder, name);
  if (typeof original !== 'function') throw new TypeError(`${name} is not a function`);
  const replacement = function (this: unknown, ...parameters: unknown[]): unknown {
    if (command !== process.argv) {
      if (command.length > 3) faultCall += 1;
      calls = 0;
      command = process.argv;
    }
    calls += 1;
    if (calls === faultCall) {
      if (fault === 'kill') process.kill(process.pid, 'SIGKILL');
      const error = new Error(`${fault}: injected into ${name}`);
      return Promise.reject(Object.assign(error, { code: fault }));
    }
    return Reflect.apply(original, this, parameters);
  };
  Reflect.set(holder, name, replacement);
}

for (const name of CHANGES) failAtTurn(fsPromises, name);
const handle = await open('/dev/null');
failAtTurn(Object.getPrototypeOf(handle) as object, 'sync');
await handle.close();
syncBuiltinESMExports();
