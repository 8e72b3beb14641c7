/**
 * Renders answers on request and caches them (docs/architecture.md, "Caches"). Small answers are rendered in this
 * thread, others in a worker, by one job for all clients that request the same.
 */
import { LRUCache } from 'lru-cache';
import { planInline } from '../../snapshot/local/observations/records-plan.js';
import type { LeasedSnapshot } from '../../snapshot/local/lease.js';
import type { SeriesList } from '../../snapshot/local/observations/series-list.js';
import { fill, withEnvelope, type Envelope, type Plan } from '../../snapshot/local/plan.js';
import type { AnswerJob } from '../../workers/messages.js';
import type { JobRunner, SharedJob, WorkerPool } from '../../workers/pool.js';
import { PendingAnswer, type Answer } from '../semantics/answer.js';
import { IMMUTABLE } from '../semantics/common-headers.js';
import type { HeaderField } from '../semantics/header-block.js';
import {
  headersByDigest,
  isNotModified,
  representation,
  type Preferences,
  type SharedHeaders,
} from '../semantics/representation.js';
import type { PlainRequest } from '../semantics/request.js';
import type { AnswerCache } from './answer-cache.js';
import { entryBytes, IMMUTABLE_ANSWERS, KEY_LENGTH_MAX } from './answer-cache.js';
import { ChunkedBody, residentBytesOf, type ChunkSource } from './chunked-body.js';
import { TextFileBody } from './text-file-body.js';

export interface JobAnswer<Job extends AnswerJob = AnswerJob> {
  readonly job: Job;
  /** Jobs of one kind and one key give the same bytes; default: the job's task. */
  readonly key?: string;
  /** Header fields of this answer, beside those of every answer. */
  readonly fields: readonly HeaderField[];
  /** Identifies inputs beside the snapshot and the build, for the entity tag. */
  readonly variant?: string;
  /** Request fields beside `Accept-Encoding` that shape the answer, for `Vary`; default: none. */
  readonly variesBy?: readonly string[];
  /** Status of a page for missing content, which no cache may store; default: 200. */
  readonly status?: 404;
  /** Digest in the address of the answer: an answer with this digest never changes. */
  readonly digest?: string | undefined;
  /** Whether the bytes are compressed already, so that gzip would gain nothing; default: false. */
  readonly precompressed?: boolean;
  /** The text around shared records that belongs to this request alone. */
  readonly envelope?: Envelope;
  /** Called with the job's failure. */
  readonly onFailure?: (error: unknown) => void;
}

/** The part of a request that shapes the answer. */
export interface JobRequest {
  /** Undefined when no other request could use the answer. */
  readonly cacheKey: string | undefined;
  readonly preferences: Preferences;
  /** The client, for fair shares of the workers' time; read only when a job is needed. */
  readonly request: Pick<PlainRequest, 'client'>;
}

export interface RenderedAnswersOptions<Job extends AnswerJob> {
  readonly pool: WorkerPool;
  readonly cache?: AnswerCache;
  readonly snapshot: LeasedSnapshot | undefined;
  /** The snapshot, opened in this thread at the first request that needs it; undefined without a snapshot. */
  readonly openSource: () => RenderedFrom | undefined;
  /** Runs a job for that snapshot in a worker. */
  readonly run: (runner: JobRunner, job: Job, gzip: boolean) => Promise<Plan>;
  /** Called once with a job's failure, for all its clients. */
  readonly onFailure: (error: unknown) => void;
  /** Header fields of all answers that need no `variantHeaders`. */
  readonly headers: SharedHeaders;
  readonly variantHeaders: (
    wanted: Pick<JobAnswer, 'variant' | 'variesBy' | 'status'>,
  ) => SharedHeaders;
}

export interface RenderedFrom extends ChunkSource {
  readonly seriesList: SeriesList;
}

/** A job that runs or waits. */
interface Pending {
  readonly shared: SharedJob;
  readonly promise: Promise<Plan>;
}

const PLANS_BYTES = 8 * 1024 * 1024;

export class RenderedAnswers<Job extends AnswerJob = AnswerJob> {
  readonly #options: RenderedAnswersOptions<Job>;
  /** Plans and pending jobs, by the key of the job. */
  readonly #plans = new LRUCache<string, Plan | Pending>({ maxSize: PLANS_BYTES });

  constructor(options: RenderedAnswersOptions<Job>) {
    this.#options = options;
  }

  /**
   * Answers at once with 304, or from a short or cached plan; otherwise with the result of a job.
   *
   * @throws {PoolBusyError} asynchronously, when too much work waits already.
   * @throws {SnapshotError} `copy_damaged`, also asynchronously.
   */
  answer(
    wanted: JobAnswer<Job>,
    { cacheKey, preferences, request }: JobRequest,
  ): Answer | PendingAnswer {
    const headers = this.#headersOf(wanted);
    const { validators, notModified } = headers;
    if (validators && isNotModified(preferences, validators)) return notModified;
    const finish = { wanted, headers, cacheKey };
    const gzip = preferences.gzip && wanted.precompressed !== true;
    const inline = this.#planInline(wanted.job, gzip);
    if (inline !== undefined) return this.#finish(finish, inline, true);
    const key = keyOf(wanted, gzip);
    const known = this.#plans.get(key);
    if (known !== undefined && 'chunks' in known) return this.#finish(finish, known);
    const { client } = request;
    known?.shared.join(client);
    const pending = known ?? this.#begin(wanted, { key, gzip, client });
    return new PendingAnswer(
      pending.promise.then((plan) => this.#finish(finish, plan)),
      () => {
        // A new request must not wait for a job that will not run.
        if (pending.shared.leave(client)) this.#settle(key, pending);
      },
    );
  }

  clear(): void {
    this.#plans.clear();
  }

  #headersOf(wanted: JobAnswer): SharedHeaders {
    const { variant, variesBy, status } = wanted;
    const isVariant = variant !== undefined || variesBy !== undefined || status !== undefined;
    return isVariant ? this.#options.variantHeaders(wanted) : this.#options.headers;
  }

