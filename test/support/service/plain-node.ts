/** Processes as they are outside of tests: tap loads hooks into every Node process, which triples what its start costs. */
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Starts a program with this environment and nothing else; without tap's hooks, should it be Node.
 *
 * Tap adds its hooks to the environment of whatever is spawned, if that is Node; `env`, which replaces itself by the
 * program, takes them out again.
 */
export function spawnPlain(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  options: SpawnOptions = {},
): ChildProcess {
  const assignments = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  return spawn('/usr/bin/env', ['-i', ...assignments, ...words], options);
}

/** From now on, what this process forks runs without tap's hooks. */
export async function forkWithoutHooks(directory: string): Promise<void> {
  const path = join(directory, 'node');
  await writeFile(path, `#!/bin/sh\nunset NODE_OPTIONS\nexec '${process.execPath}' "$@"\n`);
  await chmod(path, 0o755);
  process.execPath = path;
  process.execArgv = [];
}
