/** What the manifest of this package says of it. */
import { readFileSync } from 'node:fs';

interface Manifest {
  readonly version?: string;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** From the nearest package.json: one folder above `dist`, two above `build/src`. */
const MANIFEST = readManifest(['../package.json', '../../package.json']);

export const VERSION = MANIFEST.version ?? 'unknown';

/** The version with which a package was tested that is not installed with this one. */
export function testedVersion(name: string): string {
  return MANIFEST.devDependencies?.[name] ?? 'latest';
}

function readManifest(paths: readonly string[]): Manifest {
  for (const path of paths) {
    try {
      return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as Manifest;
    } catch {
      // It is the other path.
    }
  }
  return {};
}
