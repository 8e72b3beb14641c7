/** Facts from the manifest of this package, in a checkout and installed: packing leaves out development members. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

interface Manifest {
  readonly version?: string;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** From the nearest package.json: one folder above `dist`, two above `build/src`. */
const MANIFEST = readManifest(['../package.json', '../../package.json']);

export const VERSION = MANIFEST.version ?? 'unknown';

/** An optional package in the version that this one was tested with, as npm installs it: `name@version`. */
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
      // It is the other path.
    }
  }
  return {};
}
