/** `/health/live` and `/health/ready` (docs/http-api/answers.md, "Health"). */
import type { Answer } from '../semantics/answer.js';
import { uncachedJson, UNAVAILABLE_DETAIL } from '../semantics/error-answers.js';
import type { FrontState } from '../answers/front-state.js';
import { reference } from '../../views/openapi/json-schema.js';
import { endpoint, type Endpoint } from '../routing/endpoint.js';
import { json } from '../openapi/operation.js';
import { flag } from '../routing/parameters.js';

/** The text for clients; addresses, paths and reasons are in the log only. */
const STORE_UNREACHABLE = 'The snapshot store cannot be reached.';

const LIVE = uncachedJson(200, { status: 'ok', check: 'live' });

export const HEALTH: readonly Endpoint[] = [
  endpoint({
    path: '/health/live',
    caching: 'none',
    operation: {
      id: 'getLiveness',
      tag: 'Service',
      content: json('Live'),
    },
    resolve: () => ({ kind: 'answer', answer: LIVE }),
  }),
  endpoint({
    path: '/health/ready',
    parameters: {
      deep: flag(false),
    },
    caching: 'none',
    operation: {
      id: 'getReadiness',
      tag: 'Service',
      content: json('Ready'),
      otherAnswers: {
        503: {
          description: 'No, for the reason given, or too busy to look.',
          headers: ['Retry-After'],
          schema: { anyOf: [reference('NotReady'), reference('Error')] },
        },
      },
    },
    resolve: ({ deep }, { state }) => ({ kind: 'answer', answer: getReady(deep, state) }),
  }),
];

/** 503 without a snapshot, during shutdown, and with `deep` if a bulk file differs from its index; else 200. */
function getReady(deep: boolean, state: Readonly<FrontState>): Answer | Promise<Answer> {
  const store = storeMembers(state);
  const { served } = state;
  if (state.isDraining) return notReady('The service is shutting down.', store);
  if (served === undefined) {
    const { reason, detail } = state.unavailable;
    return notReady(UNAVAILABLE_DETAIL, { reason, reason_detail: detail, ...store });
  }
  const snapshot = { snapshot_id: served.snapshot.snapshotId };
  if (!deep) return ready({ ...snapshot, ...store });
  return served.bundle
    .verdict()
    .then((verdict) =>
      verdict.ok
        ? ready({ ...snapshot, bulk_status: 'ok', ...store })
        : notReady(verdict.detail, { ...snapshot, bulk_status: 'error', ...store }),
    );
}

function ready(members: Readonly<Record<string, unknown>>): Answer {
  return uncachedJson(200, { status: 'ok', check: 'ready', ...members });
}

function notReady(detail: string, more: Readonly<Record<string, unknown>>): Answer {
  return uncachedJson(503, { status: 'error', check: 'ready', detail, ...more }, [
    ['Retry-After', '5'],
  ]);
}

function storeMembers({ store }: Readonly<FrontState>): Readonly<Record<string, unknown>> {
  if (store === undefined) return {};
  if (store.reachable) return { store: 'ok' };
  return { store: 'unreachable', store_detail: STORE_UNREACHABLE };
}
