/** Format of a cached archive file: segments, each after its checksum, so that every read is verified by itself. */
import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Digest } from '../domain/digest.js';
import { SnapshotError } from '../domain/snapshot-error.js';

const CHECKSUM_BYTES = 4;

/** Bytes of a record: a segment with its checksum on the disk. Only the last record of a file is shorter. */
export const RECORD_BYTES = 64 * 1024;
export const SEGMENT_BYTES = RECORD_BYTES - CHECKSUM_BYTES;

export function keptPath(folder: string, { sha256 }: Pick<Digest, 'sha256'>): string {
  return join(folder, `${sha256}.kept`);
}

/** The SHA-256 in a file's name; undefined for other names. */
export function keptDigest(name: string): string | undefined {
  return /^([0-9a-f]{64})\.kept$/.exec(name)?.[1];
}

export function keptBytes({ sizeBytes }: Pick<Digest, 'sizeBytes'>): number {
  return sizeBytes + Math.ceil(sizeBytes / SEGMENT_BYTES) * CHECKSUM_BYTES;
}

/** Splits the bytes of a file into records. */
export async function* keptRecords(
  chunks: AsyncIterable<Uint8Array>,
  file: Pick<Digest, 'sha256'>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let record = Buffer.allocUnsafe(RECORD_BYTES);
  let length = CHECKSUM_BYTES;
  let index = 0;
  const finish = (): Uint8Array => {
    const whole = record.subarray(0, length);
    whole.writeUInt32LE(checksum(whole.subarray(CHECKSUM_BYTES), file, index));
    record = Buffer.allocUnsafe(RECORD_BYTES);
    length = CHECKSUM_BYTES;
    index += 1;
    return whole;
  };
  for await (const chunk of chunks) {
    for (let taken = 0; taken < chunk.byteLength;) {
      const part = chunk.subarray(taken, taken + RECORD_BYTES - length);
      record.set(part, length);
      length += part.byteLength;
      taken += part.byteLength;
      if (length === RECORD_BYTES) yield finish();
    }
  }
  if (length > CHECKSUM_BYTES) yield finish();
}

/**
 * The bytes of a segment, as a view of its record.
 *
 * @throws {SnapshotError} `archive_damaged` for bytes that differ from those written.
 */
export function segmentOf(record: Uint8Array, file: Digest, index: number): Uint8Array {
  const length = Math.min(SEGMENT_BYTES, file.sizeBytes - index * SEGMENT_BYTES);
  const bytes = record.subarray(CHECKSUM_BYTES);
  if (bytes.byteLength === length) {
    const { buffer, byteOffset, byteLength } = record;
    const stored = new DataView(buffer, byteOffset, byteLength).getUint32(0, true);
    if (stored === checksum(bytes, file, index)) return bytes;
  }
  throw new SnapshotError('archive_damaged', `segment ${index} of ${file.sha256} is damaged`);
}

/** Reads an open cached file, in a thread that may wait for the disk. */
export class KeptFileReader {
  readonly #file: Digest;
  readonly #fd: number;
  readonly #record = Buffer.allocUnsafe(RECORD_BYTES);

  /** @throws {SnapshotError} `archive_damaged` if the file cannot be opened. */
  constructor(path: string, file: Digest) {
    this.#file = file;
    try {
      this.#fd = openSync(path, 'r');
    } catch (cause) {
      const message = `cannot open ${path}: ${String(cause)}`;
      throw new SnapshotError('archive_damaged', message, { cause });
    }
  }

  /** The bytes of `[from, to)` as new memory. @throws {SnapshotError} `archive_damaged`. */
  read(from: number, to: number): ArrayBuffer {
    const bytes = new Uint8Array(to - from);
    for (let at = from; at < to;) {
      const index = Math.floor(at / SEGMENT_BYTES);
      const start = index * SEGMENT_BYTES;
      const part = this.#segment(index).subarray(at - start, to - start);
      bytes.set(part, at - from);
      at += part.byteLength;
    }
    return bytes.buffer;
  }

  close(): void {
    closeSync(this.#fd);
  }

  #segment(index: number): Uint8Array {
    const length = readSync(this.#fd, this.#record, 0, RECORD_BYTES, index * RECORD_BYTES);
    return segmentOf(this.#record.subarray(0, length), this.#file, index);
  }
}

/** A checksum of the bytes, the file's digest and the segment's index. */
function checksum(bytes: Uint8Array, { sha256 }: Pick<Digest, 'sha256'>, index: number): number {
  return crc32(bytes, crc32(`${sha256} ${index}`));
}
