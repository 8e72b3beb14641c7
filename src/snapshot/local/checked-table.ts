/** One table of a local copy whose every value is verified whenever it is read: LMDB itself notices no damage. */
import { crc32 } from 'node:zlib';
import { SnapshotError } from '../domain/snapshot-error.js';
import { isReadersFull } from './read-failure.js';

/** Before each value: CRC-32 of the table's name, the key and the value, so that another key's value is found out too. */
const CHECKSUM_BYTES = 4;

/** The library's table below a checked one. */
export interface KeyValueTable<K> {
  putSync(key: K, value: Buffer): unknown;
  /** A copy. */
  getBinary(key: K): Buffer | undefined;
  /** A view, valid until the next read of any table. */
  getBinaryFast(key: K): Buffer | undefined;
}

/** Not a cipher: it finds what disks and memory do to bytes, any change of up to 32 bits in a row among them. */
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
   * A copy of the value; undefined without such a key, or where a damaged tree hides it.
   *
   * @throws {SnapshotError} `copy_damaged` for other bytes than were put, or unreadable ones; `lease_ended` after
   * `close`; `copy_unreadable` where too many threads read the copy.
   */
  get(key: K): Uint8Array | undefined {
    return this.#read(key, 'getBinary');
  }

  /** The value as a view, which the next read of any table overwrites. */
  view(key: K): Uint8Array | undefined {
    return this.#read(key, 'getBinaryFast');
  }

  /** Ends reading: after it the library would read memory that is unmapped. */
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
    // lmdb overrides `length` alone: to native code the buffer of a view has the whole 16 MB of `byteLength`.
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
