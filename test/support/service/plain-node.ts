/** Children as they are outside of tests: tap loads hooks into every Node process, which quadruples what one costs. */
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * From now on, what this process forks runs without tap's hooks.
 *
 * Tap puts them into the environment at the last moment, so they are taken out again by whoever starts Node.
 */
export async function forkWithoutHooks(directory: string): Promise<void> {
  const path = join(directory, 'node');
  await writeFile(path, `#!/bin/sh\nunset NODE_OPTIONS\nexec '${process.execPath}' "$@"\n`);
  await chmod(path, 0o755);
  process.execPath = path;
  process.execArgv = [];
}
