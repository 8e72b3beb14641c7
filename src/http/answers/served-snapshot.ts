/** One snapshot as a front serves it: finished answers, those that workers make of it, and the files of its bundle. */
import { SnapshotError } from '../../snapshot/domain/snapshot-error.js';
import type { Coding } from '../../snapshot/local/environment.js';
import type { LeasedSnapshot } from '../../snapshot/local/lease.js';
import type { BundleVerdict, SnapshotLocation } from '../../workers/messages.js';
import type { WorkerPool } from '../../workers/pool.js';
import type { Answer } from '../semantics/answer.js';
import {
  lastModifiedField,
  snapshotValidators,
  variantValidators,
  type Validators,
} from '../semantics/caching.js';
import { CROSS_ORIGIN, JSON_TYPE, LINK, NO_STORE } from '../semantics/common-headers.js';
import type { HeaderField } from '../semantics/header-block.js';
import {
  conditionalAnswer,
  family,
  representation,
  type Family,
  type Representation,
} from '../semantics/representation.js';
import type { Preferences } from '../semantics/request.js';
import { CachedAnswers, cacheOfPlans, type CacheKey } from './answer-cache.js';
import { BulkFiles, type BulkRequest } from './bulk-files.js';
import { BundleCheck } from './bundle-check.js';
import { FewRecords } from './few-records.js';
import { MadeAnswers } from './made-answers.js';
import { BlockCache } from './block-cache.js';

/** Short, so that a swap is seen; stale for as long as a refresh may take (docs/http-api.md, "Caching"). */
const CACHE_CONTROL: HeaderField = [
  'Cache-Control',
  'public, max-age=60, stale-while-revalidate=600',
];

const CODINGS = ['gzip', 'identity'] as const satisfies readonly Coding[];
const IDENTITY_ONLY = ['identity'] as const satisfies readonly Coding[];

/** A request for an answer that the import has finished. */
export interface FinishedRequest {
  /** The answer's name in the local copy. */
  readonly name: string;
  /** Whether it says where to read on. */
  readonly isLinked: boolean;
  readonly cacheKey: CacheKey;
  readonly preferences: Preferences;
}

export interface ServedSnapshotOptions {
  /** What has rendered its finished answers: the end of their entity tags. */
  readonly build: string;
  readonly lastModified: Validators['lastModified'];
  readonly pool: WorkerPool;
  /** Called whenever the copy does not hold what was written into it; whoever reads it is answered with an error. */
  readonly onDamage: (error: SnapshotError) => void;
}

export class ServedSnapshot {
  readonly snapshot: LeasedSnapshot;
  readonly lastModified: Validators['lastModified'];
  /** Ids of public stations and components. */
  readonly stations: ReadonlySet<number>;
  readonly components: ReadonlySet<number>;
  /** Codes of public parameters, with or without observations. */
  readonly parameterCodes: ReadonlySet<string>;
  readonly made: MadeAnswers<SnapshotLocation>;
  readonly #cache = new CachedAnswers();
  readonly #plans = cacheOfPlans();
  readonly #family: Family;
  /** Finished answers without a body: their header fields are made once a snapshot. */
  readonly #finished: Readonly<
    Record<'plain' | 'linked', Readonly<Record<Coding, Representation>>>
  >;
  readonly #blocks: BlockCache;
  readonly #bulk: BulkFiles;
  readonly #bundle: BundleCheck;
  readonly #onFailure: (error: unknown) => void;

  constructor(snapshot: LeasedSnapshot, options: ServedSnapshotOptions) {
    const { build, lastModified, pool, onDamage } = options;
    const { reader, snapshotId } = snapshot;
    this.snapshot = snapshot;
    this.lastModified = lastModified;
    const { stations, components, parameterCodes } = reader.publicIds();
    this.stations = new Set(stations);
    this.components = new Set(components);
    this.parameterCodes = new Set(parameterCodes);
    const validators = snapshotValidators({ snapshotId, build, lastModified });
    this.#family = snapshotFamily(validators, { snapshotId, variesBy: [] });
    this.#finished = { plain: this.#templates([]), linked: this.#templates([LINK]) };
    const onFailure = (error: unknown): void => {
      if (error instanceof SnapshotError && error.code === 'copy_damaged') onDamage(error);
    };
    this.#onFailure = onFailure;
    const blocks = new BlockCache(snapshot, onFailure);
    const source = { snapshot, blocks, pool };
    this.#blocks = blocks;
    this.made = new MadeAnswers({
      pool,
      cache: this.#cache,
      plans: this.#plans,
      location: { directory: reader.directory },
      source: { ...source, records: new FewRecords(reader, blocks) },
      onFailure,
      familyOf: ({ variant, variesBy = [] }) =>
        variant === undefined && variesBy.length === 0
          ? this.#family
          : snapshotFamily(variantValidators(validators, variant), { snapshotId, variesBy }),
    });
    this.#bulk = new BulkFiles(source, lastModified);
    this.#bundle = new BundleCheck(snapshot, { pool, onFailure });
  }