  /** Plans a few observations in this thread, which is faster than a job; undefined for other answers. */
  #planInline({ kind, task }: AnswerJob, gzip: boolean): Plan | undefined {
    if (kind !== 'plan-observations' && kind !== 'plan-many-observations') return undefined;
    const source = this.#options.openSource();
    const { selection, interval, form } = task;
    return (
      source && planInline(source.blocks, source.seriesList, { selection, interval, form, gzip })
    );
  }

  /** Begins one job for all concurrent requests with this key; it is dropped when all their clients have gone. */
  #begin(
    wanted: JobAnswer<Job>,
    run: { readonly key: string; readonly gzip: boolean; readonly client: string | undefined },
  ): Pending {
    const { key, gzip, client } = run;
    const shared = this.#options.pool.share(client);
    const pending = { shared, promise: this.#run(wanted, shared, gzip) };
    this.#plans.set(key, pending, { size: entryBytes(key) });
    void pending.promise
      .catch(() => undefined)
      .then((plan) => {
        this.#settle(key, pending, plan);
      });
    return pending;
  }

  async #run({ job, onFailure }: JobAnswer<Job>, runner: JobRunner, gzip: boolean): Promise<Plan> {
    const { run, snapshot } = this.#options;
    const lease = snapshot?.lease();
    try {
      return await run(runner, job, gzip);
    } catch (error) {
      onFailure?.(error);
      this.#options.onFailure(error);
      throw error;
    } finally {
      lease?.release();
    }
  }

  /** Removes a pending job, and caches its plan, if any. */
  #settle(key: string, pending: Pending, plan?: Plan): void {
    if (this.#plans.get(key) !== pending) return;
    this.#plans.delete(key);
    if (plan === undefined || !isKept(plan) || key.length > KEY_LENGTH_MAX) return;
    const size = plan.chunks.reduce((sum, chunk) => sum + residentBytesOf(chunk), entryBytes(key));
    this.#plans.set(key, plan, { size });
  }

  /** The cached answer; without one a new answer from the plan, cached for all requests with this cache key. */
  #finish({ wanted, headers, cacheKey }: Finish, plan: Plan, isQuick = false): Answer {
    const { cache: answers, openSource } = this.#options;
    const isNamed = wanted.digest !== undefined && wanted.digest === plan.digest;
    const cache = isNamed ? IMMUTABLE_ANSWERS : answers;
    const cached = cacheKey === undefined ? undefined : cache?.get(cacheKey);
    if (cached !== undefined) return cached.answer;
    const whole = wanted.envelope ? withEnvelope(plan, wanted.envelope) : plan;
    const own = [...wanted.fields];
    if (whole.coding === 'gzip') own.push(['Content-Encoding', 'gzip']);
    if (whole.records !== undefined) own.push(['X-Record-Count', String(whole.records)]);
    const shared = isNamed ? headersByDigest(plan.digest, IMMUTABLE) : headers;
    const rendered = representation(shared, own, bodyOf(whole, openSource()), wanted.status);
    if (cacheKey !== undefined && isKept(plan)) cache?.add(cacheKey, rendered, isQuick);
    return rendered.answer;
  }
}

interface Finish extends Pick<JobRequest, 'cacheKey'> {
  readonly wanted: JobAnswer;
  readonly headers: SharedHeaders;
}

/** Whether a plan may be cached: not if its text is in a file, which may be removed between two requests. */
function isKept({ textFile }: Plan): boolean {
  return textFile === undefined;
}

/** Bodies up to this length are read at once; longer ones are read while they are sent. */
const WHOLE_BYTES_MAX = 64 * 1024;

/**
 * The body of a plan: in memory if it is short, else read while it is sent.
 *
 * @param source undefined without a snapshot: the plan then contains all bytes.
 * @throws {SnapshotError} `copy_damaged`.
 */
export function bodyOf(plan: Plan, source: ChunkSource | undefined): NonNullable<Answer['body']> {
  const { textFile, totalBytes, chunks } = plan;
  const [only] = chunks;
  if (chunks.length === 1 && only?.kind === 'bytes') return only.bytes;
  if (source === undefined) throw new TypeError('without a snapshot there are no stored bytes');
  if (textFile !== undefined) return new TextFileBody(textFile, plan, source.snapshot);
  if (totalBytes > WHOLE_BYTES_MAX) return new ChunkedBody(plan, source);
  const bytes = Buffer.allocUnsafeSlow(totalBytes);
  fill(bytes, chunks, source.blocks);
  return bytes;
}

/** Key of a job's plan among all plans of one snapshot. */
function keyOf({ job, key }: JobAnswer, gzip: boolean): string {
  return `${gzip ? 'gzip' : 'identity'} ${job.kind} ${key ?? JSON.stringify(job.task)}`;
}
