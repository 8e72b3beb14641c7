/** Answers that a worker makes: one job for all clients that request the same target, then cached. */
import { framed, type Frame } from '../../snapshot/local/observations/framed.js';
import type { Plan } from '../../snapshot/local/plan.js';
import type { JobRunner, SharedJob, WorkerPool } from '../../workers/pool.js';
import { PendingAnswer, type Answer } from '../semantics/answer.js';
import { isNotModified } from '../semantics/caching.js';
import type { HeaderField } from '../semantics/header-block.js';
import { representation, type Family, type Representation } from '../semantics/representation.js';
import type { PlainRequest, Preferences } from '../semantics/request.js';
import type { AnswerCache, CachedAnswers, CacheKey } from './answer-cache.js';
import { AskedLately } from './asked-lately.js';
import { ChunkedBody, type ChunkSource } from './chunked-body.js';
import type { FewRecords } from './few-records.js';

/** What a worker is to make; `Location` is undefined too where it can do so without a snapshot. */
export interface AnswerJob<Location> {
  /** Requests of the same key get the same answer, whatever their targets were. */
  readonly key: () => string;
  /** Header fields of its own, beside those of every answer from the snapshot. */
  readonly fields: readonly HeaderField[];
  /** What the answer is made of beside the snapshot and the build: part of its entity tag. */
  readonly variant?: string;
  /** Fields of the request that it is made from, beside `Accept-Encoding`: for `Vary`. Default: those of absolute links. */
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
  /** Beside the job's own key. */
  readonly cacheKey: CacheKey;
  readonly preferences: Preferences;
  /** Whose client takes turns with others at the workers: looked up where one is asked. */
  readonly request: Pick<PlainRequest, 'client'>;
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
  readonly records: FewRecords;
}

export interface MadeAnswersOptions<Location> {
  readonly pool: WorkerPool;
  /** By request target. */
  readonly cache: CachedAnswers;
  /** By job, for requests of other targets. */
  readonly plans: AnswerCache<Plan>;
  /** The snapshot that they are made from, for workers. */
  readonly location: Location;
  /** The same for this thread; undefined without a snapshot. */
  readonly source: MadeFrom | undefined;
  /** Called with what a job has thrown, once for all who wait for it. */
  readonly onFailure: (error: unknown) => void;
  /** What its answers have in common with others: validators, and the fields of every status. */
  readonly familyOf: (job: Pick<AnswerJob<Location>, 'variant' | 'variesBy'>) => Family;
}

export class MadeAnswers<Location> {
  readonly #options: MadeAnswersOptions<Location>;
  readonly #pending = new Map<string, PendingJob>();
  readonly #asked = new AskedLately();

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
    const { cache, plans, familyOf } = this.#options;
    const { validators, notModified } = familyOf(job);
    if (validators && isNotModified(preferences, validators)) return notModified;
    const gzip = preferences.gzip && job.precompressed !== true;
    const few = this.#atOnce(job, gzip);
    if (few !== undefined) {
      const made = this.#representation(job, few);
      // Most are asked for once: kept, they would take the place of those that everybody asks for.
      if (this.#asked.again(cacheKey)) cache.set(cacheKey, made);
      return made.answer;
    }
    const plan = plans.get(jobKeyOf(job, gzip));
    if (plan !== undefined) return this.#finish(job, plan, cacheKey).answer;
    const pending = this.#pendingPlan(job, gzip, request.client);
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
      if (isKept(plan)) plans.set(jobKeyOf(job, gzip), plan);
      return plan;
    } catch (error) {
      onFailure(error);
      throw error;
    } finally {
      lease?.release();
    }
  }

  /** The answer to requests of this target, also for those who have waited for the same job. */
  #finish(job: AnswerJob<Location>, made: Plan, cacheKey: CacheKey): Representation {
    const cached = this.#options.cache.get(cacheKey);
    if (cached !== undefined) return cached;
    const finished = this.#representation(job, made);
    if (isKept(made)) this.#options.cache.set(cacheKey, finished);
    return finished;
  }

  #representation(job: AnswerJob<Location>, made: Plan): Representation {
    const { source, familyOf } = this.#options;
    const plan = job.frame && source ? framed(source.blocks, made, job.frame) : made;
    const own = [...job.fields];
    if (plan.coding === 'gzip') own.push(['Content-Encoding', 'gzip']);
    if (plan.records !== undefined) own.push(['X-Record-Count', String(plan.records)]);
    return representation(familyOf(job), own, this.#body(plan));
  }

  #body(plan: Plan): NonNullable<Answer['body']> {
    const { source } = this.#options;
    const [only] = plan.chunks;
    if (plan.chunks.length === 1 && only?.kind === 'bytes') return only.bytes;
    if (source === undefined) throw new TypeError('without a snapshot there are no stored bytes');
    return new ChunkedBody(plan, source);
  }
}

/** The file of a long text may go while nobody reads it: whoever asks next has a worker look for it. */
function isKept({ chunks }: Plan): boolean {
  return chunks.every(({ kind }) => kind !== 'made');
}

/** What its answer in one content coding is cached under, and shared by. */
function jobKeyOf({ key }: Pick<AnswerJob<unknown>, 'key'>, gzip: boolean): string {
  return `${gzip ? 'gzip' : 'identity'} ${key()}`;
}
