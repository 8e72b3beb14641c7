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

/** What one client waits for. */
interface Line<Job> {
  /** Oldest jobs first; the kind whose turn is next is the first. */
  readonly kinds: Map<JobKind, Set<Job>>;
  waitingMs: number;
}

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
    const requests = clients.get(client) ?? 0;
    clients.set(client, requests + 1);
    if (this.#takenBy(client) <= this.#levelMs) this.#taken.set(client, this.#levelMs);
    if (requests > 0) return;
    const line = this.#lines.get(client) ?? { kinds: new Map<JobKind, Set<Job>>(), waitingMs: 0 };
    this.#lines.set(client, line);
    line.kinds.set(job.kind, (line.kinds.get(job.kind) ?? new Set<Job>()).add(job));
    line.waitingMs += job.expectedMs;
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
    let turn: Turn<Job> | undefined;
    let leastMs = Infinity;
    for (const [client, { kinds }] of this.#lines) {
      // The service's own come first.
      const takenMs = client === undefined ? -Infinity : this.#takenBy(client);
      if (takenMs >= leastMs) continue;
      for (const [kind, [job]] of kinds) {
        if (job === undefined || !isAllowed(kind)) continue;
        turn = { job, client };
        leastMs = takenMs;
        break;
      }
    }
    if (turn === undefined) return undefined;
    const { job, client } = turn;
    this.#endTurn(client, job.kind);
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
    const jobs = line?.kinds.get(job.kind);
    if (line === undefined || jobs?.delete(job) !== true) return;
    line.waitingMs -= job.expectedMs;
    if (jobs.size === 0) line.kinds.delete(job.kind);
    if (line.kinds.size === 0) this.#lines.delete(client);
  }

  /** The client's other kinds come before this one now. */
  #endTurn(client: JobClient, kind: JobKind): void {
    const kinds = this.#lines.get(client)?.kinds;
    const jobs = kinds?.get(kind);
    if (kinds === undefined || jobs === undefined) return;
    kinds.delete(kind);
    kinds.set(kind, jobs);
  }

  #count({ kind, expectedMs }: Job, sign: 1 | -1): void {
    this.#waitingMs += sign * expectedMs;
    this.#kindMs.set(kind, (this.#kindMs.get(kind) ?? 0) + sign * expectedMs);
  }
}
