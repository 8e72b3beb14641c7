/** Answers that a worker makes: one job for all clients that request the same target, then cached. */
import type { LeasedSnapshot } from '../../snapshot/local/lease.js';
import type { Plan } from '../../workers/messages.js';
import type { WorkerPool } from '../../workers/pool.js';
import type { Answer } from '../semantics/answer.js';
import { isNotModified, type Validators } from '../semantics/caching.js';
import { headerBlock, type HeaderField } from '../semantics/header-block.js';
import { representation, type Representation } from '../semantics/representation.js';
import type { Preferences } from '../semantics/request.js';
import type { AnswerCache } from './answer-cache.js';
import { ChunkedBody } from './chunked-body.js';
import type { SegmentCache } from './segment-cache.js';

/** What a worker is to make; `Location` is undefined too where it can do so without a snapshot. */
export interface AnswerJob<Location> {
  /** Requests of the same key get the same answer, whatever their targets were. */
  readonly key: string;
  /** Header fields of its own, beside those of every answer from the snapshot. */
  readonly fields: readonly HeaderField[];
  /** What the answer is made of beside the snapshot and the build: part of its entity tag. */
  readonly variant?: string;
  /** Fields of the request that it is made from, beside `Accept-Encoding`: for `Vary`. */
  readonly variesBy?: readonly string[];
  /** Its bytes are compressed inside, so gzip would gain nothing: everybody gets the same ones. */
  readonly precompressed?: boolean;
  readonly run: (
    pool: WorkerPool,
    task: { readonly location: Location; readonly gzip: boolean },
  ) => Promise<Plan>;
}

/** A request for such an answer. */
export interface MadeRequest<Location> {
  readonly job: AnswerJob<Location>;
  /** What it is cached under beside the job's own key: the request's target in one content coding. */
  readonly cacheKey: string;
  readonly preferences: Preferences;
}

export interface MadeAnswersOptions<Location> {
  readonly pool: WorkerPool;
  readonly cache: AnswerCache;
  /** The snapshot that they are made from, for workers. */
  readonly location: Location;
  /** The same for this thread; undefined without a snapshot. */
  readonly source:
    { readonly snapshot: LeasedSnapshot; readonly segments: SegmentCache } | undefined;
  readonly validatorsOf: (variant: string | undefined) => Validators | undefined;
  /** That every answer carries, whatever its status. */
  readonly fieldsOf: (
    validators: Validators | undefined,
    variesBy: readonly string[],
  ) => readonly HeaderField[];
}

export class MadeAnswers<Location> {
  readonly #options: MadeAnswersOptions<Location>;
  readonly #pending = new Map<string, Promise<Representation>>();

  constructor(options: MadeAnswersOptions<Location>) {
    this.#options = options;
  }

  /**
   * The answer at once where it is cached or the client has it already, else when a worker has made it.
   *
   * @throws {PoolBusyError} asynchronously, when too many jobs wait already.
   */
  answer({ job, cacheKey, preferences }: MadeRequest<Location>): Answer | Promise<Answer> {
    const { cache } = this.#options;
    const validators = this.#options.validatorsOf(job.variant);
    if (validators && isNotModified(preferences, validators)) {
      return { status: 304, headers: headerBlock(this.#fields(job, validators)) };
    }
    const gzip = preferences.gzip && job.precompressed !== true;
    const jobKey = `${gzip ? 'gzip' : 'identity'} ${job.key}`;
    const cached = cache.get(jobKey);
    if (cached === undefined) return this.#shared(job, jobKey, gzip).then(({ answer }) => answer);
    cache.set(cacheKey, cached);
    return cached.answer;
  }

  /** Has an answer made in each content coding before anybody asks; whoever asks for it meets a failure again. */
  prepare(job: AnswerJob<Location>): void {
    for (const gzip of [false, true]) {
      const jobKey = `${gzip ? 'gzip' : 'identity'} ${job.key}`;
      this.#shared(job, jobKey, gzip).catch(() => undefined);
    }
  }

  /** One job for all who ask for the same at once. */
  #shared(job: AnswerJob<Location>, jobKey: string, gzip: boolean): Promise<Representation> {
    const pending = this.#pending.get(jobKey) ?? this.#make(job, jobKey, gzip);
    this.#pending.set(jobKey, pending);
    return pending;
  }

  async #make(job: AnswerJob<Location>, jobKey: string, gzip: boolean): Promise<Representation> {
    const { pool, cache, location, source } = this.#options;
    const lease = source?.snapshot.lease();
    try {
      const plan = await job.run(pool, { location, gzip });
      const made = this.#representation(job, plan);
      cache.set(jobKey, made);
      return made;
    } finally {
      this.#pending.delete(jobKey);
      lease?.release();
    }
  }

  #fields(
    { variesBy = [] }: AnswerJob<Location>,
    validators: Validators | undefined,
  ): readonly HeaderField[] {
    return this.#options.fieldsOf(validators, variesBy);
  }

  #representation(job: AnswerJob<Location>, plan: Plan): Representation {
    const validators = this.#options.validatorsOf(job.variant);
    return representation({
      validators,
      shared: this.#fields(job, validators),
      own: [
        ...job.fields,
        ...(plan.coding === 'gzip' ? [['Content-Encoding', 'gzip'] as const] : []),
        ...(plan.records === undefined ? [] : [['X-Record-Count', String(plan.records)] as const]),
      ],
      body: this.#body(plan),
    });
  }

  #body(plan: Plan): NonNullable<Answer['body']> {
    const { source } = this.#options;
    const [only] = plan.chunks;
    if (plan.chunks.length === 1 && only?.kind === 'bytes') return only.bytes;
    if (source === undefined) throw new TypeError('without a snapshot there are no stored bytes');
    return new ChunkedBody(plan, source);
  }
}
