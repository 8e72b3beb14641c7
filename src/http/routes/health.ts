/** `/health/live` and `/health/ready` (spec, "Health"; contract §8). */
import type { Answer } from '../semantics/answer.js';
import { CROSS_ORIGIN, JSON_TYPE, NO_STORE } from '../semantics/common-headers.js';
import { headerBlock } from '../semantics/header-block.js';
import { jsonError, UNAVAILABLE_DETAIL } from '../semantics/error-answers.js';
import type { Service } from '../answers/front-state.js';

const HEADERS = headerBlock([JSON_TYPE, NO_STORE, ...CROSS_ORIGIN]);

const LIVE: Answer = {
  status: 200,
  headers: HEADERS,
  body: Buffer.from(JSON.stringify({ status: 'ok', check: 'live' })),
};

/** Always 200 while the process runs; no I/O. */
export function getLive(): Answer {
  return LIVE;
}

/**
 * 200 while data are served, else 503; with `deep` also 503 where a file of the bulk bundle is not what its index says.
 *
 * `store` and `store_detail` are beside the spec's members: what the store is like while a local copy serves.
 */
export function getReady(
  { deep }: { readonly deep: boolean },
  service: Readonly<Service>,
): Answer | Promise<Answer> {
  const store = storeMembers(service);
  const { served } = service;
  if (service.draining) return notReady('The service is shutting down.', store);
  if (served === undefined) {
    const { reason, detail } = service.unavailable;
    return notReady(UNAVAILABLE_DETAIL, { reason, reason_detail: detail, ...store });
  }
  const snapshot = { snapshot_id: served.snapshot.snapshotId };
  if (!deep) return ready({ ...snapshot, ...store });
  return served
    .verifyBundle()
    .then((verdict) =>
      verdict.ok
        ? ready({ ...snapshot, bulk_status: 'ok', ...store })
        : notReady(verdict.detail, { ...snapshot, bulk_status: 'error', ...store }),
    );
}

function ready(members: Readonly<Record<string, unknown>>): Answer {
  const body = JSON.stringify({ status: 'ok', check: 'ready', ...members });
  return { status: 200, headers: HEADERS, body: Buffer.from(body) };
}

function notReady(detail: string, more: Readonly<Record<string, unknown>>): Answer {
  return jsonError(503, { status: 'error', check: 'ready', detail, ...more }, [
    ['Retry-After', '5'],
  ]);
}

function storeMembers({ store }: Readonly<Service>): Readonly<Record<string, unknown>> {
  if (store === undefined) return {};
  if (store.reachable) return { store: 'ok' };
  return { store: 'unreachable', store_detail: store.detail };
}
