/** The system calls of a service and all its processes, as strace writes them down or spoils them. */
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
    // As a grandchild (-D), so that signals reach the program itself; with the paths of descriptors (-y).
    wrap: ['strace', '-D', '-f', '-qq', '-y', '-s', '4096', '-o', file, ...options],
    lines: async () => (await readFile(file, 'utf8').catch(() => '')).split('\n'),
  };
}
