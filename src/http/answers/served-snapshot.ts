/** One snapshot as a front serves it: finished answers, those that workers make of it, and the files of its bundle. */
import { SnapshotError } from '../../snapshot/domain/snapshot-error.js';
import type { Coding } from '../../snapshot/local/environment.js';
import type { LeasedSnapshot } from '../../snapshot/local/lease.js';
import type { BundleVerdict, SnapshotLocation } from '../../workers/messages.js';
import type { WorkerPool } from '../../workers/pool.js';
import type { Answer } from '../semantics/answer.js';
import { CROSS_ORIGIN, JSON_TYPE, LINK, NO_STORE } from '../semantics/common-headers.js';
import type { HeaderField } from '../semantics/header-block.js';
import { conditionalAnswer, type Preferences } from '../semantics/negotiation.js';
import {
  lastModifiedField,
  representation,
  sharedHeaders,
  variantValidators,
  type Representation,
  type SharedHeaders,
  type Validators,
} from '../semantics/representation.js';
import { CachedAnswers, CachedPlans } from './answer-cache.js';
import { BulkFiles, type BulkRequest } from './bulk-files.js';
import { BundleCheck } from './bundle-check.js';
import type { ChunkSource } from './chunked-body.js';
import { MadeAnswers } from './made-answers.js';
import { BlockCache } from './block-cache.js';

/** Short, so that a swap is seen; stale for as long as a refresh may take (docs/http-api/answers.md, "Caching"). */
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
  /** What it is cached under; undefined where no other request would find it. */
  readonly cacheKey: string | undefined;
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
  /** Answers that were requested before: what is here need not be parsed. */
  readonly answers = new CachedAnswers();
  readonly #plans = new CachedPlans();
  /** Finished answers without a body: their header fields are made once a snapshot. */
  readonly #finished: Readonly<
    Record<'plain' | 'linked', Readonly<Record<Coding, Representation>>>
  >;
  readonly #blocks: BlockCache;
  readonly #source: ChunkSource;
  #bulk: BulkFiles | undefined;
  readonly #bundle: BundleCheck;
  readonly #onFailure: (error: unknown) => void;

  constructor(snapshot: LeasedSnapshot, options: ServedSnapshotOptions) {
    const { build, lastModified, pool, onDamage } = options;
    const { reader, snapshotId } = snapshot;
    this.snapshot = snapshot;
    this.lastModified = lastModified;
    const { stations, components, parameterCodes } = reader.record('public-ids');
    this.stations = new Set(stations);
    this.components = new Set(components);
    this.parameterCodes = new Set(parameterCodes);
    const validators = { entityTag: `W/"${snapshotId}-${build}"`, lastModified };
    const headers = snapshotHeaders(validators, snapshotId);
    this.#finished = { plain: templates(headers, []), linked: templates(headers, [LINK]) };
    const onFailure = (error: unknown): void => {
      if (error instanceof SnapshotError && error.code === 'copy_damaged') onDamage(error);
    };
    this.#onFailure = onFailure;
    const blocks = new BlockCache(snapshot, onFailure);
    const source = { snapshot, blocks };
    this.#blocks = blocks;
    this.made = new MadeAnswers({
      pool,
      cache: this.answers,
      plans: this.#plans,
      location: { directory: reader.directory },
      source: { ...source, seriesList: reader.seriesList() },
      onFailure,
      headers,
      variantHeaders: ({ variant, variesBy, status }) =>
        status === undefined
          ? snapshotHeaders(variantValidators(validators, variant), snapshotId, variesBy)
          : uncachedHeaders(variesBy),
    });
    this.#source = source;
    this.#bundle = new BundleCheck(snapshot, { pool, onFailure });
  }

  /** Another one is served: gives back the memory that new requests would need; late readers read on. */
  forget(): void {
    this.answers.clear();
    this.#plans.clear();
    this.#blocks.shrink();
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
      const template = this.#finished[isLinked ? 'linked' : 'plain'][coding];
      // A copy: the reader's own bytes are overwritten by its next read.
      const found = { ...template, answer: { ...template.answer, body: Buffer.from(bytes) } };
      if (cacheKey !== undefined) this.answers.add(cacheKey, found);
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
    this.#bulk ??= new BulkFiles(this.#source, this.lastModified);
    return this.#bulk.answer(name, request);
  }

  verifyBundle(): Promise<BundleVerdict> {
    return this.#bundle.verdict();
  }
}

/** Finished answers without a body. */
function templates(
  headers: SharedHeaders,
  fields: readonly HeaderField[],
): Readonly<Record<Coding, Representation>> {
  const template = (...encoding: readonly HeaderField[]): Representation =>
    representation(headers, [JSON_TYPE, ...encoding, ...fields], new Uint8Array());
  return { identity: template(), gzip: template(['Content-Encoding', 'gzip']) };
}

/** What pages and documents are answered with while no snapshot is served: nothing that a cache may keep. */
export function answersWithoutSnapshot(pool: WorkerPool): MadeAnswers<undefined> {
  return new MadeAnswers({
    pool,
    plans: new CachedPlans(),
    location: undefined,
    source: undefined,
    onFailure: () => undefined,
    headers: uncachedHeaders(),
    variantHeaders: ({ variesBy }) => uncachedHeaders(variesBy),
  });
}

function uncachedHeaders(variesBy: readonly string[] = []): SharedHeaders {
  return sharedHeaders(undefined, [NO_STORE, varyField(variesBy), ...CROSS_ORIGIN]);
}

/** What all answers from a snapshot have in common that are made of nothing more, or of the same. */
function snapshotHeaders(
  validators: Validators,
  snapshotId: string,
  variesBy: readonly string[] = [],
): SharedHeaders {
  return sharedHeaders(validators, [
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
