/** Counters of a front: the table of cells that front and supervisor share. */
import { JOBS } from '../workers/messages.js';
import { counter, CounterTable, gauge, histogram, type Metric } from './counter-table.js';

/** Upper bounds in seconds: a prepared answer takes 30 µs, a page 15 ms, a full stream up to minutes. */
export const ANSWER_BUCKETS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60,
];

/** Upper bounds in seconds for times of jobs in queue and thread; a client waits at most 15. */
const JOB_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

/** Kinds of jobs in fronts; imports have other kinds. */
export const JOB_KINDS: readonly string[] = Object.keys(JOBS);

const EVENTS = {
  busyRejections: counter('bura_busy_rejections_total', 'Answers with 503 for overload'),
  clientsGone: counter(
    'bura_clients_gone_total',
    'Requests whose client closed the connection before the last byte of the answer',
  ),
  jobsStarted: counter('bura_jobs_started_total', 'Jobs that worker threads have begun'),
  jobsAbandoned: counter(
    'bura_jobs_abandoned_total',
    'Jobs that were dropped, since all their clients had gone or waited too long',
  ),
  jobsRefused: counter(
    'bura_jobs_refused_total',
    'Jobs that were refused, since too much work of their class or client was waiting',
  ),
  supervisorSilences: counter(
    'bura_supervisor_silences_total',
    'Times that a front had no message of its supervisor for 5 seconds',
  ),
  largeRejections: counter(
    'bura_large_answers_refused_total',
    'Large answers refused with 503: too many at a time, in all or for one client',
  ),
  connectionsRefused: counter(
    'bura_connections_refused_total',
    'Connections closed at once: too many are open, in all or of one client',
  ),
  slowReaders: counter(
    'bura_slow_readers_closed_total',
    'Large answers that were cut off because their client was too slow',
  ),
  revokedReaders: counter(
    'bura_revoked_readers_closed_total',
    'Large answers that were cut off because their snapshot was too old',
  ),
  unreadableAnswers: counter(
    'bura_unreadable_answers_closed_total',
    'Large answers that were cut off because the local copy was unreadable',
  ),
  logLinesDropped: counter(
    'bura_log_lines_dropped_total',
    'Log lines that were dropped, since stdout was blocked; only with ACCESS_LOG',
  ),
};

export type CountedEvent = keyof typeof EVENTS;

/** Gauges of a front, read at a scrape. */
const HELD = {
  connections: gauge('bura_connections', 'Open connections of clients'),
  largeAnswers: gauge('bura_large_answers', 'Large answers (above 64 KiB) that are being sent'),
  eventListeners: gauge('bura_event_listeners', 'Clients that listen to events'),
  waitingSeconds: gauge(
    'bura_job_queue_work_seconds',
    'Work that waits for worker threads, by recent times of each kind of job',
  ),
  leases: gauge('bura_leases', 'Open leases on snapshots'),
};

export type Held = Readonly<Record<keyof typeof HELD, number>>;

export interface FrontLabels {
  /** Declared paths, and one label for other requests. */
  readonly routes: readonly string[];
  readonly statuses: readonly string[];
  readonly codings: readonly string[];
}

export function frontCounters({ routes, statuses, codings }: FrontLabels) {
  return new CounterTable({
    requests: {
      ...counter('bura_http_requests_total', 'Answers begun, by route and status'),
      labels: { route: routes, status: statuses },
      isSparse: true,
    },
    bodyBytes: {
      ...counter(
        'bura_http_response_body_bytes_total',
        'Bytes of the bodies of answers begun, by content coding',
      ),
      labels: { coding: codings },
    },
    durations: {
      ...histogram(
        'bura_http_request_duration_seconds',
        'From the arrival of a request until the last byte of its answer, by route',
        ANSWER_BUCKETS,
      ),
      labels: { route: routes },
      isSparse: true,
    },
    queued: jobTimes(
      'bura_job_queue_seconds',
      'Time that jobs waited for a worker thread, by kind',
    ),
    ran: jobTimes('bura_job_run_seconds', 'Time of jobs in a worker thread, by kind'),
    ...EVENTS,
    ...HELD,
  });
}

export const LOOP_DELAY = histogram(
  'bura_event_loop_delay_seconds',
  'The longest delay of the event loop in each second, by process',
  [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
);

function jobTimes(name: string, help: string): Metric {
  return { ...histogram(name, help, JOB_BUCKETS), labels: { kind: JOB_KINDS }, isSparse: true };
}
