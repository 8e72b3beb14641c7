/** The pool of worker threads: queues that share their time fairly among classes of jobs and clients, results as values, failures as errors. The door to Piscina. */
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
  /** Work of one class that may wait for each thread; default: 4,000 ms, of which a client waits up to three times. */
  readonly waitingMs?: number;
  /**
   * Called for each job that a thread is given, that is dropped because all its clients have gone, or that is refused.
   */
  readonly count?: (what: 'jobsStarted' | 'jobsAbandoned' | 'jobsRefused') => void;
  /** Called with how long a job of this kind was queued, when it begins, and how long it ran, when it has ended. */
  readonly onTime?: (what: 'queued' | 'ran', kind: JobKind, milliseconds: number) => void;
}

/** Expected time of a job before any of its kind has been run. */
const FIRST_GUESS_MS = 20;

/** Weight of the newest job in the average of its kind. */
const NEWEST_WEIGHT = 1 / 8;

/** A job counts as at most this many average ones: the first in a thread has to load what all of its kind need. */
const OUTLIER = 4;

/** The queue is full, or all clients of the answer have gone: a client gets 503 with `Retry-After`. */
export class PoolBusyError extends Error {
  override readonly name = 'PoolBusyError';
}

/** Made once: a crowd that leaves, or is refused, would have the front thread write down as many stacks. */
const BUSY = new PoolBusyError('the worker pool is busy');
const ABANDONED = new PoolBusyError('nobody waits for this job any more');
const ENDED = new PoolBusyError('the thread has ended, and another one takes its place');

export interface JobRunner {
  /**
   * Runs one job.
   *
   * @throws {PoolBusyError} asynchronously, when too much work waits already, or the last client has left.
   * @throws {SnapshotError} asynchronously: an expected failure, made again with its code.
   */
  run<K extends JobKind>(kind: K, task: JobTypes[K]['task']): Promise<JobTypes[K]['value']>;
}

/** Runs one job for a client, and for those who join it; to be run in the turn in which it was made. */
export interface SharedJob extends JobRunner {
  /** One more request waits for it, of this client or of another one. */
  join(client: JobClient): void;
  /** One request less waits for it; true where it was the last one, and the job will not run. */
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

/** Long jobs that one thread works on in time slices: their clients do not wait for each other's end. */
const LONG_JOBS_PER_THREAD = 4;

/** Jobs that share the same threads, and how many of them may be under way. */
interface Lane {
  readonly name: LaneName;
  readonly queue: JobQueue<QueuedJob>;
  readonly threads: readonly Thread[];
  readonly runningMax: number;
  /** Time that each of the jobs under way has had of a thread since the pool began: they share it equally. */
  sharedMs: number;
  /** When `sharedMs` was counted last. */
  countedAt: number;
}

/** One thread, which is replaced when it ends, and how many jobs of each lane it works on. */
interface Thread {
  readonly piscina: Piscina<Job, JobResult>;
  readonly running: Record<LaneName, number>;
}

/** For answers that say so. */
const LAST_WORDS_MS = 100;

/** Whether a thread has no files or memory to begin with; what Node says of it is no failure of a call. */
function isThreadShortage(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ERR_WORKER_INIT_FAILED' || isShortage(error);
}

export class WorkerPool implements JobRunner {
  readonly threads: number;
  /** Long jobs, and all others. */
  readonly #lanes: Readonly<Record<LaneName, Lane>>;
  readonly #count: NonNullable<PoolOptions['count']>;
  readonly #onTime: PoolOptions['onTime'];
  readonly #averageMs = new Map<JobKind, number>();
  readonly #retired = new BroadcastChannel(RETIRED_CHANNEL);

  constructor({ threads, waitingMs = 4000, count = () => undefined, onTime }: PoolOptions) {
    this.threads = threads;
    const all = Array.from({ length: threads }, createThread);
    // One thread is left to short jobs where there are several.
    const forLong = all.slice(0, Math.max(1, threads - 1));
    const lane = (
      name: LaneName,
      options: Pick<Lane, 'threads' | 'runningMax'>,
      clientRunningMax?: number,
    ): Lane => {
      const queue = new JobQueue<QueuedJob>(waitingMs * threads, clientRunningMax);
      return { name, queue, ...options, sharedMs: 0, countedAt: performance.now() };
    };
    // A client alone may have all threads for long jobs; beside its jobs those of other clients begin.
    const longMax = forLong.length * LONG_JOBS_PER_THREAD;
    this.#lanes = {
      long: lane('long', { threads: forLong, runningMax: longMax }, forLong.length),
      short: lane('short', { threads: all, runningMax: threads }),
    };
    this.#count = count;
    this.#onTime = onTime;
    // A pool without jobs does not keep its process alive.
    this.#retired.unref();
  }

  /** Work that waits for a thread, in milliseconds, by what jobs of its kinds have taken lately. */
  get waitingMs(): number {
    return this.#lanes.long.queue.waitingMs + this.#lanes.short.queue.waitingMs;
  }

  /** Runs one job for the service itself: before those of clients, and whatever waits. */
  async run<K extends JobKind>(kind: K, task: JobTypes[K]['task']): Promise<JobTypes[K]['value']> {
    return await this.share(undefined).run(kind, task);
  }

  /** One job for this client. */
  share(client: JobClient): SharedJob {
    let queued: QueuedJob | undefined;
    return {
      run: async <K extends JobKind>(kind: K, task: JobTypes[K]['task']) => {
        const result = await new Promise<JobResult>((settle) => {
          // One kind's task with that kind's name: what a union of all kinds cannot express.
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

  /** Notifies all threads of this process that the copy is no longer used, so that they unmap it (`docs/dependencies.md, "Threads and maps"`). */
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

  /** Gives threads what they can begin at once: a job that a thread has cannot be taken back without ending the thread. */
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
        // Node keeps what a thread could not load, so it would never do anything: the process is replaced, once this is said.
        setTimeout(() => {
          throw error;
        }, LAST_WORDS_MS);
        const message = `cannot start a thread: ${String(error)}`;
        throw new SnapshotError('copy_unreadable', message, { cause: error });
      }
      // By `load-module.ts`.
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
    // The best p99; with the default a worker's own timers and ports freeze between two tasks.
    atomics: 'disabled',
    recordTiming: false,
  });
  return { piscina, running: { long: 0, short: 0 } };
}

/** The thread with the fewest jobs of this lane, then of the other one. */
function leastBusy({ name, threads }: Lane): Thread {
  const weightOf = ({ running }: Thread): number =>
    running[name] + (running.long + running.short) / 1000;
  return threads.reduce((least, thread) => (weightOf(thread) < weightOf(least) ? thread : least));
}

/** Counts the time since the last call: with more jobs than threads, each has had a part of it. */
function countSharedTime(lane: Lane): void {
  const now = performance.now();
  const jobsPerThread = Math.max(1, lane.queue.running / lane.threads.length);
  lane.sharedMs += (now - lane.countedAt) / jobsPerThread;
  lane.countedAt = now;
}
