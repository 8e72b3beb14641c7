/** Whether the bulk bundle of a snapshot is whole: what deep readiness asks. */
import { SnapshotError } from '../../snapshot/domain/snapshot-error.js';
import type { LeasedSnapshot } from '../../snapshot/local/lease.js';
import type { BundleVerdict } from '../../workers/messages.js';
import type { WorkerPool } from '../../workers/pool.js';

/** All bytes of the bundle are read, so a verdict is good for a while, for everybody who asks. */
const GOOD_FOR_MS = 10_000;

const UNREADABLE = 'The bulk files cannot be read from the local copy.';

export class BundleCheck {
  readonly #snapshot: LeasedSnapshot;
  readonly #pool: WorkerPool;
  #verdict: Promise<BundleVerdict> | undefined;
  #askedAt = 0;

  constructor(snapshot: LeasedSnapshot, pool: WorkerPool) {
    this.#snapshot = snapshot;
    this.#pool = pool;
  }

  /** @throws {PoolBusyError} asynchronously, when too many jobs wait already. */
  verdict(): Promise<BundleVerdict> {
    const now = performance.now();
    if (this.#verdict === undefined || now - this.#askedAt > GOOD_FOR_MS) {
      this.#askedAt = now;
      this.#verdict = this.#ask();
    }
    return this.#verdict;
  }

  async #ask(): Promise<BundleVerdict> {
    const lease = this.#snapshot.lease();
    try {
      const { directory } = this.#snapshot.reader;
      return await this.#pool.run('verify-bundle', { directory });
    } catch (error) {
      // The message has a path of the machine, and whoever asks is a stranger.
      if (error instanceof SnapshotError) return { ok: false, detail: UNREADABLE };
      // Nothing was found out about the bundle.
      this.#verdict = undefined;
      throw error;
    } finally {
      lease.release();
    }
  }
}
