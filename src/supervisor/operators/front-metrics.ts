/** The sums of what fronts count as metrics: counted in plain numbers, and given their labels at a scrape alone. */
import { STATUSES } from '../../http/semantics/answer.js';
import { CONTENT_CODINGS } from '../../http/semantics/header-block.js';
import { COUNTED, COUNTED_NAMES, HELD, HELD_NAMES } from '../../http/front/counters.js';
import { ANSWER_BUCKETS, JOB_BUCKETS } from '../../ipc/distribution.js';
import type { FrontTotals } from './totals.js';
import { histogram, metric, type MetricValues } from './metric-values.js';

const REQUESTS = {
  type: 'counter',
  name: 'bura_http_requests_total',
  help: 'Answers begun, by route and status',
} as const;

const BODY_BYTES = {
  type: 'counter',
  name: 'bura_http_response_body_bytes_total',
  help: 'Bytes of the bodies of answers begun, by content coding',
} as const;

/** @param total of all fronts, those that are gone included. */
export function frontMetrics(total: FrontTotals): readonly MetricValues[] {
  const routes = Object.entries(total.routes);
  const jobs = Object.entries(total.jobs);
  const requests = routes.flatMap(([route, { answers }]) =>
    STATUSES.map((status, at) => ({
      value: answers[at] ?? 0,
      labels: { route, status: String(status) },
    })),
  );
  const bodyBytes = CONTENT_CODINGS.map((coding) => ({
    value: total.bodyBytes[coding],
    labels: { coding },
  }));
  return [
    metric(REQUESTS, requests),
    metric(BODY_BYTES, bodyBytes),
    histogram({
      name: 'bura_http_request_duration_seconds',
      help: 'From the arrival of a request until the last byte of its answer is handed over, by route',
      buckets: ANSWER_BUCKETS,
      rows: routes.map(([route, { durations }]) => ({ labels: { route }, cells: durations })),
    }),
    histogram({
      name: 'bura_job_queue_seconds',
      help: 'Time that jobs waited for a worker thread, by kind',
      buckets: JOB_BUCKETS,
      rows: jobs.map(([kind, { queued }]) => ({ labels: { kind }, cells: queued })),
    }),
    histogram({
      name: 'bura_job_run_seconds',
      help: 'Time that jobs took of a worker thread, by kind',
      buckets: JOB_BUCKETS,
      rows: jobs.map(([kind, { ran }]) => ({ labels: { kind }, cells: ran })),
    }),
    ...COUNTED_NAMES.map((name) =>
      metric({ type: 'counter', ...COUNTED[name] }, [{ value: total.counts[name], labels: {} }]),
    ),
    ...HELD_NAMES.map((name) =>
      metric({ type: 'gauge', ...HELD[name] }, [{ value: total.held[name], labels: {} }]),
    ),
  ];
}
