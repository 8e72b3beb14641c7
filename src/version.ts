/** Facts from this package's manifest; packing removes its development members. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

interface Manifest {
  readonly version?: string;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** The manifest is one folder above `dist`, and two above `build/src`. */
const MANIFEST = readManifest(['../package.json', '../../package.json']);

export const VERSION = MANIFEST.version ?? 'unknown';

/** An optional package in the tested version, as npm takes it: `name@version`. */
export function optionalPackage(name: string): string {
  const version = MANIFEST.peerDependencies?.[name];
  assert(version !== undefined, `package.json has no peer dependency ${name}`);
  return `${name}@${version}`;
}

function readManifest(paths: readonly string[]): Manifest {
  for (const path of paths) {
    try {
      return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as Manifest;
    } catch {
      // The manifest is at the other path.
    }
  }
  return {};
}
