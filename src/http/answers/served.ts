/** The active snapshot as a front serves it: finished answers, planned ones, and the files of its bundle. */
import type { SnapshotError } from '../../snapshot/domain/snapshot-error.js';
import type { LeasedSnapshot } from '../../snapshot/local/lease.js';
import type { BundleVerdict } from '../../workers/messages.js';
import type { WorkerPool } from '../../workers/pool.js';
import type { Answer } from '../semantics/answer.js';
import { BulkFiles } from './bulk-files.js';
import { BundleCheck } from './bundle-check.js';
import {
  editionValidators,
  httpDate,
  isNotModified,
  snapshotValidators,
  type Conditions,
  type Validators,
} from '../semantics/caching.js';
import { CROSS_ORIGIN } from '../semantics/common-headers.js';
import { FinishedAnswers, type HotMemories } from './finished-answers.js';
import { headerBlock, type HeaderField } from '../semantics/header-block.js';
import type { PlannedRequest } from './planned-request.js';
import { Plans } from './plans.js';
import type { FileWish } from '../semantics/range.js';
import { SegmentCache } from './segment-cache.js';

/** Contract §6, "ETag": short, so that a swap is seen; stale for as long as a refresh may take. */
const CACHE_CONTROL: HeaderField = [
  'Cache-Control',
  'public, max-age=60, stale-while-revalidate=600',
];

/** What a snapshot is served with. */
export interface Front {
  /** What renders its answers: the end of their entity tags. */
  readonly build: string;
  readonly pool: WorkerPool;
  readonly hot: HotMemories;
  /** Told whenever a copy does not hold what was written into it. */
  readonly onDamage: (directory: string, error: SnapshotError) => void;
}

/** What one request wants, beside what it asks for. */
export interface Wish extends Conditions {
  readonly gzip: boolean;
}

export class ServedSnapshot {
  readonly snapshot: LeasedSnapshot;
  /** Ids of public stations and components. */
  readonly stations: ReadonlySet<number>;
  readonly components: ReadonlySet<number>;
  readonly #validators: Validators;
  readonly #notModified: Answer;
  readonly #finished: FinishedAnswers;
  readonly #plans: Plans;
  readonly #bulk: BulkFiles;
  readonly #bundle: BundleCheck;

  constructor(snapshot: LeasedSnapshot, { build, pool, hot, onDamage }: Front) {
    const { reader } = snapshot;
    this.snapshot = snapshot;
    const { stations, components } = reader.publicIds();
    this.stations = new Set(stations);
    this.components = new Set(components);
    this.#validators = snapshotValidators(reader.header, build);
    const fieldsOf = (edition?: string): readonly HeaderField[] =>
      snapshotFields(editionValidators(this.#validators, edition), snapshot.snapshotId);
    const fields = fieldsOf();
    this.#notModified = { status: 304, headers: headerBlock(fields) };
    this.#finished = new FinishedAnswers({ reader, hot, fields });
    const segments = new SegmentCache(snapshot, (error) => {
      onDamage(reader.directory, error);
    });
    this.#plans = new Plans({ snapshot, pool, segments, fieldsOf });
    this.#bulk = new BulkFiles(snapshot, segments, this.#validators.lastModifiedMs);
    this.#bundle = new BundleCheck(snapshot, pool);
  }

  /** An answer that was asked for in the same words before; undefined: it must be looked up. */
  recall(target: string, wish: Wish): Answer | undefined {
    return this.#unlessKnown(this.#finished.recall(target, wish.gzip), wish);
  }

  /** A finished answer by its name in the local copy; sent, or copied, before the next read. */
  read(name: string, target: string, wish: Wish): Answer | undefined {
    return this.#unlessKnown(this.#finished.read(name, target, wish.gzip), wish);
  }

  /** Whether there is a finished answer of this name. */
  has(name: string): boolean {
    return this.snapshot.reader.answer(name, 'identity') !== undefined;
  }

  /** A planned answer that was asked for in the same words before. */
  recallPlan(target: string, wish: Wish): Answer | undefined {
    const known = this.#plans.recall(target, wish.gzip);
    return known && (this.#unlessChanged(known.edition, wish) ?? known.answer);
  }

  /** A planned answer, at once where it is known; remembered under the words that asked for it. */
  plan(request: PlannedRequest, wish: Wish, target?: string): Answer | Promise<Answer> {
    return (
      this.#unlessChanged(request.edition, wish) ?? this.#plans.answer(request, wish.gzip, target)
    );
  }

  /** 304 to a client that has this edition already. */
  #unlessChanged(edition: string | undefined, wish: Wish): Answer | undefined {
    const validators = editionValidators(this.#validators, edition);
    if (!isNotModified(wish, validators)) return undefined;
    if (edition === undefined) return this.#notModified;
    return {
      status: 304,
      headers: headerBlock(snapshotFields(validators, this.snapshot.snapshotId)),
    };
  }

  /** A file of the bulk bundle, or what is wrong with asking for it. */
  file(name: string, wish: FileWish): Answer {
    return this.#bulk.answer(name, wish);
  }

  verifyBundle(): Promise<BundleVerdict> {
    return this.#bundle.verdict();
  }

  /** 304 to a client that has it already; what is not there is not unmodified either. */
  #unlessKnown(answer: Answer | undefined, wish: Wish): Answer | undefined {
    return answer && isNotModified(wish, this.#validators) ? this.#notModified : answer;
  }
}

/** Of every answer from a snapshot, whatever its status. */
function snapshotFields(
  { entityTag, lastModifiedMs }: Validators,
  snapshotId: string,
): HeaderField[] {
  return [
    ['ETag', entityTag],
    CACHE_CONTROL,
    ...(lastModifiedMs === Infinity ? [] : [lastModifiedField(lastModifiedMs)]),
    ['Vary', 'Accept-Encoding'],
    ['X-Snapshot-Id', snapshotId],
    ...CROSS_ORIGIN,
  ];
}

function lastModifiedField(lastModifiedMs: number): HeaderField {
  return ['Last-Modified', httpDate(lastModifiedMs)];
}
