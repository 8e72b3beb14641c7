/** The bulk bundle inside a local copy: which files it has, with their sizes and digests. */

/** One finished file; its bytes are the file `bulkFileName(name)` of the copy. */
export interface BundleFile {
  readonly name: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  /** 64 lower-case hex digits. */
  readonly sha256: string;
}

export function bulkFileName(name: string): string {
  return `bulk/${name}`;
}
