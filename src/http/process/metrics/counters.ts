/** Counters of one front process since its start: answers, and whatever a limit has refused or ended. */
import type { Status } from '../../semantics/answer.js';

/** What a front counts, each with the metric that shows the sum of all fronts; a new counter is a new line. */
export const COUNTED = {
  notModified: { metric: 'bura_answers_not_modified_total', help: 'Answers with 304' },
  bodyBytes: { metric: 'bura_answer_body_bytes_total', help: 'Bytes of answer bodies' },
  busyRejections: {
    metric: 'bura_busy_rejections_total',
    help: 'Answers with 503 for overload',
  },
  jobsStarted: { metric: 'bura_jobs_started_total', help: 'Jobs that worker threads were given' },
  jobsAbandoned: {
    metric: 'bura_jobs_abandoned_total',
    help: 'Jobs that were not run, since all their clients had gone or waited too long',
  },
  jobsRefused: {
    metric: 'bura_jobs_refused_total',
    help: 'Jobs that were refused, since enough work waited in all, of their kind or for their client',
  },
  supervisorSilences: {
    metric: 'bura_supervisor_silences_total',
    help: 'Times that a front has heard nothing of its supervisor for 5 seconds',
  },
  largeRejections: {
    metric: 'bura_large_answers_refused_total',
    help: 'Large answers refused with 503: too many on their way, in all or to one client',
  },
  connectionsRefused: {
    metric: 'bura_connections_refused_total',
    help: 'Connections closed at once: too many are open, in all or of one client',
  },
  slowReaders: {
    metric: 'bura_slow_readers_closed_total',
    help: 'Large answers that were cut off because their client was too slow',
  },
  revokedReaders: {
    metric: 'bura_revoked_readers_closed_total',
    help: 'Large answers that were cut off because their snapshot was taken back',
  },
} as const satisfies Readonly<Record<string, { readonly metric: string; readonly help: string }>>;

export type Counted = keyof typeof COUNTED;

export const COUNTED_NAMES = Object.keys(COUNTED) as readonly Counted[];

/** A number for each of them. */
export type Counts = Readonly<Record<Counted, number>>;

/** Counters of a front since its start; they only ever grow, except `leases`. */
export interface FrontCounters {
  /** Answers by the first digit of their status: `{"2": 17, "4": 1}`. */
  readonly answersByClass: Readonly<Record<string, number>>;
  readonly counts: Counts;
  /** Leases on any snapshot right now. */
  readonly leases: number;
}

export function countsOf(countOf: (name: Counted) => number): Counts {
  return Object.fromEntries(COUNTED_NAMES.map((name) => [name, countOf(name)])) as Counts;
}

export class Counters {
  readonly #byClass = [0, 0, 0, 0, 0, 0];
  readonly #counts: Record<Counted, number> = countsOf(() => 0);
  /** Answers whose last byte is not out yet. */
  inFlight = 0;

  /** Answers begun so far. */
  total = 0;

  count(name: Counted, by = 1): void {
    this.#counts[name] += by;
  }

  answered(status: Status, bodyBytes: number): void {
    this.total += 1;
    const first = Math.floor(status / 100);
    this.#byClass[first] = (this.#byClass[first] ?? 0) + 1;
    if (status === 304) this.count('notModified');
    this.count('bodyBytes', bodyBytes);
  }

  /** @param leases on any snapshot right now. */
  read(leases: number): FrontCounters {
    const answersByClass = Object.fromEntries(
      this.#byClass.flatMap((count, first) => (first === 0 ? [] : [[String(first), count]])),
    );
    return { answersByClass, counts: { ...this.#counts }, leases };
  }
}
