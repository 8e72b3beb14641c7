/**
 * Preloaded into the command (`node --import`): calls on files below `HANGING_DISK` hang while the FIFO
 * `$HANGING_DISK.hangs` exists, as on a hard mount whose server is gone. Each holds a thread in an `open` of the FIFO. To
 * end the hang, rename the FIFO, so that no further call hangs, and open it for writing. The file `$HANGING_DISK.calls`
 * lists the scripts whose calls have hung.
 */
import fs, { appendFileSync, closeSync, existsSync } from 'node:fs';
import fsPromises, { open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';

const disk = process.env['HANGING_DISK'] ?? '';
const fifo = `${disk}.hangs`;
const { openSync } = fs;

function hangsAt(path: unknown): boolean {
  if (typeof path !== 'string' || !`${path}/`.startsWith(`${disk}/`) || !existsSync(fifo))
    return false;
  appendFileSync(`${disk}.calls`, `${basename(process.argv[1] ?? '')}\n`);
  return true;
}

function patch(holder: object, name: string, hang: (proceed: () => unknown) => unknown): void {
  const original: unknown = Reflect.get(holder, name);
  Reflect.set(holder, name, (...parameters: unknown[]): unknown => {
    const proceed = (): unknown => Reflect.apply(original as () => unknown, holder, parameters);
    return hangsAt(parameters[0]) ? hang(proceed) : proceed();
  });
}

for (const name of ['open', 'stat', 'readdir', 'realpath']) {
  patch(fsPromises, name, async (proceed) => {
    await (await open(fifo)).close();
    return proceed();
  });
}
for (const name of ['realpathSync', 'watch']) {
  patch(fs, name, (proceed) => {
    closeSync(openSync(fifo, 'r'));
    return proceed();
  });
}
syncBuiltinESMExports();
