/** A long text as a body: its file is read, and inflated where a client takes no gzip, off this thread and at the client's pace. */
import { createReadStream, openSync, rmSync } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { LeasedSnapshot } from '../../snapshot/local/lease.js';
import type { Plan, TextFile } from '../../snapshot/local/plan.js';
import type { BodyReader, BodyReading, LongBody } from '../semantics/answer.js';

const READ_BYTES = 128 * 1024;

/** Holds a lease while it is read: the file lies in the snapshot's copy. */
export class TextFileBody implements LongBody {
  readonly byteLength: number;
  readonly residentBytes = 256;
  /** What is read ahead of the client, and zlib's window. */
  readonly readingBytes = 3 * READ_BYTES;
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

  /** @throws {Error} where the file cannot be opened: it may go while nobody reads it. */
  open({ onReady, onRevoked }: BodyReader): BodyReading {
    const { path, gzipBytes } = this.#file;
    const fd = openSync(path, 'r');
    const lease = this.#snapshot.lease(onRevoked);
    const file = createReadStream(path, { fd, end: gzipBytes - 1, highWaterMark: READ_BYTES });
    const gunzip = this.#coding === 'gzip' ? undefined : createGunzip({ chunkSize: READ_BYTES });
    if (gunzip !== undefined) pipeline(file, gunzip, () => undefined);
    const text = new TextReading(gunzip ?? file, { byteLength: this.byteLength, onReady });
    return {
      byteLength: this.byteLength,
      from: (offset) => {
        try {
          return text.from(offset);
        } catch (error) {
          // Whoever asks next has it made again.
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

/** What a stream has given last, and what it will give. */
class TextReading {
  readonly #stream: Readable;
  readonly #byteLength: number;
  #chunk: Uint8Array = Buffer.alloc(0);
  #start = 0;
  #isWaiting = false;
  #hasEnded = false;
  #error: Error | undefined;

  constructor(
    stream: Readable,
    { byteLength, onReady }: { readonly byteLength: number; readonly onReady: () => void },
  ) {
    this.#stream = stream;
    this.#byteLength = byteLength;
    const goOn = (): void => {
      if (!this.#isWaiting) return;
      this.#isWaiting = false;
      onReady();
    };
    stream.on('readable', goOn);
    stream.once('end', () => {
      this.#hasEnded = true;
      goOn();
    });
    stream.on('error', (error) => {
      this.#error = error;
      goOn();
    });
  }

  /**
   * Bytes from `offset` on; undefined until `onReady`. The last ones wait for the end of the stream, at which zlib compares
   * the checksum: a body with other bytes than were written is never whole.
   */
  from(offset: number): Uint8Array | undefined {
    if (this.#error !== undefined) throw this.#error;
    while (offset >= this.#end && this.#next()) continue;
    const isLast = this.#end >= this.#byteLength;
    if (isLast && !this.#hasEnded) this.#next();
    if (this.#hasEnded && this.#end !== this.#byteLength)
      throw new RangeError('it has another length');
    if (offset < this.#end && (!isLast || this.#hasEnded)) {
      return this.#chunk.subarray(offset - this.#start);
    }
    this.#isWaiting = true;
    return undefined;
  }

  get #end(): number {
    return this.#start + this.#chunk.byteLength;
  }

  /** Takes what the stream has; false where it has nothing now. */
  #next(): boolean {
    const next: unknown = this.#stream.read();
    if (!(next instanceof Uint8Array)) return false;
    this.#start = this.#end;
    this.#chunk = next;
    return true;
  }
}
