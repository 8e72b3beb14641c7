/** Files inside a local copy: any length, cut into segments, read from any offset. */
import { SnapshotError } from '../domain/snapshot-error.js';
import type { ReadableEnvironment, WritableEnvironment } from './environment.js';

/** One write to a socket; a value of 16 MB or more would be a view of the map (`docs/dependencies.md, "Large values"`). */
export const SEGMENT_BYTES = 256 * 1024;

/** 2^20 segments of 256 KB a file, 2^12 files: `keyEncoding: 'uint32'` coerces whatever is beyond. */
const SEGMENTS_MAX = 2 ** 20;
const FILES_MAX = 2 ** 12;

export interface StoredFile {
  readonly name: string;
  readonly sizeBytes: number;
}

/** In the order of their numbers. */
export type FileList = readonly StoredFile[];

function segmentKey(file: number, segment: number): number {
  if (file >= FILES_MAX || segment >= SEGMENTS_MAX) {
    throw new SnapshotError('import_failed', 'a file of the local copy is too large');
  }
  return file * SEGMENTS_MAX + segment;
}

/** Writes one file from its first byte to its last; several may be written side by side. */
export class FileWriter {
  readonly name: string;
  readonly #environment: WritableEnvironment;
  readonly #number: number;
  readonly #buffer = new Uint8Array(SEGMENT_BYTES);
  #segments = 0;
  #buffered = 0;

  constructor(environment: WritableEnvironment, number: number, name: string) {
    this.name = name;
    this.#environment = environment;
    this.#number = number;
  }

  get sizeBytes(): number {
    return this.#segments * SEGMENT_BYTES + this.#buffered;
  }

  /** In a transaction of the environment. */
  append(bytes: Uint8Array): void {
    let taken = 0;
    while (taken < bytes.byteLength) {
      const next = bytes.subarray(taken, taken + SEGMENT_BYTES - this.#buffered);
      this.#buffer.set(next, this.#buffered);
      this.#buffered += next.byteLength;
      taken += next.byteLength;
      if (this.#buffered === SEGMENT_BYTES) this.#flush();
    }
  }

  /** Writes what is left; nothing may be appended afterwards. */
  finish(): StoredFile {
    const { name, sizeBytes } = this;
    if (this.#buffered > 0) this.#flush();
    return { name, sizeBytes };
  }

  #flush(): void {
    const key = segmentKey(this.#number, this.#segments);
    this.#environment.putSegment(key, this.#buffer.subarray(0, this.#buffered));
    this.#segments += 1;
    this.#buffered = 0;
  }
}

/** Reads the files of a complete copy. */
export class FileReader {
  readonly #environment: ReadableEnvironment;
  /** Numbers by name. */
  readonly #files: ReadonlyMap<string, number>;

  constructor(environment: ReadableEnvironment, files: FileList) {
    this.#environment = environment;
    this.#files = new Map(files.map(({ name }, number) => [name, number]));
  }

  /**
   * One segment: a copy that many may share. Its checksum takes 0.1 ms.
   *
   * @throws {SnapshotError} `copy_damaged` where there is none, or other bytes than were written.
   */
  segment(name: string, index: number): Uint8Array {
    const what = `segment ${index} of ${name}`;
    const number = this.#files.get(name);
    const bytes = number === undefined ? undefined : this.#stored(segmentKey(number, index), what);
    if (bytes === undefined) throw new SnapshotError('copy_damaged', `${what} is missing`);
    return bytes;
  }

  /** Names the file, of which the table has only the number. */
  #stored(key: number, what: string): Uint8Array | undefined {
    try {
      return this.#environment.segment(key);
    } catch (cause) {
      if (!(cause instanceof SnapshotError)) throw cause;
      throw new SnapshotError(cause.code, `${what}: ${cause.message}`, { cause });
    }
  }
}
