/** Starts processes without tap's hooks, which triple the cost of a start of Node. */
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Variables of tools that measure tests: the folder of V8's coverage, and the mutant of Stryker that is active. */
const MEASURING = ['NODE_V8_COVERAGE', '__STRYKER_ACTIVE_MUTANT__'];

/** Starts a program with exactly this environment: `env`, which replaces itself by the program, removes tap's hooks. */
export function spawnPlain(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  options: SpawnOptions = {},
): ChildProcess {
  const measuring = MEASURING.map((name): [string, string | undefined] => [
    name,
    process.env[name],
  ]);
  const assignments = [...Object.entries(environment), ...measuring].flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${value}`,
  );
  return spawn('/usr/bin/env', ['-i', ...assignments, ...words], options);
}

/** Removes tap's hooks from later forks of this process. */
export async function forkWithoutHooks(directory: string): Promise<void> {
  const path = join(directory, 'node');
  await writeFile(path, `#!/bin/sh\nunset NODE_OPTIONS\nexec '${process.execPath}' "$@"\n`);
  await chmod(path, 0o755);
  process.execPath = path;
  process.execArgv = [];
}
