/**
 * A lock between processes on any machines: a folder that its holder works in.
 *
 * The lock is a folder with one folder in it, which the holder has made before, under a unique name. Every step of the
 * holder moves something out of this folder or into it. A holder that is stopped, or whose disk hangs, loses the lock
 * to the next process, which moves the folder away in one step: from then on every step of the former holder fails. A
 * clock never decides whether two processes change the same data, only how long the second process waits.
 */
import { mkdir, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isWriterGone, namesIn, temporaryPath } from './durable-file.js';
import { systemCode } from './file-error.js';
import { exists } from './regular-file.js';

/** A holder works for some milliseconds; one that takes longer than this counts as hung. */
const TIMEOUT_MS = 30_000;
const RETRY_MS = 10;

/** A longer wait is reported. */
const SAY_AFTER_MS = 2000;

export interface LockOptions {
  /** Aborts the wait. */
  readonly signal?: AbortSignal | undefined;
  /** Time that another process may hold the lock; default: 30 s. */
  readonly timeoutMs?: number | undefined;
  /** Called once, when the wait takes long. */
  readonly onWait?: () => void;
}

/**
 * Runs work under the lock; undefined if the lock was lost before the work was done.
 *
 * @param work gets the holder's folder: its steps are renames out of or into that folder, on the lock's file system.
 */
export async function withLock<T>(
  lock: string,
  work: (folder: string) => Promise<T>,
  options: LockOptions = {},
): Promise<T | undefined> {
  const made = temporaryPath(dirname(lock));
  const folder = join(lock, basename(made));
  try {
    await acquire(lock, made, options);
    return await work(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT' && !(await exists(folder))) return undefined;
    throw error;
  } finally {
    await remove(folder);
    await remove(made);
    await removeIfEmpty(lock);
  }
}

async function acquire(
  lock: string,
  made: string,
  { signal, timeoutMs = TIMEOUT_MS, onWait = () => undefined }: LockOptions,
): Promise<void> {
  // Not `recursive`, which gives ENOENT on a read-only disk.
  await mkdir(made);
  await mkdir(join(made, basename(made)));
  const startedMs = performance.now();
  let holder: { readonly name: string; readonly sinceMs: number } | undefined;
  let isSaid = false;
  while (!(await take(made, lock))) {
    const [name] = await namesIn(lock);
    const now = performance.now();
    if (name === undefined) await removeIfEmpty(lock);
    else if (name !== holder?.name) holder = { name, sinceMs: now };
    if (name !== undefined && holder !== undefined) {
      if (isWriterGone(name) || now - holder.sinceMs > timeoutMs) await takeAway(lock, name);
    }
    if (!isSaid && now - startedMs > SAY_AFTER_MS) {
      isSaid = true;
      onWait();
    }
    await wait(RETRY_MS, undefined, { signal });
  }
}

/** A rename replaces an empty folder, which is a free lock, but never a folder with content. */
async function take(made: string, lock: string): Promise<boolean> {
  try {
    await rename(made, lock);
    return true;
  } catch (error) {
    // The lock of an earlier version was a link.
    if (systemCode(error) === 'ENOTDIR') await rm(lock, { force: true });
    else if (!['ENOTEMPTY', 'EEXIST'].includes(systemCode(error) ?? '')) throw error;
    return false;
  }
}

/** Moves away only the folder of this holder: another process may have the lock by now. */
async function takeAway(lock: string, holder: string): Promise<void> {
  const aside = temporaryPath(dirname(lock));
  try {
    await rename(join(lock, holder), aside);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
  await remove(aside);
}

/** Removes a folder; if that fails, a later command removes it. */
async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch(() => undefined);
}

async function removeIfEmpty(path: string): Promise<void> {
  await rmdir(path).catch(() => undefined);
}
