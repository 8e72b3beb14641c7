/** Counters of one front process since its start: answers by route, jobs by kind, and whatever a limit has refused or ended. */
import type { JobKind } from '../../workers/messages.js';
import { STATUSES, type Answer } from '../semantics/answer.js';
import { CONTENT_CODINGS, type ContentCoding } from '../semantics/header-block.js';
import type { BodyEnd } from '../wire/body-sender.js';

import {
  ANSWER_BUCKETS,
  DELAY_BUCKETS,
  Distribution,
  JOB_BUCKETS,
  type DistributionCells,
} from '../../ipc/distribution.js';

/** What a front counts, each with the metric that shows the sum of all fronts; a new counter is a new line. */
export const COUNTED = {
  busyRejections: {
    name: 'bura_busy_rejections_total',
    help: 'Answers with 503 for overload',
  },
  clientsGone: {
    name: 'bura_clients_gone_total',
    help: 'Requests whose client closed the connection before the last byte of the answer',
  },
  jobsStarted: { name: 'bura_jobs_started_total', help: 'Jobs that worker threads were given' },
  jobsAbandoned: {
    name: 'bura_jobs_abandoned_total',
    help: 'Jobs that were not run, since all their clients had gone or waited too long',
  },
  jobsRefused: {
    name: 'bura_jobs_refused_total',
    help: 'Jobs that were refused, since enough work waited in all, of their kind or for their client',
  },
  supervisorSilences: {
    name: 'bura_supervisor_silences_total',
    help: 'Times that a front has heard nothing of its supervisor for 5 seconds',
  },
  largeRejections: {
    name: 'bura_large_answers_refused_total',
    help: 'Large answers refused with 503: too many on their way, in all or to one client',
  },
  connectionsRefused: {
    name: 'bura_connections_refused_total',
    help: 'Connections closed at once: too many are open, in all or of one client',
  },
  slowReaders: {
    name: 'bura_slow_readers_closed_total',
    help: 'Large answers that were cut off because their client was too slow',
  },
  revokedReaders: {
    name: 'bura_revoked_readers_closed_total',
    help: 'Large answers that were cut off because their snapshot was taken back',
  },
  unreadableAnswers: {
    name: 'bura_unreadable_answers_closed_total',
    help: 'Large answers that were cut off because the local copy could not be read on',
  },
  logLinesDropped: {
    name: 'bura_log_lines_dropped_total',
    help: 'Log lines that were dropped, since stdout took none; only with ACCESS_LOG',
  },
} as const satisfies Readonly<Record<string, { readonly name: string; readonly help: string }>>;

export type Counted = keyof typeof COUNTED;

export const COUNTED_NAMES = Object.keys(COUNTED) as readonly Counted[];

/** What a front holds at the moment it is asked, each with the metric that shows the sum of all fronts. */
export const HELD = {
  connections: { name: 'bura_connections', help: 'Open connections of clients' },
  largeAnswers: {
    name: 'bura_large_answers',
    help: 'Large answers (above 64 KiB) on their way to clients',
  },
  eventListeners: { name: 'bura_event_listeners', help: 'Clients that listen to events' },
  waitingSeconds: {
    name: 'bura_job_queue_work_seconds',
    help: 'Work that waits for worker threads, by what jobs of its kinds have taken lately',
  },
  leases: { name: 'bura_leases', help: 'Open leases on snapshots' },
} as const satisfies Readonly<Record<string, { readonly name: string; readonly help: string }>>;

export const HELD_NAMES = Object.keys(HELD) as readonly (keyof typeof HELD)[];

export type Held = Readonly<Record<keyof typeof HELD, number>>;

export type Counts = Readonly<Record<Counted, number>>;

interface RouteCounters {
  /** Answers by status, in the order of `STATUSES`. */
  readonly answers: readonly number[];
  /** Of those whose last byte was handed over: from the arrival of the request until then. */
  readonly durations: DistributionCells;
}

export interface JobCounters {
  /** From the request for a job until a thread is given it. */
  readonly queued: DistributionCells;
  /** From then until its result is there. */
  readonly ran: DistributionCells;
}

