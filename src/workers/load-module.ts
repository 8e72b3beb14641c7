/**
 * Loads modules in a worker thread with `require`, which opens one file at a time, and can be called again after a
 * shortage of open files. `import()` opens all files at once, and its failure is final.
 */
import { createRequire } from 'node:module';
import { SnapshotError } from '../snapshot/domain/snapshot-error.js';

/** Time to report the failure before the thread ends. */
const END_MS = 100;

const failures = new WeakSet<object>();

/**
 * Creates a loader of modules without top-level `await`, by their path from `url`.
 *
 * @returns a function that throws a `SnapshotError`, `copy_unreadable`, if the module cannot be loaded.
 */
export function loaderFrom(url: string): (path: string) => unknown {
  const load = createRequire(url);
  return (path) => {
    try {
      return load(path) as unknown;
    } catch (cause) {
      // A failure that repeats comes from Node's cache, which lasts as long as the thread, so the thread ends.
      if (cause instanceof Error) {
        if (failures.has(cause)) setTimeout(() => process.exit(), END_MS);
        failures.add(cause);
      }
      const message = `cannot load ${path}: ${String(cause)}`;
      throw new SnapshotError('copy_unreadable', message, { cause });
    }
  };
}
