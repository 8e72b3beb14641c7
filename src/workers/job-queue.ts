/**
 * The jobs that wait for a worker thread: which is next, and how much work may wait. Pure: no threads, no clock.
 *
 * Clients share the threads' time, whatever number of jobs each of them has waiting and however long these take: next is
 * the client whose jobs have taken least. A client that has asked for nothing for a while begins level with those that
 * are served, and gains nothing by having waited (start-time fair queueing: Goyal, Vin and Cheng 1996). In a client's
 * turn its kinds of job take turns. A job that several clients wait for is in each one's line, and is next when the
 * first of them has its turn.
 */
import type { JobKind } from './messages.js';

/** Whom a job is for: the address of a client, or undefined for the service itself. */
export type JobClient = string | undefined;

export interface WaitingJob {
  readonly kind: JobKind;
  /** How long it will take a thread: whole milliseconds, at least 1. */
  readonly expectedMs: number;
}

/** A job, and the client whose turn it is in. */
export interface Turn<Job> {
  readonly job: Job;
  readonly client: JobClient;
}

/** Clients whose time is remembered beside those that wait. */
const CLIENTS_MAX = 1000;

/** What one kind of job may take of the limit, so that others find room beside it. */
const KIND_SHARE = 1 / 2;

/** What one client may take: less than a kind may, so that others find room in each kind. */
const CLIENT_SHARE = 1 / 4;

/** What the limits are multiplied by for a client of whom nothing waits: others that fill the queue do not shut it out. */
const NEWCOMERS = 2;

export class JobQueue<Job extends WaitingJob> {
  readonly #limitMs: number;
  readonly #lines = new Map<JobClient, Line<Job>>();
  /** Milliseconds that a client's jobs have taken, counted from the level at which it began. */
  readonly #taken = new Map<JobClient, number>();
  /** What the client that was served last had taken before: whoever comes begins here. */
  #levelMs = 0;
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
    if (this.#takenBy(client) <= this.#levelMs) this.#taken.set(client, this.#levelMs);
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

  /**
   * Takes the next job out, with the client whose turn it is; undefined where none waits.
   *
   * @param isAllowed which kinds may be begun now. Default: all.
   */
  next(isAllowed: (kind: JobKind) => boolean = () => true): Turn<Job> | undefined {
    const own = this.#lines.get(undefined)?.next(isAllowed);
    let turn: Turn<Job> | undefined = own && { job: own, client: undefined };
    for (const [client, line] of turn ? [] : this.#lines) {
      if (turn !== undefined && this.#takenBy(client) >= this.#takenBy(turn.client)) continue;
      const job = line.next(isAllowed);
      if (job !== undefined) turn = { job, client };
    }
    if (turn === undefined) return undefined;
    const { job, client } = turn;
    this.#lines.get(client)?.endTurn(job.kind);
    if (client !== undefined) this.#levelMs = Math.max(this.#levelMs, this.#takenBy(client));
    this.charge(client, job.expectedMs);
    this.#remove(job);
    return turn;
  }

  /** Counts time that a job of this client has taken, or was expected to. */
  charge(client: JobClient, milliseconds: number): void {
    if (client === undefined) return;
    this.#taken.set(client, this.#takenBy(client) + milliseconds);
    if (this.#taken.size <= CLIENTS_MAX) return;
    for (const [one, takenMs] of this.#taken) {
      if (takenMs <= this.#levelMs && !this.#lines.has(one)) this.#taken.delete(one);
    }
  }

  #takenBy(client: JobClient): number {
    return this.#taken.get(client) ?? this.#levelMs;
  }

  #isFull(kind: JobKind, client: string): boolean {
    const line = this.#lines.get(client);
    const limitMs = this.#limitMs * (line === undefined ? NEWCOMERS : 1);
    return (
      this.#waitingMs >= limitMs ||
      (this.#kindMs.get(kind) ?? 0) >= limitMs * KIND_SHARE ||
      (line?.waitingMs ?? 0) >= this.#limitMs * CLIENT_SHARE
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

  /** The job whose turn is next of those that may be begun; it stays here until it is deleted. */
  next(isAllowed: (kind: JobKind) => boolean): Job | undefined {
    for (const [kind, [oldest]] of this.#kinds) if (isAllowed(kind)) return oldest;
    return undefined;
  }

  /** The other kinds come before this one now. */
  endTurn(kind: JobKind): void {
    const jobs = this.#kinds.get(kind);
    if (jobs === undefined) return;
    this.#kinds.delete(kind);
    this.#kinds.set(kind, jobs);
  }
}
