/** The system calls of a service and all its processes, which strace records or makes fail. */
import { readFile } from 'node:fs/promises';

export interface Trace {
  /** Words that start a program under strace, for `wrap`. */
  readonly wrap: readonly string[];
  /** Lines written so far, one system call each. */
  readonly lines: () => Promise<readonly string[]>;
}

/** @param options such as `-e trace=openat`, as words. */
export function traceInto(file: string, options: readonly string[]): Trace {
  return {
    // -D makes strace a grandchild, so that signals reach the program itself; -y adds the paths of descriptors.
    wrap: ['strace', '-D', '-f', '-qq', '-y', '-s', '4096', '-o', file, ...options],
    lines: async () => (await readFile(file, 'utf8').catch(() => '')).split('\n'),
  };
}
