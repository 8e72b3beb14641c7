/**
 * The jobs that wait for a worker thread: which is next, and how much work may wait. Pure: no threads, no clock.
 *
 * Classes of jobs share the threads' time by weight, and clients share a class equally, whatever the number and length
 * of their jobs: many jobs for pages delay other pages, but not the quick jobs of programs. A job that several clients
 * requested is in the line of each.
 */
import { FairQueue } from './fair-queue.js';
import { JOB_CLASSES, type JobClass } from './messages.js';

/** The client of a job: an address, or undefined for the service itself. */
export type JobClient = string | undefined;

export interface WaitingJob {
  readonly class: JobClass;
  /** Expected milliseconds in a thread, a whole number, at least 1. */
  readonly expectedMs: number;
}

/** A job, and the client that is charged for it. */
export interface NextJob<Job> {
  readonly job: Job;
  readonly client: JobClient;
}

/** Part of a class's limit that the waiting jobs of one client may fill. */
const CLIENT_SHARE = 1 / 2;

/** A client without waiting jobs is accepted up to this multiple of the limit, so that others cannot shut it out. */
const NEWCOMERS = 2;

/** Waiting jobs of one client: oldest first. */
interface Line<Job> {
  readonly jobs: Set<Job>;
  waitingMs: number;
}

interface ClassQueue<Job> {
  readonly clients: FairQueue<JobClient>;
  readonly lines: Map<JobClient, Line<Job>>;
  waitingMs: number;
}

export class JobQueue<Job extends WaitingJob> {
  readonly #limitMs: number;
  readonly #order = new FairQueue<JobClass>((jobClass) => JOB_CLASSES[jobClass]);
  readonly #classes = new Map<JobClass, ClassQueue<Job>>();
  /** Number of requests of each client for each waiting job. */
  readonly #clients = new Map<Job, Map<JobClient, number>>();
  readonly #clientRunningMax: number;
  /** Number of running jobs by charged client. */
  readonly #running = new Map<JobClient, number>();

  /** @param limitMs limit of waiting work in each class. @param clientRunningMax limit of a client's running jobs. */
  constructor(limitMs: number, clientRunningMax = Infinity) {
    this.#limitMs = limitMs;
    this.#clientRunningMax = clientRunningMax;
  }

  /** Number of jobs that were taken and have not ended. */
  get running(): number {
    return [...this.#running.values()].reduce((sum, jobs) => sum + jobs, 0);
  }

  get waitingMs(): number {
    return [...this.#classes.values()].reduce((sum, { waitingMs }) => sum + waitingMs, 0);
  }

  /**
   * Adds a job for a client. Returns false if the work that waits already reaches the limit of the class, or of the
   * client in that class; the new job does not count, so that a job above the limit can run too. The service's own jobs
   * are never refused.
   */
  add(job: Job, client: JobClient): boolean {
    const queue = this.#queueOf(job);
    if (client !== undefined && this.#isFull(queue, client)) return false;
    this.#clients.set(job, new Map());
    queue.waitingMs += job.expectedMs;
    this.join(job, client);
    return true;
  }

  /** Adds a request to a waiting job; no effect on a running one. */
  join(job: Job, client: JobClient): void {
    const clients = this.#clients.get(job);
    if (clients === undefined) return;
    const requests = clients.get(client) ?? 0;
    clients.set(client, requests + 1);
    if (requests > 0) return;
    const { clients: waiting, lines } = this.#queueOf(job);
    const line = lines.get(client) ?? { jobs: new Set<Job>(), waitingMs: 0 };
    lines.set(client, line);
    line.jobs.add(job);
    line.waitingMs += job.expectedMs;
    if (this.#mayBegin(client)) waiting.enter(client);
    this.#order.enter(job.class);
  }

  /** Removes a request for a waiting job. @returns true if it was the last one, so that the job is removed too. */
  leave(job: Job, client: JobClient): boolean {
    const clients = this.#clients.get(job);
    const requests = clients?.get(client);
    if (clients === undefined || requests === undefined) return false;
    if (requests > 1) {
      clients.set(client, requests - 1);
      return false;
    }
    clients.delete(client);
    this.#removeFromLine(job, client);
    if (clients.size > 0) return false;
    this.#remove(job);
    return true;
  }

  /** Takes the next job, with the charged client; undefined if no job may begin. */
  next(): NextJob<Job> | undefined {
    const jobClass = this.#order.next();
    const queue = jobClass && this.#classes.get(jobClass);
    if (queue === undefined) return undefined;
    const client = queue.clients.next();
    const [job] = queue.lines.get(client)?.jobs ?? [];
    if (job === undefined) return undefined;
    this.#charge({ job, client }, job.expectedMs);
    this.#remove(job);
    this.#running.set(client, (this.#running.get(client) ?? 0) + 1);
    if (!this.#mayBegin(client)) {
      for (const { clients } of this.#classes.values()) clients.leave(client);
    }
    return { job, client };
  }

  /** Ends a job after `tookMs` of a thread's time. */
  end(ended: NextJob<Job>, tookMs: number): void {
    const { job, client } = ended;
    this.#charge(ended, tookMs - job.expectedMs);
    const running = (this.#running.get(client) ?? 0) - 1;
    if (running > 0) this.#running.set(client, running);
    else this.#running.delete(client);
    for (const { clients, lines } of this.#classes.values()) {
      if (lines.has(client)) clients.enter(client);
    }
  }

  #charge({ job, client }: NextJob<Job>, milliseconds: number): void {
    this.#queueOf(job).clients.charge(client, milliseconds);
    this.#order.charge(job.class, milliseconds);
  }

  /** Whether a job of the client may begin; the service's own jobs always may. */
  #mayBegin(client: JobClient): boolean {
    return client === undefined || (this.#running.get(client) ?? 0) < this.#clientRunningMax;
  }

  #queueOf({ class: jobClass }: Job): ClassQueue<Job> {
    const known = this.#classes.get(jobClass);
    if (known !== undefined) return known;
    const queue: ClassQueue<Job> = { clients: new FairQueue(), lines: new Map(), waitingMs: 0 };
    this.#classes.set(jobClass, queue);
    return queue;
  }

  #isFull({ lines, waitingMs }: ClassQueue<Job>, client: string): boolean {
    const line = lines.get(client);
    if (line === undefined) return waitingMs >= this.#limitMs * NEWCOMERS;
    return waitingMs >= this.#limitMs || line.waitingMs >= this.#limitMs * CLIENT_SHARE;
  }

  #remove(job: Job): void {
    const clients = this.#clients.get(job)?.keys() ?? [];
    for (const client of clients) this.#removeFromLine(job, client);
    this.#clients.delete(job);
    const queue = this.#queueOf(job);
    queue.waitingMs -= job.expectedMs;
    if (queue.lines.size === 0) this.#order.leave(job.class);
  }

  #removeFromLine(job: Job, client: JobClient): void {
    const { clients: waiting, lines } = this.#queueOf(job);
    const line = lines.get(client);
    if (line?.jobs.delete(job) !== true) return;
    line.waitingMs -= job.expectedMs;
    if (line.jobs.size > 0) return;
    lines.delete(client);
    waiting.leave(client);
  }
}
