/**
 * Loads modules in a worker thread with `require`, one file at a time, and retries what it could not open. `import()`
 * opens all files of a module at once, and a failure for want of files is final.
 */
import { createRequire } from 'node:module';
import { SnapshotError } from '../snapshot/domain/snapshot-error.js';

/** Time for sending the reason. */
const END_MS = 100;

const failures = new WeakSet<object>();

/**
 * Loads a module without top-level `await`, by its path from this URL.
 *
 * @returns a function that throws a `SnapshotError`, `copy_unreadable`.
 */
export function loaderFrom(url: string): (path: string) => unknown {
  const load = createRequire(url);
  return (path) => {
    try {
      return load(path) as unknown;
    } catch (cause) {
      // Node caches a failed load for the thread's life, so the thread is replaced.
      if (cause instanceof Error) {
        if (failures.has(cause)) setTimeout(() => process.exit(), END_MS);
        failures.add(cause);
      }
      const message = `cannot load ${path}: ${String(cause)}`;
      throw new SnapshotError('copy_unreadable', message, { cause });
    }
  };
}
