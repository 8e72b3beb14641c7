/** Child processes of a service, by the kernel (Linux). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as after } from 'node:timers/promises';

const LIMIT_MS = 60_000;

interface Child {
  readonly pid: number;
  /** Such as `front.js`. */
  readonly script: string;
}

export async function childrenOf(parent: number): Promise<readonly Child[]> {
  const children: Child[] = [];
  for (const pid of (await readdir('/proc')).map(Number).filter(Number.isInteger)) {
    if ((await parentOf(pid)) !== parent) continue;
    const words = (await readOrNothing(`/proc/${pid}/cmdline`)).split('\0');
    // Preloaded modules precede the script.
    const script = words.findLast((word) => word.endsWith('.js'));
    if (script !== undefined) children.push({ pid, script: script.replace(/.*\//, '') });
  }
  return children;
}

/** Waits for a child with a script, which starts a moment later than its parent reports. */
export async function waitForChild(parent: number, script: string): Promise<Child> {
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    const found = (await childrenOf(parent)).find((child) => child.script === script);
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`no child runs ${script}`);
    await after(5);
  }
}

/** Waits until no child runs a script, so that an ending import is not taken for the next one. */
export async function waitForNoChild(parent: number, script: string): Promise<void> {
  const children = await childrenOf(parent);
  await waitUntilGone(children.filter((one) => one.script === script).map(({ pid }) => pid));
}

/** Waits for processes that are no children of this one, by polling. */
export async function waitUntilGone(pids: readonly number[]): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  for (const pid of pids) {
    while ((await parentOf(pid)) !== undefined) {
      if (performance.now() > deadline) throw new Error(`process ${pid} is still there`);
      await after(10);
    }
  }
}

export async function spawnedAndGone(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  if (child.pid === undefined) throw new Error('could not start a process');
  return child.pid;
}

/** The parent's id; undefined for a process that is gone or a zombie. */
async function parentOf(pid: number): Promise<number | undefined> {
  const status = await readOrNothing(`/proc/${pid}/stat`);
  // The command's name is in parentheses and may hold blanks; state and parent follow.
  const [state, parent] = status.slice(status.lastIndexOf(')') + 2).split(' ');
  return state === undefined || state === '' || state === 'Z' ? undefined : Number(parent);
}

async function readOrNothing(path: string): Promise<string> {
  return await readFile(path, 'utf8').catch(() => '');
}
