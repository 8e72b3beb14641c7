/** The bulk bundle inside a local copy: which files it has, with their sizes and digests. */
import type { Digest } from '../domain/digest.js';
import type { Coding } from './environment.js';

/** One finished file; its bytes are the file `bulkFileName(name)` of the copy. */
export interface BundleFile extends Digest {
  readonly name: string;
  readonly contentType: string;
  /** Of its gzip form, `bulkFileName(name, 'gzip')`; undefined where compression gains nothing. */
  readonly gzip: Digest | undefined;
}

export function bulkFileName(name: string, coding: Coding = 'identity'): string {
  return `bulk/${storedName(name, coding)}`;
}

/** What a file of the bundle is called in one coding, where both lie side by side. */
export function storedName(name: string, coding: Coding): string {
  return coding === 'gzip' ? `${name}.gz` : name;
}