/** Counters of a front since its start, as plain data; they only ever grow, except those in `held`. */
export interface FrontCounters {
  readonly counts: Counts;
  readonly held: Held;
  /** By path of the endpoint as it is declared, or `other`; those that were never requested are absent. */
  readonly routes: Readonly<Record<string, RouteCounters>>;
  readonly bodyBytes: Readonly<Record<ContentCoding, number>>;
  /** By kind; those that never ran are absent. */
  readonly jobs: Readonly<Record<string, JobCounters>>;
  /** The longest delay of the event loop in each second. */
  readonly loopDelays: DistributionCells;
}

/** What all requests are counted under that are for no endpoint: one label, whatever a client asks for. */
const OTHER_ROUTE = 'other';

/** Where a status stands in `STATUSES`; an array, because a map costs three times as much. */
const PLACE_OF_STATUS = new Uint8Array(600);
for (const [place, status] of STATUSES.entries()) PLACE_OF_STATUS[status] = place;

interface RouteTally {
  readonly answers: number[];
  readonly durations: Distribution;
}

export class Counters {
  readonly #counts = record(COUNTED_NAMES, () => 0);
  readonly #bodyBytes = record(CONTENT_CODINGS, () => 0);
  readonly #paths: readonly string[];
  readonly #routes: readonly RouteTally[];
  readonly #jobs = new Map<JobKind, Record<'queued' | 'ran', Distribution>>();
  readonly #loopDelays = new Distribution(DELAY_BUCKETS);
  /** Answers whose last byte is not out yet. */
  inFlight = 0;

  /** Answers begun so far. */
  total = 0;

  /** @param paths of the endpoints; a request is counted under its place in this list, and any other under `other`. */
  constructor(paths: readonly string[]) {
    this.#paths = [...paths, OTHER_ROUTE];
    this.#routes = this.#paths.map(() => ({
      answers: STATUSES.map(() => 0),
      durations: new Distribution(ANSWER_BUCKETS),
    }));
  }

  get counts(): Counts {
    return this.#counts;
  }

  count(name: Counted): void {
    this.#counts[name] += 1;
  }

  /** An answer has begun, of so many bytes. */
  answered(route: number, { status, headers }: Answer, bodyBytes: number): void {
    this.total += 1;
    const { answers } = this.#tallyOf(route);
    const at = PLACE_OF_STATUS[status] ?? 0;
    answers[at] = (answers[at] ?? 0) + 1;
    if (bodyBytes > 0) this.#bodyBytes[headers.coding] += bodyBytes;
  }

  /** The last byte of an answer was handed over to the library. */
  finished({ route, arrivedAt }: { readonly route: number; readonly arrivedAt: number }): void {
    this.#tallyOf(route).durations.observe((performance.now() - arrivedAt) / 1000);
  }

  /** An answer has ended without its last byte, or before its first. */
  cut(end: Exclude<BodyEnd, 'sent'>): void {
    this.count(CUT[end]);
  }

  job(what: keyof JobCounters, kind: JobKind, milliseconds: number): void {
    const times = this.#jobs.get(kind) ?? {
      queued: new Distribution(JOB_BUCKETS),
      ran: new Distribution(JOB_BUCKETS),
    };
    this.#jobs.set(kind, times);
    times[what].observe(milliseconds / 1000);
  }

  loopDelayed(seconds: number): void {
    this.#loopDelays.observe(seconds);
  }

  read(held: Held): FrontCounters {
    const routes = this.#paths.flatMap((path, index): readonly [string, RouteCounters][] => {
      const { answers, durations } = this.#tallyOf(index);
      const isUsed = answers.some((count) => count > 0);
      return isUsed ? [[path, { answers: [...answers], durations: durations.cells }]] : [];
    });
    const jobs = [...this.#jobs].map(([kind, { queued, ran }]) => [
      kind,
      { queued: queued.cells, ran: ran.cells },
    ]);
    return {
      counts: { ...this.#counts },
      held,
      routes: Object.fromEntries(routes),
      bodyBytes: { ...this.#bodyBytes },
      jobs: Object.fromEntries(jobs) as FrontCounters['jobs'],
      loopDelays: this.#loopDelays.cells,
    };
  }

  #tallyOf(route: number): RouteTally {
    return this.#routes[route] ?? (this.#routes.at(-1) as RouteTally);
  }
}

const CUT = {
  client_gone: 'clientsGone',
  too_slow: 'slowReaders',
  unreadable: 'unreadableAnswers',
  revoked: 'revokedReaders',
} as const satisfies Record<Exclude<BodyEnd, 'sent'>, Counted>;

/** A value for each of these names. */
export function record<Name extends string, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, Value>;
}
