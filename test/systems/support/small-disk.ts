/** A disk that a test can fill: a tmpfs in a mount namespace, which needs no root. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Test } from 'tap';
import { findMountNamespace } from '../../../tools/system.mjs';

export interface SmallDisk {
  /** The disk as processes outside of the namespace reach it. */
  readonly folder: string;
  makeReadOnly(): Promise<void>;
}

/** Mounts the disk, makes it read-only at the first line of input, and ends with the input. */
const SCRIPT = `mount -t tmpfs -o "size=$1" tmpfs "$0" && echo mounted &&
  read -r line && mount -o remount,bind,ro "$0" && echo read-only && read -r line`;

/** Mounts a disk of that size (`64k`, `4m`); it is gone after the test. */
export async function mountSmallDisk(t: Test, size: string): Promise<SmallDisk> {
  const [program, ...options] = findMountNamespace() ?? [];
  if (program === undefined)
    throw new Error('a test that needs a mount is skipped where there is none');
  const folder = await mkdtemp(join(tmpdir(), 'bura-small-'));
  const child = spawn(program, [...options, 'sh', '-c', SCRIPT, folder, size], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  t.teardown(async () => {
    child.stdin.end();
    await ended;
    await rmdir(folder);
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const said = async (line: string): Promise<void> => {
    if ((await lines.next()).value !== line) throw new Error(`the disk is not ${line}`);
  };
  await said('mounted');
  return {
    folder: `/proc/${child.pid}/root${folder}`,
    makeReadOnly: async () => {
      child.stdin.write('\n');
      await said('read-only');
    },
  };
}
