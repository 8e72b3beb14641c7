/** Answers that a worker makes: one job for all clients that request the same target, then cached. */
import { crc32 } from 'node:zlib';
import type { SeriesList } from '../../snapshot/local/observations/series-list.js';
import { withEnvelope, type Envelope, type Plan } from '../../snapshot/local/plan.js';
import type { JobRunner, SharedJob, WorkerPool } from '../../workers/pool.js';
import { PendingAnswer, type Answer } from '../semantics/answer.js';
import type { HeaderField } from '../semantics/header-block.js';
import { isNotModified, type Preferences } from '../semantics/negotiation.js';
import {
  representation,
  type Representation,
  type SharedHeaders,
} from '../semantics/representation.js';
import type { PlainRequest } from '../semantics/request.js';
import type { CachedAnswers, CachedPlans, CacheKey } from './answer-cache.js';
import { ChunkedBody, type ChunkSource } from './chunked-body.js';

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
  readonly seriesList: SeriesList;
}

export interface MadeAnswersOptions<Location> {
  readonly pool: WorkerPool;
  /** By request target. */
  readonly cache: CachedAnswers;
  /** By job, for requests of other targets. */
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
  readonly #recent = new RecentTargets();

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
    const { cache, plans, source } = this.#options;
    const headers = this.#headersOf(job);
    const { validators, notModified } = headers;
    if (validators && isNotModified(preferences, validators)) return notModified;
    const gzip = preferences.gzip && job.precompressed !== true;
    const inline = source && job.planInline?.(source, gzip);
    if (inline !== undefined) {
      const made = this.#representation(job, inline, headers);
      // Most are asked for once: kept, they would take the place of those that everybody asks for.
      if (this.#recent.again(cacheKey)) cache.add(cacheKey, made);
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

  #headersOf(job: AnswerJob<Location>): SharedHeaders {
    const { headers, variantHeaders } = this.#options;
    const { variant, variesBy, status } = job;
    const isVariant = variant !== undefined || variesBy !== undefined || status !== undefined;
    return isVariant ? variantHeaders(job) : headers;
  }

  /** One job for all who ask for the same at once; it does not run where all of them have gone before. */
  #pendingPlan(job: AnswerJob<Location>, gzip: boolean, client: string | undefined): Pending<Plan> {
    const jobKey = jobKeyOf(job, gzip);
    const known = this.#pending.get(jobKey);
    known?.shared.join(client);
    const { shared, made } = known ?? this.#begin(job, gzip, client);
    return {
      promise: made,
      abandon: () => {
        // Who asks now is not to wait for a job that will not run.
        if (shared.leave(client)) this.#pending.delete(jobKey);
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
      if (isKept(plan)) plans.add(jobKeyOf(job, gzip), plan);
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
    const { cache } = this.#options;
    const cached = cache.get(cacheKey.target)?.get(cacheKey.variant);
    if (cached !== undefined) return cached;
    const finished = this.#representation(job, made, this.#headersOf(job));
    if (isKept(made)) cache.add(cacheKey, finished);
    return finished;
  }

  #representation(job: AnswerJob<Location>, made: Plan, headers: SharedHeaders): Representation {
    const { source } = this.#options;
    const plan = job.envelope && source ? withEnvelope(source.blocks, made, job.envelope) : made;
    const own = [...job.fields];
    if (plan.coding === 'gzip') own.push(['Content-Encoding', 'gzip']);
    if (plan.records !== undefined) own.push(['X-Record-Count', String(plan.records)]);
    const [only] = plan.chunks;
    if (plan.chunks.length === 1 && only?.kind === 'bytes') {
      return representation(headers, own, only.bytes, job.status);
    }
    if (source === undefined) throw new TypeError('without a snapshot there are no stored bytes');
    return representation(headers, own, new ChunkedBody(plan, source));
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

/** A later target takes the place of an earlier one with the same remainder. */
const RECENT_TARGETS = 8192;

/**
 * Which targets were requested a moment ago: what is requested once is not worth a place in a cache.
 *
 * Knows targets by their CRC-32, 32 kB in all: two that have the same one are only cached too early.
 */
class RecentTargets {
  readonly #checksums = new Uint32Array(RECENT_TARGETS);

  /** Whether it was requested before; now it was. */
  again({ target }: Pick<CacheKey, 'target'>): boolean {
    const checksum = crc32(target);
    const at = checksum % RECENT_TARGETS;
    if (this.#checksums[at] === checksum) return true;
    this.#checksums[at] = checksum;
    return false;
  }
}
