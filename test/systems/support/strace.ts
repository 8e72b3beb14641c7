/** The system calls of a service and all its processes, as strace writes them down or spoils them. */
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';

const trial = spawnSync('strace', ['-D', '-f', '-qq', '-e', 'trace=none', 'true'], {
  encoding: 'utf8',
});

/** Why tests that trace a program are skipped, or false where they may. */
export const traceRefusal: string | false =
  trial.status === 0
    ? false
    : `no process may be traced here: ${trial.error?.message ?? trial.stderr}`;

export interface Trace {
  /** Words that start a program under strace, for `wrap`. */
  readonly wrap: readonly string[];
  /** Lines written so far, one system call each. */
  readonly lines: () => Promise<readonly string[]>;
}

/** @param options such as `-e trace=openat`, as words. */
export function traceInto(file: string, options: readonly string[]): Trace {
  return {
    // As a grandchild (-D), so that signals reach the program itself; with the paths of descriptors (-y).
    wrap: ['strace', '-D', '-f', '-qq', '-y', '-s', '4096', '-o', file, ...options],
    lines: async () => (await readFile(file, 'utf8').catch(() => '')).split('\n'),
  };
}
