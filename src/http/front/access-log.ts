/** Writes a log line for each request, or for a sample (`docs/operations/monitoring.md, "Access lines"`). */
import type { AccessEntry } from '../wire/send.js';
import type { LoggedRequest } from '../wire/server.js';
import type { Log } from '../../log/log.js';

export interface AccessLogOptions {
  /** Share of the requests that are logged, 0 to 1. */
  readonly rate: number;
  readonly withAddress: boolean;
  readonly log: Log;
  readonly snapshotId: () => string | undefined;
}

/** A function that begins the log line of a request, written when its answer ends; undefined if the log is off. */
export function createAccessLog({
  rate,
  withAddress,
  log,
  snapshotId,
}: AccessLogOptions): ((request: LoggedRequest) => AccessEntry | undefined) | undefined {
  if (rate === 0) return undefined;
  return (request) => {
    if (rate < 1 && Math.random() >= rate) return undefined;
    const arrivedAt = performance.now();
    const { method, path, query, userAgent } = request;
    // Read now: later the request object is gone, and another snapshot may be active.
    const fields = {
      ...(withAddress ? { client: request.client } : {}),
      method,
      target: query === '' ? path : `${path}?${query}`,
      user_agent: userAgent,
      snapshot_id: snapshotId(),
    };
    return {
      end: (end, answer, bodyBytes) => {
        const durationMs = Math.round((performance.now() - arrivedAt) * 1000) / 1000;
        log.info(
          {
            ...fields,
            status: answer?.status,
            bytes: bodyBytes,
            coding: answer?.headers.coding,
            duration_ms: durationMs,
            end,
          },
          'request',
        );
      },
    };
  };
}
