/** Answers that a worker makes: one job for all clients that request the same target, then cached. */
import type { LeasedSnapshot } from '../../snapshot/local/lease.js';
import { framed, type Frame } from '../../snapshot/local/observations/framed.js';
import type { Plan } from '../../snapshot/local/plan.js';
import type { JobRunner, SharedJob, WorkerPool } from '../../workers/pool.js';
import { PendingAnswer, type Answer } from '../semantics/answer.js';
import { isNotModified, type Validators } from '../semantics/caching.js';
import { headerBlock, type HeaderField } from '../semantics/header-block.js';
import { representation, type Representation } from '../semantics/representation.js';
import type { Preferences } from '../semantics/request.js';
import type { AnswerCache } from './answer-cache.js';
import { ChunkedBody } from './chunked-body.js';
import type { FewRecords } from './few-records.js';
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
  /** The request's own text around what is made for all requests of the same key. */
  readonly frame?: Frame;
  /** Makes it on this thread where that takes no time worth mentioning; undefined where a worker is to. */
  readonly atOnce?: (records: FewRecords, gzip: boolean) => Plan | undefined;
  readonly run: (
    pool: JobRunner,
    task: { readonly location: Location; readonly gzip: boolean },
  ) => Promise<Plan>;
}

/** A request for such an answer. */
export interface MadeRequest<Location> {
  readonly job: AnswerJob<Location>;
  /** What it is cached under beside the job's own key: the request's target in one content coding. */
  readonly cacheKey: string;
  readonly preferences: Preferences;
  /** The address of whoever asks: clients take turns at the workers. */
  readonly client: string;
}

interface PendingJob {
  readonly shared: SharedJob;
  readonly made: Promise<Plan>;
}

interface Pending<T> {
  readonly promise: Promise<T>;
  /** To be called where nobody waits for it any more. */
  readonly abandon: () => void;
}

/** A snapshot as this thread reads it. */
interface MadeFrom {
  readonly snapshot: LeasedSnapshot;
  readonly segments: SegmentCache;
  readonly records: FewRecords;
}

export interface MadeAnswersOptions<Location> {
  readonly pool: WorkerPool;
  /** By request target. */
  readonly cache: AnswerCache<Representation>;
  /** By job, for requests of other targets. */
  readonly plans: AnswerCache<Plan>;
  /** The snapshot that they are made from, for workers. */
  readonly location: Location;
  /** The same for this thread; undefined without a snapshot. */
  readonly source: MadeFrom | undefined;
  /** Called with what a job has thrown, once for all who wait for it. */
  readonly onFailure: (error: unknown) => void;
  readonly validatorsOf: (variant: string | undefined) => Validators | undefined;
  /** That every answer carries, whatever its status. */
  readonly fieldsOf: (
    validators: Validators | undefined,
    variesBy: readonly string[],
  ) => readonly HeaderField[];
}

export class MadeAnswers<Location> {
  readonly #options: MadeAnswersOptions<Location>;
  readonly #pending = new Map<string, PendingJob>();

  constructor(options: MadeAnswersOptions<Location>) {
    this.#options = options;
  }

  /**
   * The answer at once where it is cached or the client has it already, else when a worker has made it.
   *
   * @throws {PoolBusyError} asynchronously, when too much work waits already.
   * @throws {SnapshotError} `copy_damaged`, asynchronously.
   */
  answer({ job, cacheKey, preferences, client }: MadeRequest<Location>): Answer | PendingAnswer {
    const { plans, validatorsOf } = this.#options;
    const validators = validatorsOf(job.variant);
    if (validators && isNotModified(preferences, validators)) {
      return { status: 304, headers: headerBlock(this.#fields(job, validators)) };
    }
    const gzip = preferences.gzip && job.precompressed !== true;
    const plan = plans.get(jobKeyOf(job, gzip)) ?? this.#atOnce(job, gzip);
    if (plan !== undefined) return this.#finish(job, plan, cacheKey).answer;
    const pending = this.#pendingPlan(job, gzip, client);
    return new PendingAnswer(
      pending.promise.then((made) => this.#finish(job, made, cacheKey).answer),
      pending.abandon,
    );
  }

  /** Has an answer made in each content coding before anybody asks, ahead of what clients wait for. */
  prepare(job: AnswerJob<Location>): readonly Pending<Plan>[] {
    return [true, false].map((gzip) => this.#pendingPlan(job, gzip, undefined));
  }

  #atOnce(job: AnswerJob<Location>, gzip: boolean): Plan | undefined {
    const { source, onFailure } = this.#options;
    if (source === undefined) return undefined;
    try {
      return job.atOnce?.(source.records, gzip);
    } catch (error) {
      onFailure(error);
      throw error;
    }
  }

  /** One job for all who ask for the same at once; it does not run where all of them have gone before. */
  #pendingPlan(job: AnswerJob<Location>, gzip: boolean, client: string | undefined): Pending<Plan> {
    const jobKey = jobKeyOf(job, gzip);
    const known = this.#pending.get(jobKey);
    known?.shared.join(client);
    const pending = known ?? this.#begin(job, gzip, client);
    return {
      promise: pending.made,
      abandon: () => {
        // Who asks now is not to wait for a job that will not run.
        if (pending.shared.leave(client)) this.#pending.delete(jobKey);
      },
    };
  }

  #begin(job: AnswerJob<Location>, gzip: boolean, client: string | undefined): PendingJob {
    const jobKey = jobKeyOf(job, gzip);
    const shared = this.#options.pool.share(client);
    const pending = { shared, made: this.#make(job, gzip, shared) };
    this.#pending.set(jobKey, pending);
    const forget = (): void => {
      if (this.#pending.get(jobKey) === pending) this.#pending.delete(jobKey);
    };
    pending.made.then(forget, forget);
    return pending;
  }

  async #make(job: AnswerJob<Location>, gzip: boolean, runner: JobRunner): Promise<Plan> {
    const { plans, location, source, onFailure } = this.#options;
    const lease = source?.snapshot.lease();
    try {
      const plan = await job.run(runner, { location, gzip });
      plans.set(jobKeyOf(job, gzip), plan);
      return plan;
    } catch (error) {
      onFailure(error);
      throw error;
    } finally {
      lease?.release();
    }
  }

  #fields(
    { variesBy = [] }: AnswerJob<Location>,
    validators: Validators | undefined,
  ): readonly HeaderField[] {
    return this.#options.fieldsOf(validators, variesBy);
  }

  /** The answer to requests of this target, also for those who have waited for the same job. */
  #finish(job: AnswerJob<Location>, made: Plan, cacheKey: string): Representation {
    const cached = this.#options.cache.get(cacheKey);
    if (cached !== undefined) return cached;
    const plan = this.#framed(job, made);
    const finished = this.#representation(job, plan);
    this.#options.cache.set(cacheKey, finished);
    return finished;
  }

  #framed({ frame }: AnswerJob<Location>, plan: Plan): Plan {
    const { source } = this.#options;
    return frame && source ? framed(source.segments, plan, frame) : plan;
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

/** What its answer in one content coding is cached under, and shared by. */
function jobKeyOf({ key }: Pick<AnswerJob<unknown>, 'key'>, gzip: boolean): string {
  return `${gzip ? 'gzip' : 'identity'} ${key}`;
}
