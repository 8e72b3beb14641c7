/** Leases on one open snapshot, which is closed after the last one when another snapshot is active. */
import assert from 'node:assert/strict';
import type { SnapshotReader } from './reader.js';

/** One use of a snapshot, until the last byte of an answer is sent or its client is gone. */
export interface Lease {
  readonly reader: SnapshotReader;
  release(): void;
}

/**
 * Counts the leases of one snapshot.
 *
 * Code within one iteration of the event loop needs no lease: a swap happens between two. Code that crosses a callback
 * or a message holds one, for reads after `close` throw. The environment is closed at the end of the iteration in which
 * the last lease ends, so that an answer planned under one lease can be sent under another.
 */
export class LeasedSnapshot {
  readonly reader: SnapshotReader;
  readonly #onClosed: () => void;
  readonly #onRevoked = new Map<Lease, () => void>();
  #leases = 0;
  #retired = false;
  #closed = false;

  /** @param onClosed called once, after the environment is closed: its files may go. */
  constructor(reader: SnapshotReader, onClosed: () => void) {
    this.reader = reader;
    this.#onClosed = onClosed;
  }

  get snapshotId(): string {
    return this.reader.header.snapshotId;
  }

  get leases(): number {
    return this.#leases;
  }

  get isRetired(): boolean {
    return this.#retired;
  }

  /** Reads are no longer possible; the files are closed a moment later. */
  get isClosed(): boolean {
    return this.#closed;
  }

  /** @param onRevoked called by `revoke`, to stop reading and release the lease; without it the lease is short. */
  lease(onRevoked?: () => void): Lease {
    assert(!this.#closed, 'a closed snapshot cannot be leased');
    this.#leases += 1;
    let held = true;
    const lease: Lease = {
      reader: this.reader,
      release: () => {
        if (!held) return;
        held = false;
        this.#leases -= 1;
        this.#onRevoked.delete(lease);
        this.#closeIfUnused();
      },
    };
    if (onRevoked !== undefined) this.#onRevoked.set(lease, onRevoked);
    return lease;
  }

  /** Asks all holders with `onRevoked` to end their leases. */
  revoke(): void {
    for (const onRevoked of [...this.#onRevoked.values()]) onRevoked();
  }

  /** Called when another snapshot is active; closes it after its last reader. */
  retire(): void {
    if (this.#retired) return;
    this.#retired = true;
    this.#closeIfUnused();
  }

  /** Called when it is active again; not after its closing. */
  revive(): void {
    assert(!this.#closed, 'a closed snapshot cannot be served again');
    this.#retired = false;
  }

  #closeIfUnused(): void {
    if (!this.#retired || this.#leases > 0) return;
    setImmediate(() => {
      // It may have been leased or revived in this iteration.
      if (this.#closed || !this.#retired || this.#leases > 0) return;
      this.#closed = true;
      void this.reader.close().then(this.#onClosed);
    });
  }
}
