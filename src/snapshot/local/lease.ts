/** Leases on an open snapshot, which is closed after its last lease once another snapshot is active. */
import assert from 'node:assert/strict';
import type { SnapshotReader } from './reader.js';

/** One use of a snapshot, until the last byte of an answer is sent or its client is gone. */
export interface Lease {
  readonly reader: SnapshotReader;
  release(): void;
}

/**
 * Counts the leases of one snapshot. Code within one iteration of the event loop needs no lease, as snapshots are
 * closed between iterations only. Code that waits for a callback or a message needs a lease, as reads after `close`
 * throw. The environment is closed at the end of the iteration in which the last lease ends, so that an answer planned
 * under one lease can be sent under another.
 */
export class LeasedSnapshot {
  readonly reader: SnapshotReader;
  readonly #onClosed: () => void;
  readonly #onRevoked = new Map<Lease, () => void>();
  #leases = 0;
  #retired = false;
  #kept = false;
  #closed = false;

  /** @param onClosed called once, after the environment is closed: its files may then be removed. */
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

  /** Whether reads are no longer possible; the files are closed a moment later. */
  get isClosed(): boolean {
    return this.#closed;
  }

  /** @param onRevoked called by `revoke`, to stop reading and release the lease; short leases have no `onRevoked`. */
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

  /** Asks the holders of leases with `onRevoked` to release them. */
  revoke(): void {
    for (const onRevoked of [...this.#onRevoked.values()]) onRevoked();
  }

  /** Called when another snapshot is active; closes this snapshot after its last lease, unless it is kept for now. */
  retire(isKept = false): void {
    this.#kept = isKept;
    this.#retired = true;
    this.#closeIfUnused();
  }

  /** Called when this snapshot is active again, before it is closed. */
  revive(): void {
    assert(!this.#closed, 'a closed snapshot cannot be served again');
    this.#retired = false;
  }

  #closeIfUnused(): void {
    if (!this.#retired || this.#kept || this.#leases > 0) return;
    setImmediate(() => {
      // The snapshot may have been leased, kept or revived in this iteration.
      if (this.#closed || !this.#retired || this.#kept || this.#leases > 0) return;
      this.#closed = true;
      void this.reader.close().then(this.#onClosed);
    });
  }
}
