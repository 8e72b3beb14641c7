/** The pool of worker threads: a bounded queue, results as values, failures as errors. The door to Piscina. */
import { BroadcastChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { SnapshotError } from '../snapshot/domain/snapshot-error.js';
import {
  RETIRED_CHANNEL,
  type Job,
  type JobKind,
  type JobResult,
  type JobTypes,
} from './messages.js';

export interface PoolOptions {
  readonly threads: number;
  /** Jobs that may wait; one more is refused with `PoolBusyError`. */
  readonly maxQueue: number;
}

/**
 * Jobs of one kind that may be under way: one that takes tens of milliseconds would fill the whole queue, and what
 * is quick would wait behind it for longer than its clients do.
 */
const UNDER_WAY_MAX: Readonly<Partial<Record<JobKind, number>>> = { 'plan-export': 32 };

/** The queue is full: for a client, 503 with `Retry-After`. */
export class PoolBusyError extends Error {
  override readonly name = 'PoolBusyError';
}

export class WorkerPool {
  readonly threads: number;
  readonly #piscina: Piscina<Job, JobResult>;
  readonly #underWay = new Map<JobKind, number>();
  readonly #retired = new BroadcastChannel(RETIRED_CHANNEL);

  constructor({ threads, maxQueue }: PoolOptions) {
    this.threads = threads;
    // A pool without jobs does not keep its process alive.
    this.#retired.unref();
    this.#piscina = new Piscina<Job, JobResult>({
      filename: new URL('./entry.js', import.meta.url).href,
      minThreads: threads,
      maxThreads: threads,
      maxQueue,
      // The best p99; with the default a worker's own timers and ports freeze between two tasks.
      atomics: 'disabled',
      recordTiming: false,
    });
  }

  /**
   * Runs one job.
   *
   * @throws {PoolBusyError} when the queue is full, or has enough of this kind.
   * @throws {SnapshotError} an expected failure, made again with its code.
   */
  async run<K extends JobKind>(kind: K, task: JobTypes[K]['task']): Promise<JobTypes[K]['value']> {
    // One kind's task with that kind's name, and its own result: what a union of all kinds cannot express.
    const job = { kind, task } as Job;
    const result = (await this.#counted(job)) as JobResult<K>;
    if (!result.ok) throw new SnapshotError(result.failure.code, result.failure.message);
    return result.value;
  }

  /** Notifies all threads of this process that the copy is no longer used, so that they unmap it (`docs/dependencies.md, "Threads and maps"`). */
  retire(directory: string): void {
    this.#retired.postMessage(directory);
  }

  async #counted(job: Job): Promise<JobResult> {
    const { kind } = job;
    const others = this.#underWay.get(kind) ?? 0;
    if (others >= (UNDER_WAY_MAX[kind] ?? Infinity)) {
      throw new PoolBusyError(`enough of ${kind} is under way`);
    }
    this.#underWay.set(kind, others + 1);
    try {
      return await this.#submit(job);
    } finally {
      this.#underWay.set(kind, (this.#underWay.get(kind) ?? 1) - 1);
    }
  }

  async #submit(job: Job): Promise<JobResult> {
    try {
      return await this.#piscina.run(job);
    } catch (cause) {
      if (
        cause instanceof Error &&
        /queue is at limit|No task queue available/.test(cause.message)
      ) {
        throw new PoolBusyError('the worker pool is busy', { cause });
      }
      throw cause;
    }
  }
}
