/** Runs a program to its end without tap's hooks, whatever its exit code. */
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { spawnPlain } from '../../support/service/plain-node.js';

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** @param env the whole environment. */
export async function ran(
  words: readonly string[],
  env: Readonly<Record<string, string>> = { PATH: process.env['PATH'] ?? '' },
  cwd?: string,
): Promise<Ran> {
  const child = spawnPlain(words, env, {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd !== undefined && { cwd }),
  });
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(child.stdout as Readable),
    text(child.stderr as Readable),
  ]);
  return { code, stdout, stderr };
}
