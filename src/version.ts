/** The version of this package. */
import { readFileSync } from 'node:fs';

/** From the nearest package.json: one folder above `dist`, two above `build/src`. */
export const VERSION = readVersion(['../package.json', '../../package.json']);

function readVersion(paths: readonly string[]): string {
  for (const path of paths) {
    try {
      const manifest: unknown = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
      if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) {
        return String(manifest.version);
      }
    } catch {
      // It is the other path.
    }
  }
  return 'unknown';
}
