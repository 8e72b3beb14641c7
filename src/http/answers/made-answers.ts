/** Answers that a worker makes: one job for all clients that request the same target, then cached. */
import type { SeriesList } from '../../snapshot/local/observations/series-list.js';
import { withEnvelope, type Envelope, type Plan } from '../../snapshot/local/plan.js';
import type { JobRunner, SharedJob, WorkerPool } from '../../workers/pool.js';
import { PendingAnswer, type Answer } from '../semantics/answer.js';
import { IMMUTABLE } from '../semantics/common-headers.js';
import type { HeaderField } from '../semantics/header-block.js';
import { isNotModified, type Preferences } from '../semantics/negotiation.js';
import {
  headersByDigest,
  representation,
  type Representation,
  type SharedHeaders,
} from '../semantics/representation.js';
import type { PlainRequest } from '../semantics/request.js';
import { IMMUTABLE_ANSWERS, type CachedAnswers, type CachedPlans } from './answer-cache.js';
import { bodyOf, type ChunkSource } from './chunked-body.js';

/** What a worker is to make; `Location` is undefined too where it can do so without a snapshot. */
export interface AnswerJob<Location> {
  /** Requests of the same key get the same answer, whatever their targets were. */
  readonly key: () => string;
  /** Header fields of its own, beside those of every answer from the snapshot. */
  readonly fields: readonly HeaderField[];
  /** What the answer is made of beside the snapshot and the build: part of its entity tag. */
  readonly variant?: string;
  /** Fields of the request that it is made from, beside `Accept-Encoding`: for `Vary`. Default: none. */
  readonly variesBy?: readonly string[];
  /** Of a page that says that there is nothing here, which no cache may keep. Default: 200. */
  readonly status?: 404;
  /** What the address names the answer by: if the plan has the same digest, it is good for ever, whatever is served. */
  readonly digest?: string | undefined;
  /** Its bytes are compressed inside, so gzip would gain nothing: everybody gets the same ones. */
  readonly precompressed?: boolean;
  /** The request's own text around what is made for all requests of the same key. */
  readonly envelope?: Envelope;
  /** Plans it on this thread where that takes no time worth mentioning; undefined where a worker is to. */
  readonly planInline?: (source: MadeFrom, gzip: boolean) => Plan | undefined;
  readonly run: (
    pool: JobRunner,
    task: { readonly location: Location; readonly gzip: boolean },
  ) => Promise<Plan>;
}

/** A request for such an answer. */
export interface MadeRequest<Location> {
  readonly job: AnswerJob<Location>;
  /** What its answer is cached under; undefined where no other request would find it. */
  readonly cacheKey: string | undefined;
  readonly preferences: Preferences;
  /** Whose client takes turns with others at the workers: looked up where one is asked. */
  readonly request: Pick<PlainRequest, 'client'>;
}

/** One run of a job. */
interface Run {
  readonly gzip: boolean;
  /** What its plan is kept under, and shared by. */
  readonly jobKey: string;
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
interface MadeFrom extends ChunkSource {
  readonly seriesList: SeriesList;
}

export interface MadeAnswersOptions<Location> {
  readonly pool: WorkerPool;
  /** By request; undefined without a snapshot. */
  readonly cache?: CachedAnswers;
  /** By job, for other requests. */
  readonly plans: CachedPlans;
  /** The snapshot that they are made from, for workers. */
  readonly location: Location;
  /** The same for this thread; undefined without a snapshot. */
  readonly source: MadeFrom | undefined;
  /** Called with what a job has thrown, once for all who wait for it. */
  readonly onFailure: (error: unknown) => void;
  /** What all its answers have in common: validators, and the fields of every status. */
  readonly headers: SharedHeaders;
  /** The same of those that are made of more than the snapshot and the build. */
  readonly variantHeaders: (
    job: Pick<AnswerJob<Location>, 'variant' | 'variesBy' | 'status'>,
  ) => SharedHeaders;
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
  answer({ job, cacheKey, preferences, request }: MadeRequest<Location>): Answer | PendingAnswer {
    const { plans, source } = this.#options;
    const headers = this.#headersOf(job);
    const { validators, notModified } = headers;
    if (validators && isNotModified(preferences, validators)) return notModified;
    const gzip = preferences.gzip && job.precompressed !== true;
    const inline = source && job.planInline?.(source, gzip);
    if (inline !== undefined) return this.#finish(job, inline, cacheKey, true).answer;
    // As it is when the job begins: what it is made from may be another one when it ends.
    const jobKey = jobKeyOf(job, gzip);
    const plan = plans.get(jobKey);
    if (plan !== undefined) return this.#finish(job, plan, cacheKey).answer;
    const pending = this.#pendingPlan(job, { gzip, jobKey }, request.client);
    return new PendingAnswer(
      pending.promise.then((made) => this.#finish(job, made, cacheKey).answer),
      pending.abandon,
    );
  }

  #headersOf(job: AnswerJob<Location>): SharedHeaders {
    const { headers, variantHeaders } = this.#options;
    const { variant, variesBy, status } = job;
    const isVariant = variant !== undefined || variesBy !== undefined || status !== undefined;
    return isVariant ? variantHeaders(job) : headers;
  }

