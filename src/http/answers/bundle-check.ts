/** Checks that the bulk bundle of a snapshot is whole, for `/health/ready` with `deep`. */
import { SnapshotError } from '../../snapshot/domain/snapshot-error.js';
import type { LeasedSnapshot } from '../../snapshot/local/lease.js';
import type { BundleVerdict } from '../../workers/messages.js';
import type { WorkerPool } from '../../workers/pool.js';

/** Time for which a verdict is reused, since a check reads the whole bundle. */
const GOOD_FOR_MS = 10_000;

const UNREADABLE = 'The bulk files cannot be read from the local copy.';

export class BundleCheck {
  readonly #snapshot: LeasedSnapshot;
  readonly #pool: WorkerPool;
  readonly #onFailure: (error: unknown) => void;
  #verdict: Promise<BundleVerdict> | undefined;
  /** Infinity while a check runs, so that only one runs at a time. */
  #goodUntilMs = 0;

  /** @param on.onFailure called with the failure of the job, or with the damage that the job found. */
  constructor(
    snapshot: LeasedSnapshot,
    on: { readonly pool: WorkerPool; readonly onFailure: (error: unknown) => void },
  ) {
    this.#snapshot = snapshot;
    this.#pool = on.pool;
    this.#onFailure = on.onFailure;
  }

  verdict(): Promise<BundleVerdict> {
    if (this.#verdict === undefined || performance.now() > this.#goodUntilMs) {
      this.#goodUntilMs = Infinity;
      this.#verdict = this.#ask();
    }
    return this.#verdict;
  }

  async #ask(): Promise<BundleVerdict> {
    const lease = this.#snapshot.lease();
    try {
      const { directory } = this.#snapshot.reader;
      const verdict = await this.#pool.run('verify-bundle', { directory });
      if (!verdict.ok) this.#onFailure(new SnapshotError('copy_damaged', verdict.detail));
      return verdict;
    } catch (error) {
      this.#onFailure(error);
      const isFailure = error instanceof SnapshotError;
      // Only damage is a verdict to reuse; after any other failure the next call checks again.
      if (!isFailure || error.code !== 'copy_damaged') this.#verdict = undefined;
      // The message contains a local path, which clients must not see.
      if (isFailure) return { ok: false, detail: UNREADABLE };
      throw error;
    } finally {
      this.#goodUntilMs = performance.now() + GOOD_FOR_MS;
      lease.release();
    }
  }
}