  /** Another one is served: gives back the memory that new requests would need; late readers read on. */
  forget(): void {
    this.#cache.clear();
    this.#plans.clear();
    this.#blocks.shrink();
  }

  /** An answer that is cached under the request's target; undefined where the request has to be parsed. */
  cached(cacheKey: CacheKey, preferences: Preferences): Answer | undefined {
    const cached = this.#cache.get(cacheKey);
    return cached && conditionalAnswer(cached, preferences);
  }

  /**
   * A finished answer; undefined where the local copy has none of that name.
   *
   * @throws {SnapshotError} `copy_damaged`, like `has`.
   */
  finished({ name, isLinked, cacheKey, preferences }: FinishedRequest): Answer | undefined {
    // Small answers have no compressed form.
    for (const coding of preferences.gzip ? CODINGS : IDENTITY_ONLY) {
      const bytes = this.#read(name, coding);
      if (bytes === undefined) continue;
      // A copy: the reader's own bytes are overwritten by its next read.
      const found = withBody(this.#finished[isLinked ? 'linked' : 'plain'][coding], bytes);
      this.#cache.set(cacheKey, found);
      return conditionalAnswer(found, preferences);
    }
    return undefined;
  }

  /** Whether there is a finished answer of this name. */
  has(name: string): boolean {
    return this.#read(name, 'identity') !== undefined;
  }

  #read(name: string, coding: Coding): Uint8Array | undefined {
    try {
      return this.snapshot.reader.answer(name, coding);
    } catch (error) {
      this.#onFailure(error);
      throw error;
    }
  }

  /** A file of the bulk bundle, or what is wrong with asking for it. */
  file(name: string, request: BulkRequest): Answer {
    return this.#bulk.answer(name, request);
  }

  verifyBundle(): Promise<BundleVerdict> {
    return this.#bundle.verdict();
  }

  #templates(fields: readonly HeaderField[]): Readonly<Record<Coding, Representation>> {
    const template = (...encoding: readonly HeaderField[]): Representation =>
      representation(this.#family, [JSON_TYPE, ...encoding, ...fields], new Uint8Array());
    return { identity: template(), gzip: template(['Content-Encoding', 'gzip']) };
  }
}

function withBody(template: Representation, bytes: Uint8Array): Representation {
  return { ...template, answer: { ...template.answer, body: Buffer.from(bytes) } };
}

/** What pages and documents are answered with while no snapshot is served: nothing that a cache may keep. */
export function answersWithoutSnapshot(pool: WorkerPool): MadeAnswers<undefined> {
  return new MadeAnswers({
    pool,
    cache: new CachedAnswers(),
    plans: cacheOfPlans(),
    location: undefined,
    source: undefined,
    onFailure: () => undefined,
    familyOf: ({ variesBy = [] }) =>
      family(undefined, [NO_STORE, varyField(variesBy), ...CROSS_ORIGIN]),
  });
}

/** What all answers from a snapshot have in common that are made of nothing more, or of the same. */
function snapshotFamily(
  validators: Validators,
  { snapshotId, variesBy }: { readonly snapshotId: string; readonly variesBy: readonly string[] },
): Family {
  return family(validators, [
    ['ETag', validators.entityTag],
    CACHE_CONTROL,
    ...lastModifiedField(validators.lastModified),
    varyField(variesBy),
    ['X-Snapshot-Id', snapshotId],
    ...CROSS_ORIGIN,
  ]);
}

function varyField(variesBy: readonly string[]): HeaderField {
  return ['Vary', ['Accept-Encoding', ...variesBy].join(', ')];
}
