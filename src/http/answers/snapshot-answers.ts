/** One active snapshot: answers prepared at import, answers rendered on request, and the files of its bundle. */
import { SnapshotError } from '../../snapshot/domain/snapshot-error.js';
import type { Coding } from '../../snapshot/local/environment.js';
import type { LeasedSnapshot } from '../../snapshot/local/lease.js';
import type { HiddenIds } from '../../snapshot/local/records.js';
import type { DocumentJob } from '../../workers/messages.js';
import type { WorkerPool } from '../../workers/pool.js';
import type { Answer } from '../semantics/answer.js';
import { FOR_A_MINUTE, JSON_TYPE, DATASET_LINK, NO_STORE } from '../semantics/common-headers.js';
import type { HeaderField } from '../semantics/header-block.js';
import {
  conditionalAnswer,
  representation,
  sharedHeaders,
  variantValidators,
  type SharedHeaders,
  type Validators,
} from '../semantics/representation.js';
import { BlockCache, reported } from './block-cache.js';
import { BulkFiles } from './bulk-files.js';
import { BundleCheck } from './bundle-check.js';
import { AnswerCache } from './answer-cache.js';
import { RenderedAnswers, type JobRequest, type RenderedFrom } from './rendered-answers.js';

const CODINGS = ['gzip', 'identity'] as const satisfies readonly Coding[];
const IDENTITY_ONLY = ['identity'] as const satisfies readonly Coding[];

export interface PreparedRequest extends Omit<JobRequest, 'request'> {
  readonly name: string;
  /** Whether the answer has a `Link` field. */
  readonly isLinked: boolean;
}

export interface SnapshotAnswersOptions {
  /** Build that rendered the prepared answers, for their entity tags. */
  readonly build: string;
  readonly lastModified: Validators['lastModified'];
  readonly pool: WorkerPool;
  /** Called when the copy is damaged; its readers get an error. */
  readonly onDamage: (error: SnapshotError) => void;
}

export class SnapshotAnswers {
  readonly snapshot: LeasedSnapshot;
  readonly lastModified: Validators['lastModified'];
  readonly stations: ReadonlySet<number>;
  readonly components: ReadonlySet<number>;
  readonly directions: ReadonlySet<number>;
  /** Codes of public parameters, also of those without observations. */
  readonly parameterCodes: ReadonlySet<string>;
  /** Hidden stations and parameters, which answers from the archive must exclude too. */
  readonly hidden: HiddenIds;
  /** Cached answers by request: a hit needs no parsing. */
  readonly answers = new AnswerCache();
  readonly #options: SnapshotAnswersOptions;
  /** Prepared answers without a body, so that header fields are built once per snapshot. */
  readonly #templates: Readonly<Record<'plain' | 'linked', ReturnType<typeof templates>>>;
  readonly rendered: RenderedAnswers;
  readonly bundle: BundleCheck;
  /** Opened at the first request that needs it, not at the swap, which stays short. */
  #source: RenderedFrom | undefined;
  #bulk: BulkFiles | undefined;

  constructor(snapshot: LeasedSnapshot, options: SnapshotAnswersOptions) {
    const { build, lastModified, pool } = options;
    const { reader, snapshotId } = snapshot;
    this.snapshot = snapshot;
    this.lastModified = lastModified;
    const { stations, components, directions, parameterCodes } = reader.record('public-ids');
    this.stations = new Set(stations);
    this.components = new Set(components);
    this.directions = new Set(directions);
    this.parameterCodes = new Set(parameterCodes);
    this.hidden = reader.record('hidden-ids');
    this.#options = options;
    const validators = { entityTag: `W/"${snapshotId}-${build}"`, lastModified };
    const headers = sharedHeaders(validators, FOR_A_MINUTE, { snapshotId });
    this.#templates = { plain: templates(headers, []), linked: templates(headers, [DATASET_LINK]) };
    this.bundle = new BundleCheck(snapshot, { pool, onFailure: this.#onFailure });
    const location = { directory: reader.directory };
    this.rendered = new RenderedAnswers({
      pool,
      cache: this.answers,
      snapshot,
      openSource: this.#openSource.bind(this),
      run: (runner, { kind, task }, gzip) => runner.run(kind, { ...task, location, gzip }),
      onFailure: this.#onFailure,
      headers,
      variantHeaders: ({ variant, variesBy, status }) => {
        if (status !== undefined) return sharedHeaders(undefined, NO_STORE, { variesBy });
        const own = variantValidators(validators, variant);
        return sharedHeaders(own, FOR_A_MINUTE, { variesBy, snapshotId });
      },
    });
  }

  /** Called when another snapshot is active: frees caches; late readers go on. */
  forget(): void {
    this.answers.clear();
    this.rendered.clear();
    this.#source?.blocks.shrink();
  }

  /** A prepared answer; undefined for an unknown name. @throws {SnapshotError} `copy_damaged`. */
  prepared({ name, isLinked, cacheKey, preferences }: PreparedRequest): Answer | undefined {
    // Small answers have no compressed form.
    for (const coding of preferences.gzip ? CODINGS : IDENTITY_ONLY) {
      const bytes = this.#read(name, coding);
      if (bytes === undefined) continue;
      const template = this.#templates[isLinked ? 'linked' : 'plain'][coding];
      // A copy: the reader's next read overwrites its bytes.
      const entry = { ...template, answer: { ...template.answer, body: Buffer.from(bytes) } };
      if (cacheKey !== undefined) this.answers.add(cacheKey, entry);
      return conditionalAnswer(entry, preferences);
    }
    return undefined;
  }

  has(name: string): boolean {
    return this.#read(name, 'identity') !== undefined;
  }

  /** The files of the bulk bundle. @throws {SnapshotError} `copy_damaged`. */
  get bulk(): BulkFiles {
    return (this.#bulk ??= new BulkFiles(this.#openSource(), this.lastModified));
  }

  /** Opens the snapshot's files for this thread; reports damage. */
  #openSource(): RenderedFrom {
    if (this.#source !== undefined) return this.#source;
    const { snapshot } = this;
    const seriesList = reported(this.#onFailure, () => snapshot.reader.seriesList());
    const blocks = new BlockCache(snapshot, this.#onFailure);
    this.#source = { snapshot, blocks, seriesList };
    return this.#source;
  }

  #read(name: string, coding: Coding): Uint8Array | undefined {
    return reported(this.#onFailure, () => this.snapshot.reader.answer(name, coding));
  }

  readonly #onFailure = (error: unknown): void => {
    if (error instanceof SnapshotError && error.code === 'copy_damaged') {
      this.#options.onDamage(error);
    }
  };
}

function templates(headers: SharedHeaders, fields: readonly HeaderField[]) {
  const body = new Uint8Array();
  const compressed: readonly HeaderField[] = [JSON_TYPE, ['Content-Encoding', 'gzip'], ...fields];
  return {
    identity: representation(headers, [JSON_TYPE, ...fields], body),
    gzip: representation(headers, compressed, body),
  };
}

export function answersWithoutSnapshot(pool: WorkerPool): RenderedAnswers<DocumentJob> {
  return new RenderedAnswers<DocumentJob>({
    pool,
    snapshot: undefined,
    openSource: () => undefined,
    run: (runner, { kind, task }, gzip) => runner.run(kind, { ...task, location: undefined, gzip }),
    onFailure: () => undefined,
    headers: sharedHeaders(undefined, NO_STORE),
    variantHeaders: ({ variesBy }) => sharedHeaders(undefined, NO_STORE, { variesBy }),
  });
}
