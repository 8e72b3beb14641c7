/** `/api/v1/events`: every swap, told to whoever listens. */
import { headerBlock } from '../semantics/header-block.js';
import { CROSS_ORIGIN, LINK, NO_STORE } from '../semantics/common-headers.js';
import { endpoint, type Endpoint } from '../routing/endpoint.js';
import { text } from '../routing/openapi/operation.js';

const HEADERS = headerBlock([
  ['Content-Type', 'text/event-stream'],
  NO_STORE,
  // nginx would wait for more before it sends anything on.
  ['X-Accel-Buffering', 'no'],
  ...CROSS_ORIGIN,
  LINK,
]);

export const EVENTS: Endpoint = endpoint({
  path: '/api/v1/events',
  parameters: {},
  caching: 'none',
  operation: {
    id: 'listenToEvents',
    tag: 'HVD data',
    summary: 'New snapshots, as they come',
    description:
      'Server-sent events, for `EventSource` of browsers and for any client that reads line by line. At once, unless ' +
      '`Last-Event-ID` names the snapshot that is served, and after every swap: `event: snapshot`, with the ' +
      '`snapshot_id` as `id`, and in `data` a JSON object with `snapshot_id`, `generated_at_utc`, `measurement_rows`, ' +
      '`previous_snapshot_id`, and how many rows were `added`, `changed` and `withdrawn` (null where there is no ' +
      'previous one). `/api/v1/changes?since=` has those rows. A comment every 15 seconds keeps the connection open.',
    content: [text('text/event-stream')],
    refusals: ['busy'],
  },
  resolve: (_values, { state }) => ({
    kind: 'answer',
    answer: { status: 200, headers: HEADERS, feed: state.events },
  }),
});
