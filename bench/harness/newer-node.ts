/** A newer Node than the one that the bench runs on, for references that need it: fetched once, on demand. */
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Progress } from '../options.js';

const run = promisify(execFile);

/** The first release line that has `node:sqlite` without a flag and is supported for years. */
export const NEWER_NODE = '24.21.0';

/**
 * The program, from the npm registry, in the system's temporary directory.
 *
 * @returns undefined where it cannot be fetched, or does not run here.
 */
export async function newerNode(progress: Progress): Promise<string | undefined> {
  const name = `node-${os.platform()}-${process.arch}`;
  const folder = path.join(os.tmpdir(), `bura-bench-node-${NEWER_NODE}`);
  const program = path.join(folder, 'node_modules', name, 'bin', 'node');
  if (await runs(program)) return program;
  progress(`fetching Node ${NEWER_NODE}`);
  await mkdir(folder, { recursive: true });
  const flags = ['--no-save', '--no-audit', '--no-fund'];
  await run('npm', ['install', '--prefix', folder, ...flags, `${name}@${NEWER_NODE}`]).catch(
    (error: unknown) => {
      progress(`cannot fetch it: ${String(error)}`);
    },
  );
  return (await runs(program)) ? program : undefined;
}

function runs(program: string): Promise<boolean> {
  return run(program, ['-e', 'require("node:sqlite")']).then(
    () => true,
    () => false,
  );
}
