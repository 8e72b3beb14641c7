/** A long text as a body: its file is read, and inflated where needed, asynchronously at the client's pace. */
import { createReadStream, openSync, rmSync } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { LeasedSnapshot } from '../../snapshot/local/lease.js';
import type { Plan, TextFile } from '../../snapshot/local/plan.js';
import type { BodyReader, BodyReading, LongBody } from '../semantics/answer.js';
import { StreamReading } from './stream-reading.js';

const READ_BYTES = 128 * 1024;

/** Each reading holds a lease, since the file is part of the snapshot's copy. */
export class TextFileBody implements LongBody {
  readonly byteLength: number;
  readonly residentBytes = 256;
  /** Memory for bytes that are read ahead of the client, and for zlib's window. */
  readonly readingBytes = 3 * READ_BYTES;
  readonly openFiles = 1;
  readonly #file: TextFile;
  readonly #coding: Plan['coding'];
  readonly #snapshot: LeasedSnapshot;

  constructor(
    file: TextFile,
    { totalBytes, coding }: Pick<Plan, 'totalBytes' | 'coding'>,
    snapshot: LeasedSnapshot,
  ) {
    this.byteLength = totalBytes;
    this.#file = file;
    this.#coding = coding;
    this.#snapshot = snapshot;
  }

  /** @throws {Error} when the file cannot be opened; it may have been removed. */
  open({ onReady, onRevoked }: BodyReader): BodyReading {
    const { path, gzipBytes } = this.#file;
    const lease = this.#snapshot.lease(onRevoked);
    let fd: number;
    try {
      fd = openSync(path, 'r');
    } catch (error) {
      lease.release();
      throw error;
    }
    const file = createReadStream(path, { fd, end: gzipBytes - 1, highWaterMark: READ_BYTES });
    const gunzip = this.#coding === 'gzip' ? undefined : createGunzip({ chunkSize: READ_BYTES });
    if (gunzip !== undefined) pipeline(file, gunzip, () => undefined);
    const text = new StreamReading(gunzip ?? file, { byteLength: this.byteLength, onReady });
    return {
      byteLength: this.byteLength,
      from: (offset) => {
        try {
          return text.from(offset);
        } catch (error) {
          // The next request renders the text again.
          rmSync(path, { force: true });
          throw error;
        }
      },
      close: () => {
        file.destroy();
        gunzip?.destroy();
        lease.release();
      },
    };
  }
}
