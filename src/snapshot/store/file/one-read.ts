/**
 * Reads the pointer of a `file:` store without hanging with its disk (`docs/operations/stores.md, "Store outages"`): a
 * read that hangs blocks one of Node's file threads, so the next read waits for its end.
 */
import { deadlineWithin } from '../../../files/deadline.js';
import { SnapshotError } from '../../domain/snapshot-error.js';
import type { PointerReading, PointerStore, SnapshotStore } from '../snapshot-store.js';

/** Time limit of a read. */
const READ_MS = 5000;

export class OneReadAtATime implements PointerStore {
  readonly #store: SnapshotStore;
  /** Resolves at the end of the pending read. */
  #reading: Promise<void> | undefined;

  constructor(store: SnapshotStore) {
    this.#store = store;
  }

  get address(): string {
    return this.#store.address;
  }

  /** Whether a read is pending, which Node waits for at the exit. */
  get isReading(): boolean {
    return this.#reading !== undefined;
  }

  async readPointer(signal?: AbortSignal): Promise<PointerReading> {
    return await this.#read(() => this.#store.readPointer(), signal);
  }

  async readArchive(signal?: AbortSignal): Promise<Uint8Array | undefined> {
    return await this.#read(() => this.#store.readArchive(), signal);
  }

  /** Watching a directory could hang with its disk, so the pointer is polled. */
  watch(): { close(): void } {
    return { close: () => undefined };
  }

  close(): void {
    this.#store.close();
  }

  /** @throws {SnapshotError} `store_unreachable` where this read, or an earlier one, takes too long or is aborted. */
  async #read<T>(read: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const deadline = deadlineWithin(READ_MS, signal);
    const aborted = new Promise<never>((_resolve, reject) => {
      deadline.signal.addEventListener('abort', () => {
        reject(new SnapshotError('store_unreachable', `no answer in ${READ_MS} ms`));
      });
    });
    // Ignores an abort after the result.
    aborted.catch(() => undefined);
    try {
      // An abort before this call fires no event.
      deadline.signal.throwIfAborted();
      while (this.#reading !== undefined) await Promise.race([this.#reading, aborted]);
      const reading = read();
      const ended = (): void => {
        this.#reading = undefined;
      };
      this.#reading = reading.then(ended, ended);
      return await Promise.race([reading, aborted]);
    } finally {
      deadline.end();
    }
  }
}
