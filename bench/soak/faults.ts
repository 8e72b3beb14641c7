/** Faults of the chaos run (`chaos.ts`), each of which is made and undone. */
import { execFileSync } from 'node:child_process';
import { closeSync, constants, existsSync, openSync } from 'node:fs';
import { rename, rm, symlink, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { systemCode } from '../../src/files/file-error.js';
import type { InstanceStatus } from '../../src/supervisor/operators/status.js';

type ProcessRole = InstanceStatus['processes'][number]['role'];

/** The service as faults see it. */
export interface Instance {
  /** Ids of the processes with a role, as `/status` lists them; empty while the service does not answer. */
  pidsOf(role: ProcessRole): Promise<readonly number[]>;
  /** Makes the service import a snapshot, possibly before the promise resolves. */
  provokeImport(): Promise<void>;
  /** The folder of the `file:` store. */
  readonly storeDir: string;
  /** File that every thread looks for, if the service was started with `faultOptions`. */
  readonly threadFile: string;
}

export interface Random {
  /** From `least` to `most`. */
  between(least: number, most: number): number;
  pick<T>(list: readonly T[]): T | undefined;
}

interface Fault {
  readonly name: string;
  /** Makes the fault and undoes it; resolves with whether there was anything to break. */
  readonly make: (instance: Instance, random: Random) => Promise<boolean>;
}

const LOOK_MS = 30;
/** Longest wait for a thread to find the file: threads without a job look every 50 ms. */
const THREAD_LOOKS_MS = 3_000;
const STORE_ITSELF = '.itself';

/** Longest wait for an import to begin: one takes about a second, if the service begins it at all. */
const IMPORT_BEGINS_MS = 5_000;

/** This fault costs answers: 500 for the clients of the thread's job. */
export const THREAD_ENDED = 'thread ended';

export const FAULTS: readonly Fault[] = [
  { name: 'front killed', make: killOne('front') },
  { name: 'front stopped', make: stopOne('front', { least: 1_000, most: 20_000 }) },
  {
    name: 'import killed',
    make: duringImport((pid) => {
      signal(pid, 'SIGKILL');
    }),
  },
  {
    name: 'import stopped',
    make: duringImport(async (pid, random) => {
      await stopFor(pid, random.between(1_000, 10_000));
    }),
  },
  { name: THREAD_ENDED, make: breakThread(() => 0) },
  { name: 'thread hangs', make: breakThread((r) => r.between(1_000, 20_000)) },
  { name: 'store away', make: moveStoreAway },
  { name: 'store hangs', make: hangStore },
];

function killOne(role: ProcessRole): Fault['make'] {
  return async (instance, random) => {
    const pid = random.pick(await instance.pidsOf(role));
    if (pid !== undefined) signal(pid, 'SIGKILL');
    return pid !== undefined;
  };
}

function stopOne(
  role: ProcessRole,
  { least, most }: { readonly least: number; readonly most: number },
): Fault['make'] {
  return async (instance, random) => {
    const pid = random.pick(await instance.pidsOf(role));
    if (pid !== undefined) await stopFor(pid, random.between(least, most));
    return pid !== undefined;
  };
}

function duringImport(fault: (pid: number, random: Random) => void | Promise<void>): Fault['make'] {
  return async (instance, random) => {
    const provoked = instance.provokeImport();
    const untilMs = Date.now() + IMPORT_BEGINS_MS;
    while (Date.now() < untilMs) {
      const [pid] = await instance.pidsOf('import');
      if (pid === undefined) {
        await delay(LOOK_MS);
        continue;
      }
      await delay(random.between(0, 500));
      await fault(pid, random);
      await provoked;
      return true;
    }
    await provoked;
    return false;
  };
}

/** `NODE_OPTIONS` that preload the faults of threads and of the store; `HANGING_DISK` must be the store's path. */
export function faultOptions(threadFile: string): string {
  const disk = new URL('../../test/support/faults/hanging-disk.js', import.meta.url);
  return `${threadFaults(threadFile)} --import=${disk.href}`;
}

/**
 * A thread cannot be ended from outside its process, so all threads look for a file. The first one that finds it hangs
 * for the milliseconds in it, or ends where they are 0.
 */
function threadFaults(file: string): string {
  const script = `
    import { readFileSync, unlinkSync } from 'node:fs';
    import { isMainThread } from 'node:worker_threads';
    const look = () => {
      try {
        const ms = Number(readFileSync(${JSON.stringify(file)}));
        unlinkSync(${JSON.stringify(file)});
        if (ms === 0) process.exit(1);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
      } catch {}
    };
    if (!isMainThread) setInterval(look, 50).unref();`;
  return `--import=data:text/javascript,${encodeURIComponent(script)}`;
}

function breakThread(hangsMs: (random: Random) => number): Fault['make'] {
  return async ({ threadFile }, random) => {
    await writeFile(`${threadFile}.new`, String(hangsMs(random)));
    await rename(`${threadFile}.new`, threadFile);
    const untilMs = Date.now() + THREAD_LOOKS_MS;
    while (existsSync(threadFile)) {
      if (Date.now() > untilMs) {
        await rm(threadFile, { force: true });
        return false;
      }
      await delay(LOOK_MS);
    }
    return true;
  };
}

async function stopFor(pid: number, ms: number): Promise<void> {
  signal(pid, 'SIGSTOP');
  await delay(ms);
  signal(pid, 'SIGCONT');
}

/** Sends a signal; the process may have ended meanwhile. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (systemCode(error) !== 'ESRCH') throw error;
  }
}

/**
 * Acts like a disk that goes and comes back: the store's path leads nowhere meanwhile. If the path were missing, a
 * publisher would create an empty store there, and the service would have to accept that its pointer is absent.
 */
async function moveStoreAway({ storeDir }: Instance, random: Random): Promise<boolean> {
  await pointTo('/nowhere/at/all', storeDir);
  await delay(random.between(1_000, 10_000));
  await pointTo(`${storeDir}${STORE_ITSELF}`, storeDir);
  return true;
}

/** Acts like a hard mount whose server is away: calls of the service on the store return only afterwards. */
async function hangStore({ storeDir }: Instance, random: Random): Promise<boolean> {
  const fifo = `${storeDir}.hangs`;
  execFileSync('mkfifo', [fifo]);
  await delay(random.between(1_000, 20_000));
  await rename(fifo, `${fifo}.over`);
  try {
    // This lets the hanging calls continue; ENXIO means that no call hangs.
    closeSync(openSync(`${fifo}.over`, constants.O_WRONLY | constants.O_NONBLOCK));
  } catch (error) {
    if (systemCode(error) !== 'ENXIO') throw error;
  }
  await rm(`${fifo}.over`);
  return true;
}

/** Replaces the link by one rename: a publisher that found no store for a moment would create an empty one. */
async function pointTo(target: string, link: string): Promise<void> {
  await symlink(target, `${link}.new`);
  await rename(`${link}.new`, link);
}

/** Makes the store's path a link, so that the store can go and come back in one step. */
export async function linkStore(storeDir: string): Promise<void> {
  await rename(storeDir, `${storeDir}${STORE_ITSELF}`);
  await pointTo(`${storeDir}${STORE_ITSELF}`, storeDir);
}
