/**
 * The jobs that wait for a worker thread: which is next, and how much work may wait. Pure: no threads, no clock.
 *
 * Clients take turns, whatever number of jobs each of them has waiting, and in a client's turn its kinds of job do.
 * A job that several clients wait for is in each one's line, and is next when the first of them has its turn.
 */
import type { JobKind } from './messages.js';

/** Whom a job is for: the address of a client, or undefined for the service itself. */
export type JobClient = string | undefined;

export interface WaitingJob {
  readonly kind: JobKind;
  /** How long it will take a thread: whole milliseconds, at least 1. */
  readonly expectedMs: number;
}

/** What one kind of job may take of the limit, so that others find room beside it. */
const KIND_SHARE = 1 / 2;

/** What one client may take: less than a kind may, so that others find room in each kind. */
const CLIENT_SHARE = 1 / 4;

export class JobQueue<Job extends WaitingJob> {
  readonly #limitMs: number;
  /** By client; the one whose turn is next is the first. */
  readonly #lines = new Map<JobClient, Line<Job>>();
  /** How many requests of each client wait for a job. */
  readonly #clients = new Map<Job, Map<JobClient, number>>();
  readonly #kindMs = new Map<JobKind, number>();
  #waitingMs = 0;

  /** @param limitMs expected work that may wait for a thread. */
  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** Expected work that waits. */
  get waitingMs(): number {
    return this.#waitingMs;
  }

  /**
   * Adds a job for a client; false where a limit is reached: in all, of this kind, or for this client.
   *
   * What counts is the work that waits already, so that a job which takes longer than a share can be run too. The
   * service's own jobs are never refused, and come first: there are only so many of them.
   */
  add(job: Job, client: JobClient): boolean {
    if (client !== undefined && this.#isFull(job.kind, client)) return false;
    this.#clients.set(job, new Map());
    this.#count(job, 1);
    this.join(job, client);
    return true;
  }

  /** One more request waits for a job; without effect on a job that no longer waits. */
  join(job: Job, client: JobClient): void {
    const clients = this.#clients.get(job);
    if (clients === undefined) return;
    clients.set(client, (clients.get(client) ?? 0) + 1);
    const line = this.#lines.get(client) ?? new Line<Job>();
    this.#lines.set(client, line);
    line.add(job);
  }

  /** One request less waits for a job; true where it was the last one, and the job is no longer queued. */
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

  /** Takes the next job out; undefined where none waits. */
  next(): Job | undefined {
    const line = this.#lines.get(undefined) ?? takeTurn(this.#lines);
    const job = line?.next();
    if (job !== undefined) this.#remove(job);
    return job;
  }

  #isFull(kind: JobKind, client: string): boolean {
    return (
      this.#waitingMs >= this.#limitMs ||
      (this.#kindMs.get(kind) ?? 0) >= this.#limitMs * KIND_SHARE ||
      (this.#lines.get(client)?.waitingMs ?? 0) >= this.#limitMs * CLIENT_SHARE
    );
  }

  #remove(job: Job): void {
    const clients = this.#clients.get(job)?.keys() ?? [];
    for (const client of clients) this.#removeFromLine(job, client);
    this.#clients.delete(job);
    this.#count(job, -1);
  }

  #removeFromLine(job: Job, client: JobClient): void {
    const line = this.#lines.get(client);
    line?.delete(job);
    if (line?.waitingMs === 0) this.#lines.delete(client);
  }

  #count({ kind, expectedMs }: Job, sign: 1 | -1): void {
    this.#waitingMs += sign * expectedMs;
    this.#kindMs.set(kind, (this.#kindMs.get(kind) ?? 0) + sign * expectedMs);
  }
}

/** What one client waits for. */
class Line<Job extends WaitingJob> {
  /** Oldest jobs first; the kind whose turn is next is the first. */
  readonly #kinds = new Map<JobKind, Set<Job>>();
  #waitingMs = 0;

  get waitingMs(): number {
    return this.#waitingMs;
  }

  /** Without effect where it is here already. */
  add(job: Job): void {
    const jobs = this.#kinds.get(job.kind) ?? new Set<Job>();
    if (jobs.has(job)) return;
    this.#kinds.set(job.kind, jobs.add(job));
    this.#waitingMs += job.expectedMs;
  }

  delete(job: Job): void {
    const jobs = this.#kinds.get(job.kind);
    if (jobs?.delete(job) !== true) return;
    if (jobs.size === 0) this.#kinds.delete(job.kind);
    this.#waitingMs -= job.expectedMs;
  }

  /** The job whose turn is next; it stays here until it is deleted. */
  next(): Job | undefined {
    const [oldest] = takeTurn(this.#kinds) ?? [];
    return oldest;
  }
}

/** The first value of a map, which is the last one then. */
function takeTurn<Key, Value>(turns: Map<Key, Value>): Value | undefined {
  const [first] = turns;
  if (first === undefined) return undefined;
  turns.delete(first[0]);
  turns.set(...first);
  return first[1];
}
