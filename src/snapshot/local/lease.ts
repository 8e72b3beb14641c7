/** Leases on one open snapshot: it is closed when the last one has ended and another snapshot is active. */
import assert from 'node:assert/strict';
import type { SnapshotReader } from './reader.js';

/** One use of a snapshot; it ends when the last byte of an answer is out, or when its client is gone. */
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

  /** Whether another one is active. */
  get isRetired(): boolean {
    return this.#retired;
  }

  /** Nothing can be read after the end; the files are closed a moment later. */
  get isClosed(): boolean {
    return this.#closed;
  }

  /** @param onRevoked called by `revoke`: its holder is to stop reading, and to release it. Without it, it is a short one. */
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

  /** Asks every holder of a lease who can be asked to end it; until then all of them are held. */
  revoke(): void {
    for (const onRevoked of [...this.#onRevoked.values()]) onRevoked();
  }

  /** Called when it is no longer the active one; closes it after its last reader. */
  retire(): void {
    if (this.#retired) return;
    this.#retired = true;
    this.#closeIfUnused();
  }

  /** It is the active one again, its readers read on; not after it was closed. */
  revive(): void {
    assert(!this.#closed, 'a closed snapshot cannot be served again');
    this.#retired = false;
  }

  #closeIfUnused(): void {
    if (!this.#retired || this.#leases > 0) return;
    setImmediate(() => {
      // It may have been leased, or served again, in this turn.
      if (this.#closed || !this.#retired || this.#leases > 0) return;
      this.#closed = true;
      void this.reader.close().then(this.#onClosed);
    });
  }
}
