/**
 * Reads the pointer and the archive index of a `file:` store with a time limit, one read at a time: a read from a
 * hanging disk blocks one of Node's file threads until it ends (`docs/operations/stores.md, "Store outages"`).
 */
import { deadlineWithin, unlessAborted } from '../../../files/deadline.js';
import { SnapshotError } from '../../domain/snapshot-error.js';
import type { PointerReading, PointerStore, SnapshotStore } from '../snapshot-store.js';

/** Time limit of a read, including the wait for an earlier read. */
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

  /** Whether a read is pending. Node waits for its end before the process exits. */
  get isReading(): boolean {
    return this.#reading !== undefined;
  }

  async readPointer(signal?: AbortSignal): Promise<PointerReading> {
    return await this.#read(() => this.#store.readPointer(), signal);
  }

  async readArchive(signal?: AbortSignal): Promise<Uint8Array | undefined> {
    return await this.#read(() => this.#store.readArchive(), signal);
  }

  close(): void {
    this.#store.close();
  }

  /** @throws {SnapshotError} `store_unreachable` after an abort, or if this read or an earlier one takes too long. */
  async #read<T>(read: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const deadline = deadlineWithin(READ_MS, signal);
    const late = new SnapshotError('store_unreachable', `no answer in ${READ_MS} ms`);
    try {
      deadline.signal.throwIfAborted();
      while (this.#reading !== undefined) {
        await unlessAborted(this.#reading, deadline.signal, late);
      }
      const reading = read();
      const ended = (): void => {
        this.#reading = undefined;
      };
      this.#reading = reading.then(ended, ended);
      return await unlessAborted(reading, deadline.signal, late);
    } finally {
      deadline.end();
    }
  }
}
