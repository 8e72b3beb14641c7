/** A table of a local copy that verifies each value when it is read, which LMDB does not. */
import { crc32 } from 'node:zlib';
import { SnapshotError } from '../domain/snapshot-error.js';
import { isReadersFull } from './read-failure.js';

/** A CRC-32 of table name, key and value precedes each value, so that a value of another key is detected too. */
const CHECKSUM_BYTES = 4;

export interface KeyValueTable<K> {
  putSync(key: K, value: Buffer): unknown;
  getBinary(key: K): Buffer | undefined;
  /** A view, valid until the next read of any table. */
  getBinaryFast(key: K): Buffer | undefined;
}

/** A table whose checksums detect accidental damage, such as any change of up to 32 bits in a row, not attacks. */
export class CheckedTable<K extends string | number | readonly number[]> {
  readonly #name: string;
  readonly #database: KeyValueTable<K>;
  #isClosed = false;

  constructor(name: string, database: KeyValueTable<K>) {
    this.#name = name;
    this.#database = database;
  }

  put(key: K, bytes: Uint8Array): void {
    const stored = Buffer.allocUnsafe(CHECKSUM_BYTES + bytes.byteLength);
    stored.writeUInt32LE(this.#checksum(key, bytes));
    stored.set(bytes, CHECKSUM_BYTES);
    this.#database.putSync(key, stored);
  }

  /**
   * A copy of the value; undefined for a missing key, or if a damaged tree hides it.
   *
   * @throws {SnapshotError} `copy_damaged` for a value that differs from the one written, or cannot be read;
   * `lease_ended` after `close`; `copy_unreadable` if too many threads read the copy.
   */
  get(key: K): Uint8Array | undefined {
    return this.#read(key, 'getBinary');
  }

  /** The value as a view, valid until the next read of any table. */
  view(key: K): Uint8Array | undefined {
    return this.#read(key, 'getBinaryFast');
  }

  /** Refuses later reads: the library would read unmapped memory. */
  close(): void {
    this.#isClosed = true;
  }

  #read(key: K, method: 'getBinary' | 'getBinaryFast'): Uint8Array | undefined {
    if (this.#isClosed) {
      throw new SnapshotError('lease_ended', 'the local copy was closed before this read');
    }
    let value: Buffer | undefined;
    try {
      value = this.#database[method](key);
    } catch (cause) {
      if (isReadersFull(cause)) {
        const message = 'too many threads read the copy (MDB_READERS_FULL)';
        throw new SnapshotError('copy_unreadable', message, { cause });
      }
      throw this.#damage(key, 'cannot be read', { cause });
    }
    if (value === undefined) return undefined;
    // lmdb overrides only `length`: native code sees the 16 MB of the view's buffer.
    const { buffer, byteOffset, length } = value;
    const stored = new DataView(buffer, byteOffset, length);
    if (length >= CHECKSUM_BYTES) {
      const bytes = new Uint8Array(buffer, byteOffset + CHECKSUM_BYTES, length - CHECKSUM_BYTES);
      if (stored.getUint32(0, true) === this.#checksum(key, bytes)) return bytes;
    }
    throw this.#damage(key, 'is damaged');
  }

  #checksum(key: K, bytes: Uint8Array): number {
    return crc32(bytes, crc32(`${this.#name} ${String(key)}`));
  }

  #damage(key: K, problem: string, options?: ErrorOptions): SnapshotError {
    return new SnapshotError('copy_damaged', `${this.#name} ${String(key)} ${problem}`, options);
  }
}
