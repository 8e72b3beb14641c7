/** Process ids for tests. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** The id of a process that has ended. */
export async function spawnedAndGone(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  if (child.pid === undefined) throw new Error('could not start a process');
  return child.pid;
}
