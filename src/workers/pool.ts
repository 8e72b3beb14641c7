/** The pool of worker threads: queues that are fair among job classes and clients. The only file that loads Piscina. */
import { BroadcastChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { SnapshotError } from '../snapshot/domain/snapshot-error.js';
import { isShortage } from '../snapshot/local/read-failure.js';
import { JobQueue, type JobClient, type NextJob } from './job-queue.js';
import {
  JOBS,
  RETIRED_CHANNEL,
  type Job,
  type JobClass,
  type JobKind,
  type JobResult,
  type JobTypes,
} from './messages.js';

export interface PoolOptions {
  readonly threads: number;
  /** Limit of waiting work in one class, for each thread; default: 4,000 ms. Clients share it (`job-queue.ts`). */
  readonly waitingMs?: number;
  /** Called for each job that starts, that is dropped because all its clients have gone, or that is refused. */
  readonly count?: (what: 'jobsStarted' | 'jobsAbandoned' | 'jobsRefused') => void;
  /** Called at the start of a job with the time that it was queued, and at its end with the time that it ran. */
  readonly onTime?: (what: 'queued' | 'ran', kind: JobKind, milliseconds: number) => void;
}

/** Expected time of the first job of a kind. */
const FIRST_GUESS_MS = 20;

/** Weight of the newest job in the average of its kind. */
const NEWEST_WEIGHT = 1 / 8;

/**
 * Limit of a time that enters the average, as a multiple of the current average: the first job of a thread takes
 * longer, since it also loads modules.
 */
const OUTLIER = 4;

/** The queue is full, all clients have gone, or the thread has ended: 503 with `Retry-After`. */
export class PoolBusyError extends Error {
  override readonly name = 'PoolBusyError';
}

/** Errors are created once: otherwise each of many refusals would collect a stack trace. */
const BUSY = new PoolBusyError('the worker pool is busy');
const ABANDONED = new PoolBusyError('nobody waits for this job any more');
const ENDED = new PoolBusyError('the thread has ended, and another one takes its place');

export interface JobRunner {
  /**
   * Runs one job.
   *
   * @throws {PoolBusyError} asynchronously, if the job does not run to its end.
   * @throws {SnapshotError} asynchronously, for an expected failure, with its code.
   */
  run<K extends JobKind>(kind: K, task: JobTypes[K]['task']): Promise<JobTypes[K]['value']>;
}

/** One job for a client and those that join it; call `run` in the event-loop iteration of its creation. */
export interface SharedJob extends JobRunner {
  /** Adds a request of the same client or another one. */
  join(client: JobClient): void;
  /** Removes a request. @returns true if it was the last one, so that the job will not run. */
  leave(client: JobClient): boolean;
}

interface QueuedJob {
  readonly job: Job;
  readonly class: JobClass;
  readonly lane: Lane;
  readonly expectedMs: number;
  readonly queuedAt: number;
  readonly settle: (result: JobResult | Promise<JobResult>) => void;
}

type LaneName = 'long' | 'short';

/** Number of long jobs that one thread runs in turns, so that their clients share it. */
const LONG_JOBS_PER_THREAD = 4;

/** A queue of jobs for the same threads, with a limit of running jobs. */
interface Lane {
  readonly name: LaneName;
  readonly queue: JobQueue<QueuedJob>;
  readonly threads: readonly Thread[];
  readonly runningMax: number;
  /**
   * Thread time that a single job would have received if it had run since the pool began, with the running jobs sharing
   * the threads equally.
   */
  sharedMs: number;
  /** Time of the last update of `sharedMs`. */
  countedAt: number;
}

/** One thread, replaced when it ends, and its number of jobs in each lane. */
interface Thread {
  readonly piscina: Piscina<Job, JobResult>;
  readonly running: Record<LaneName, number>;
}

/** Time to report the failure before the process ends. */
const LAST_WORDS_MS = 100;

/** Whether a thread cannot start because of a shortage of open files or memory. */
function isThreadShortage(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ERR_WORKER_INIT_FAILED' || isShortage(error);
}

export class WorkerPool implements JobRunner {
  readonly threads: number;
  /** A lane for long jobs, and one for all others. */
  readonly #lanes: Readonly<Record<LaneName, Lane>>;
  readonly #count: NonNullable<PoolOptions['count']>;
  readonly #onTime: PoolOptions['onTime'];
  readonly #averageMs = new Map<JobKind, number>();
  readonly #retired = new BroadcastChannel(RETIRED_CHANNEL);

  constructor({ threads, waitingMs = 4000, count = () => undefined, onTime }: PoolOptions) {
    this.threads = threads;
    const all = Array.from({ length: threads }, createThread);
    // If there are several threads, one is reserved for short jobs.
    const forLong = all.slice(0, Math.max(1, threads - 1));
    const lane = (
      name: LaneName,
      options: Pick<Lane, 'threads' | 'runningMax'>,
      clientRunningMax?: number,
    ): Lane => {
      const queue = new JobQueue<QueuedJob>(waitingMs * threads, clientRunningMax);
      return { name, queue, ...options, sharedMs: 0, countedAt: performance.now() };
    };
    // One client may run a long job for each of these threads; long jobs of other clients start beside them.
    const longMax = forLong.length * LONG_JOBS_PER_THREAD;
    this.#lanes = {
      long: lane('long', { threads: forLong, runningMax: longMax }, forLong.length),
      short: lane('short', { threads: all, runningMax: threads }),
    };
    this.#count = count;
    this.#onTime = onTime;
    // An idle pool does not keep its process alive.
    this.#retired.unref();
  }

  /** Expected milliseconds of waiting work, by recent times of each kind. */
  get waitingMs(): number {
    return this.#lanes.long.queue.waitingMs + this.#lanes.short.queue.waitingMs;
  }

  /** Runs a job for the service itself, which is never refused. */
  async run<K extends JobKind>(kind: K, task: JobTypes[K]['task']): Promise<JobTypes[K]['value']> {
    return await this.share(undefined).run(kind, task);
  }

  share(client: JobClient): SharedJob {
    let queued: QueuedJob | undefined;
    return {
      run: async <K extends JobKind>(kind: K, task: JobTypes[K]['task']) => {
        const result = await new Promise<JobResult>((settle) => {
          // TypeScript cannot relate a task to its kind's name over a union.
          const job = { kind, task } as Job;
          const expectedMs = this.#expectedMs(kind);
          const jobClass = JOBS[kind].class;
          const lane = this.#lanes[jobClass === 'long' ? 'long' : 'short'];
          const queuedAt = performance.now();
          queued = { job, class: jobClass, lane, expectedMs, queuedAt, settle };
          this.#enqueue(queued, client);
        });
        if (!result.ok) throw new SnapshotError(result.failure.code, result.failure.message);
        return result.value;
      },
      join: (other) => {
        queued?.lane.queue.join(queued, other);
      },
      leave: (other) => {
        if (queued?.lane.queue.leave(queued, other) !== true) return false;
        this.#count('jobsAbandoned');
        queued.settle(Promise.reject(ABANDONED));
        return true;
      },
    };
  }

  /** Tells all threads of this process to unmap a copy (`docs/dependencies.md, "Threads and maps"`). */
  retire(directory: string): void {
    this.#retired.postMessage(directory);
  }

  #enqueue(queued: QueuedJob, client: JobClient): void {
    const { lane } = queued;
    if (lane.queue.add(queued, client)) {
      this.#fill(lane);
      return;
    }
    this.#count('jobsRefused');
    queued.settle(Promise.reject(BUSY));
  }

  /** Gives threads only jobs that they can begin: a job cannot be withdrawn from a thread. */
  #fill(lane: Lane): void {
    while (lane.queue.running < lane.runningMax) {
      countSharedTime(lane);
      const next = lane.queue.next();
      if (next === undefined) return;
      next.job.settle(this.#perform(next));
    }
  }

  async #perform(next: NextJob<QueuedJob>): Promise<JobResult> {
    const { job, lane, queuedAt } = next.job;
    const { kind } = job;
    this.#count('jobsStarted');
    const thread = leastBusy(lane);
    thread.running[lane.name] += 1;
    const startedAt = performance.now();
    const sharedBeforeMs = lane.sharedMs;
    this.#onTime?.('queued', kind, startedAt - queuedAt);
    try {
      return await thread.piscina.run(job);
    } catch (error) {
      if (isThreadShortage(error)) {
        // Node caches the failed load, so the process ends with this error after it has reported it.
        setTimeout(() => {
          throw error;
        }, LAST_WORDS_MS);
        const message = `cannot start a thread: ${String(error)}`;
        throw new SnapshotError('copy_unreadable', message, { cause: error });
      }
      // `load-module.ts` ends a thread that cannot load a module.
      const hasEnded = error instanceof Error && error.message.startsWith('worker exited');
      throw hasEnded ? ENDED : error;
    } finally {
      countSharedTime(lane);
      const tookMs = lane.sharedMs - sharedBeforeMs;
      const averageMs = this.#averageMs.get(kind) ?? FIRST_GUESS_MS;
      const countedMs = Math.min(tookMs, averageMs * OUTLIER);
      this.#averageMs.set(kind, averageMs + (countedMs - averageMs) * NEWEST_WEIGHT);
      lane.queue.end(next, tookMs);
      this.#onTime?.('ran', kind, performance.now() - startedAt);
      thread.running[lane.name] -= 1;
      this.#fill(lane);
    }
  }

  #expectedMs(kind: JobKind): number {
    return Math.max(1, Math.round(this.#averageMs.get(kind) ?? FIRST_GUESS_MS));
  }
}

function createThread(): Thread {
  const piscina = new Piscina<Job, JobResult>({
    filename: new URL('./entry.js', import.meta.url).href,
    minThreads: 1,
    maxThreads: 1,
    concurrentTasksPerWorker: LONG_JOBS_PER_THREAD + 1,
    // This gives the best p99; with the default, a worker's own timers and ports stop between two tasks.
    atomics: 'disabled',
    recordTiming: false,
  });
  return { piscina, running: { long: 0, short: 0 } };
}

/**
 * The thread with the fewest jobs of this lane; among threads with equally many, the one with the fewest jobs of the
 * other lane.
 */
function leastBusy({ name, threads }: Lane): Thread {
  const weightOf = ({ running }: Thread): number =>
    running[name] + (running.long + running.short) / 1000;
  return threads.reduce((least, thread) => (weightOf(thread) < weightOf(least) ? thread : least));
}

/** Adds the time since the last call, divided by the number of jobs per thread, to `sharedMs`. */
function countSharedTime(lane: Lane): void {
  const now = performance.now();
  const jobsPerThread = Math.max(1, lane.queue.running / lane.threads.length);
  lane.sharedMs += (now - lane.countedAt) / jobsPerThread;
  lane.countedAt = now;
}
