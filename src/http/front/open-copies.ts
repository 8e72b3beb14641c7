/** The copies that a front has open: the active one, and older ones with readers. */
import type { SnapshotError } from '../../snapshot/domain/snapshot-error.js';
import { LeasedSnapshot } from '../../snapshot/local/lease.js';
import { SnapshotReader } from '../../snapshot/local/reader.js';
import type { WorkerPool } from '../../workers/pool.js';
import { SnapshotAnswers } from '../answers/snapshot-answers.js';
import type { FromFront, ActivatedCopy } from '../../ipc/front-messages.js';
import type { Log } from '../../log/log.js';

/** Time until damage is reported again: the supervisor may have found no fault. */
const REPORT_AGAIN_MS = 10_000;

export interface OpenCopiesOptions {
  readonly pool: WorkerPool;
  /** Maximal number of older copies with readers. */
  readonly retiredMax: number;
  readonly log: Log;
  readonly send: (message: FromFront) => void;
}

interface OpenCopy {
  readonly directory: string;
  readonly build: string;
  readonly leased: LeasedSnapshot;
  served: SnapshotAnswers;
  /** Number of `activate` messages for this copy; the supervisor may have sent another that has not arrived yet. */
  activations: number;
  /** Time of the last report of damage; a damaged copy is not reused, as its file may have been replaced. */
  damagedAt: number | undefined;
  isRevoked: boolean;
}

export class OpenCopies {
  readonly #options: OpenCopiesOptions;
  readonly #copies = new Set<OpenCopy>();

  constructor(options: OpenCopiesOptions) {
    this.#options = options;
  }

  get leases(): number {
    return [...this.#copies].reduce((sum, { leased }) => sum + leased.leases, 0);
  }

  /** Opens a copy or reuses the open one, with new answers for another date. @throws {SnapshotError} `copy_damaged`. */
  open(wanted: ActivatedCopy): SnapshotAnswers {
    const copies = [...this.#copies].filter(({ directory }) => directory === wanted.directory);
    const servable = copies.find((copy) => isServable(copy, wanted));
    // The path has a new file, after damage or removal: worker threads must open that too.
    if (copies.length > 0 && !servable) this.#options.pool.retire(wanted.directory);
    const copy = servable ?? this.#create(wanted);
    if (copy.served.lastModified !== wanted.lastModified) {
      copy.served = this.#serve(copy.leased, wanted, () => copy);
    }
    copy.activations += 1;
    copy.isRevoked = false;
    copy.leased.revive();
    return copy.served;
  }

  /** Keeps the former copies of the active one open, and no others. @returns the answers of those that open. */
  keepFormer(active: ActivatedCopy): readonly SnapshotAnswers[] {
    const kept = (active.former ?? []).flatMap((directory) => {
      const wanted = { ...active, directory, lastModified: undefined };
      const isWanted = (one: OpenCopy) => one.directory === directory && isServable(one, wanted);
      try {
        return [...this.#copies].find(isWanted) ?? this.#create(wanted);
      } catch {
        return []; // damaged or removed
      }
    });
    for (const { leased } of this.#copies) if (leased.isRetired) leased.retire();
    for (const { leased } of kept) leased.retire(true);
    return kept.map(({ served }) => served);
  }

  /** Keeps a former snapshot open for its readers; beyond the limit, ends the readers of the oldest snapshots. */
  retire(leased: LeasedSnapshot): void {
    leased.retire();
    const copy = [...this.#copies].find((one) => one.leased === leased);
    if (copy === undefined) return;
    // Worker threads close it; this thread may keep it for its bulk files.
    this.#options.pool.retire(copy.directory);
    this.#copies.delete(copy);
    this.#copies.add(copy);
    const read = [...this.#copies].filter((one) => one.leased.isRetired && one.leased.leases > 0);
    const tooMany = Math.max(0, read.length - this.#options.retiredMax);
    for (const oldest of read.slice(0, tooMany)) this.#revoke(oldest);
  }

  #create(wanted: ActivatedCopy): OpenCopy {
    const { directory, build } = wanted;
    let copy: OpenCopy | undefined;
    const leased = new LeasedSnapshot(new SnapshotReader(directory), () => {
      this.#options.pool.retire(directory);
      if (copy === undefined) return;
      this.#copies.delete(copy);
      const { activations } = copy;
      this.#options.send({ kind: 'released', directory, activations });
    });
    try {
      const served = this.#serve(leased, wanted, () => copy);
      const state = { activations: 0, damagedAt: undefined, isRevoked: false };
      copy = { directory, build, leased, served, ...state };
    } catch (error) {
      leased.retire();
      throw error;
    }
    this.#copies.add(copy);
    return copy;
  }

  #serve(
    leased: LeasedSnapshot,
    { build, lastModified }: ActivatedCopy,
    copyOf: () => OpenCopy | undefined,
  ): SnapshotAnswers {
    const { pool } = this.#options;
    const onDamage = (error: SnapshotError): void => {
      const copy = copyOf();
      if (copy !== undefined) this.#reportDamage(copy, error);
    };
    return new SnapshotAnswers(leased, { build, lastModified, pool, onDamage });
  }

  /** Makes the supervisor verify and replace the copy. */
  #reportDamage(copy: OpenCopy, { message }: SnapshotError): void {
    const now = performance.now();
    if (now - (copy.damagedAt ?? -Infinity) < REPORT_AGAIN_MS) return;
    copy.damagedAt = now;
    this.#options.send({ kind: 'damaged', directory: copy.directory, message });
  }

  #revoke(copy: OpenCopy): void {
    const { directory, leased, isRevoked } = copy;
    const readers = leased.leases;
    // Repeated for a revoked copy, since a job may have begun another body meanwhile.
    leased.revoke();
    copy.isRevoked = true;
    if (!isRevoked) this.#options.log.warn({ directory, readers }, 'readers of an old copy closed');
  }
}

function isServable({ leased, damagedAt, build }: OpenCopy, wanted: ActivatedCopy): boolean {
  if (damagedAt !== undefined || leased.isClosed || build !== wanted.build) return false;
  return leased.reader.isInPlace;
}