  /** One job for all who ask for the same at once; it does not run where all of them have gone before. */
  #pendingPlan(job: AnswerJob<Location>, run: Run, client: string | undefined): Pending<Plan> {
    const { jobKey } = run;
    const known = this.#pending.get(jobKey);
    known?.shared.join(client);
    const { shared, made } = known ?? this.#begin(job, run, client);
    return {
      promise: made,
      abandon: () => {
        // Who asks now is not to wait for a job that will not run.
        if (shared.leave(client)) this.#pending.delete(jobKey);
      },
    };
  }

  #begin(job: AnswerJob<Location>, run: Run, client: string | undefined): PendingJob {
    const { jobKey } = run;
    const shared = this.#options.pool.share(client);
    const pending = { shared, made: this.#make(job, run, shared) };
    this.#pending.set(jobKey, pending);
    const forget = (): void => {
      if (this.#pending.get(jobKey) === pending) this.#pending.delete(jobKey);
    };
    pending.made.then(forget, forget);
    return pending;
  }

  async #make(job: AnswerJob<Location>, { gzip, jobKey }: Run, runner: JobRunner): Promise<Plan> {
    const { plans, location, source, onFailure } = this.#options;
    const lease = source?.snapshot.lease();
    try {
      const plan = await job.run(runner, { location, gzip });
      if (isKept(plan)) plans.add(jobKey, plan);
      return plan;
    } catch (error) {
      onFailure(error);
      throw error;
    } finally {
      lease?.release();
    }
  }

  /** The answer to requests of this key, also for those who have waited for the same job. */
  #finish(
    job: AnswerJob<Location>,
    made: Plan,
    key: string | undefined,
    isQuicklyMade = false,
  ): Representation {
    const isNamed = job.digest !== undefined && job.digest === made.digest;
    const cache = isNamed ? IMMUTABLE_ANSWERS : this.#options.cache;
    const cached = key === undefined ? undefined : cache?.get(key);
    if (cached !== undefined) return cached;
    const headers = isNamed ? headersByDigest(made.digest, IMMUTABLE) : this.#headersOf(job);
    const finished = this.#representation(job, made, headers);
    if (key !== undefined && isKept(made)) cache?.add(key, finished, isQuicklyMade);
    return finished;
  }

  #representation(job: AnswerJob<Location>, made: Plan, headers: SharedHeaders): Representation {
    const { source } = this.#options;
    const plan = job.envelope ? withEnvelope(made, job.envelope) : made;
    const own = [...job.fields];
    if (plan.coding === 'gzip') own.push(['Content-Encoding', 'gzip']);
    if (plan.records !== undefined) own.push(['X-Record-Count', String(plan.records)]);
    return representation(headers, own, bodyOf(plan, source), job.status);
  }
}

/** The file of a long text may go while nobody reads it: whoever asks next has a worker look for it. */
function isKept({ textFile }: Plan): boolean {
  return textFile === undefined;
}

/** What its answer in one content coding is cached under, and shared by. */
function jobKeyOf({ key }: Pick<AnswerJob<unknown>, 'key'>, gzip: boolean): string {
  return `${gzip ? 'gzip' : 'identity'} ${key()}`;
}
