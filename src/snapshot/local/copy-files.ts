/** Files of any length inside a local copy, stored in segments, with reads at any offset. */
import { SnapshotError } from '../domain/snapshot-error.js';
import type { ReadableEnvironment, WritableEnvironment } from './environment.js';
import type { CopyRecords, StoredFile } from './records.js';

/** Size of a segment, small for short reads: with its checksum and LMDB's page header, it fills exactly four pages. */
export const SEGMENT_BYTES = 4 * 4096 - 16 - 4;

/** Limits: 2^12 files of 2^20 segments (16 KB each), since `keyEncoding: 'uint32'` truncates larger keys. */
const SEGMENTS_MAX = 2 ** 20;
const FILES_MAX = 2 ** 12;

function segmentKey(file: number, segment: number): number {
  if (file >= FILES_MAX || segment >= SEGMENTS_MAX) {
    throw new SnapshotError('import_failed', 'a file of the local copy is too large');
  }
  return file * SEGMENTS_MAX + segment;
}

/** Writes the bytes of one file in order; writers of several files may be used alternately. */
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

  /** Writes the buffered bytes, and ends the file. */
  finish(): StoredFile {
    const { name, sizeBytes } = this;
    if (this.#buffered > 0) this.#flush();
    return { name, sizeBytes };
  }

  #flush(): void {
    const key = segmentKey(this.#number, this.#segments);
    this.#environment.tables.segments.put(key, this.#buffer.subarray(0, this.#buffered));
    this.#segments += 1;
    this.#buffered = 0;
  }
}

export class FileReader {
  readonly #environment: ReadableEnvironment;
  readonly #files: ReadonlyMap<string, { readonly number: number; readonly sizeBytes: number }>;

  constructor(environment: ReadableEnvironment, files: CopyRecords['files']) {
    this.#environment = environment;
    this.#files = new Map(
      files.map(({ name, sizeBytes }, number) => [name, { number, sizeBytes }]),
    );
  }

  sizeBytes(name: string): number | undefined {
    return this.#files.get(name)?.sizeBytes;
  }

  /** Fills `bytes` from `offset` of a file. @throws {SnapshotError} `copy_damaged` for missing or damaged bytes. */
  readInto(bytes: Uint8Array, name: string, offset: number): void {
    const file = this.#files.get(name);
    if (file === undefined) throw new SnapshotError('copy_damaged', `${name} is missing`);
    for (let filled = 0; filled < bytes.byteLength;) {
      const at = offset + filled;
      const index = Math.floor(at / SEGMENT_BYTES);
      const start = at % SEGMENT_BYTES;
      const part = this.#segment(name, file.number, index).subarray(
        start,
        start + bytes.byteLength - filled,
      );
      if (part.byteLength === 0) throw missing(name, index);
      bytes.set(part, filled);
      filled += part.byteLength;
    }
  }

  /** A view of a segment, valid until the next read. @param name for messages; segment keys have only file numbers. */
  #segment(name: string, number: number, index: number): Uint8Array {
    let bytes: Uint8Array | undefined;
    try {
      bytes = this.#environment.tables.segments.view(segmentKey(number, index));
    } catch (cause) {
      if (!(cause instanceof SnapshotError)) throw cause;
      const message = `segment ${index} of ${name}: ${cause.message}`;
      throw new SnapshotError(cause.code, message, { cause });
    }
    if (bytes === undefined) throw missing(name, index);
    return bytes;
  }
}

function missing(name: string, segment: number): SnapshotError {
  return new SnapshotError('copy_damaged', `segment ${segment} of ${name} is missing`);
}
