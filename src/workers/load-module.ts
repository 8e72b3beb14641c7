/**
 * Loads modules in a worker thread with `require`, which opens one file at a time, and tries again what it could not open.
 * `import()` opens all files of a module at once, which may be more than the process may have, and then fails for ever.
 */
import { createRequire } from 'node:module';
import { SnapshotError } from '../snapshot/domain/snapshot-error.js';

/** Time for the result that says why. */
const END_MS = 100;

const failures = new WeakSet<object>();

/**
 * Loads a module, which awaits nothing in its top level, by its path from the module of this URL.
 *
 * @returns a function that throws a `SnapshotError`, `copy_unreadable`.
 */
export function loaderFrom(url: string): (path: string) => unknown {
  const load = createRequire(url);
  return (path) => {
    try {
      return load(path) as unknown;
    } catch (cause) {
      // Node keeps what failed half way for as long as the thread lives: another one takes its place.
      if (cause instanceof Error) {
        if (failures.has(cause)) setTimeout(() => process.exit(), END_MS);
        failures.add(cause);
      }
      const message = `cannot load ${path}: ${String(cause)}`;
      throw new SnapshotError('copy_unreadable', message, { cause });
    }
  };
}
