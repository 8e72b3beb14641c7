/** Changes between two snapshots, the list of snapshots, and an event for every swap. */
import { stationSelectionOf } from '../../snapshot/domain/selection.js';
import { SnapshotError } from '../../snapshot/domain/snapshot-error.js';
import type { SnapshotHeader } from '../../snapshot/domain/model.js';
import type { ListedSnapshot } from '../../views/history/snapshots.js';
import type { FrontHistory } from '../answers/front-history.js';
import { endpoint, refuse, type Endpoint } from '../routing/endpoint.js';
import { json, text } from '../openapi/operation.js';
import { snapshotId as snapshotIdParameter } from '../routing/parameters.js';
import { seriesSelection } from './selection-parameters.js';
import { CROSS_ORIGIN, fileFields, JSON_TYPE, LINK } from '../semantics/common-headers.js';
import { headerBlock } from '../semantics/header-block.js';

const EVENTS_HEADERS = headerBlock([
  ['Content-Type', 'text/event-stream'],
  // Keeps proxies from compressing, which would buffer events.
  ['Cache-Control', 'no-store, no-transform'],
  // Keeps nginx from buffering events.
  ['X-Accel-Buffering', 'no'],
  ...CROSS_ORIGIN,
  LINK,
]);

export const HISTORY: readonly Endpoint[] = [
  endpoint({
    path: '/api/v1/snapshots',
    dependsOn: ['history'],
    operation: {
      id: 'listSnapshots',
      tag: 'HVD changes',
      content: json('Snapshots'),
      headers: ['X-Record-Count'],
      refusals: ['busy'],
    },
    resolve: (_values, { state: { history }, header }) => ({
      kind: 'rendered',
      job: { kind: 'render-history', task: { snapshots: listedSnapshots(history, header) } },
      key: `list ${history.digest}`,
      fields: [JSON_TYPE, LINK],
      variant: history.digest,
    }),
  }),
  endpoint({
    path: '/api/v1/changes',
    dependsOn: ['history'],
    parameters: {
      since: snapshotIdParameter('20260209T000000Z-5fc6f90a3e85'),
      ...seriesSelection,
    },
    operation: {
      id: 'listChanges',
      tag: 'HVD changes',
      content: json('ChangeLines', 'application/x-ndjson'),
      headers: ['X-Record-Count', 'Content-Disposition'],
      refusals: ['bad_request', 'changes_gone', 'busy'],
    },
    resolve: ({ since, ...values }, { state: { history }, header }) => {
      if (since === undefined) return refuse('bad_request');
      const { snapshotId, generatedAtMs } = header;
      const { folder } = history.current;
      const [before, current] = [history.entry(since), history.entry(snapshotId)];
      if (before === undefined || current === undefined) return refuse('changes_gone');
      const selection = stationSelectionOf(values);
      const parameterCodes = values.parameter_code;
      const task = { folder, since: before, current, generatedAtMs, selection, parameterCodes };
      return {
        kind: 'rendered',
        job: { kind: 'plan-changes', task },
        key: JSON.stringify([before.documentSha256, selection, parameterCodes]),
        fields: fileFields('application/x-ndjson', `changes-${snapshotId}.ndjson`, 'inline'),
        // The supervisor removes damaged snapshots from the list, so that later clients get 410.
        onFailure: (error) => {
          const isDamaged = error instanceof SnapshotError && error.code === 'history_damaged';
          if (isDamaged) history.onDamaged([before.snapshotId, current.snapshotId]);
        },
      };
    },
  }),
  endpoint({
    path: '/api/v1/events',
    caching: 'none',
    operation: {
      id: 'listenToEvents',
      tag: 'HVD data',
      content: [text('text/event-stream')],
      refusals: ['busy'],
    },
    resolve: (_values, { state }) => ({
      kind: 'answer',
      answer: { status: 200, headers: EVENTS_HEADERS, feed: state.events },
    }),
  }),
];

/** Snapshots that `since` may name; only the active one if its own rows are not stored. */
function listedSnapshots(
  history: FrontHistory,
  { snapshotId, generatedAtMs, counts }: SnapshotHeader,
): readonly ListedSnapshot[] {
  const { snapshots, activatedAtMs } = history.current;
  if (history.entry(snapshotId) === undefined) {
    const measurementRows = counts.measurement_rows;
    return [{ snapshotId, generatedAtMs, activatedAtMs, measurementRows, active: true }];
  }
  return snapshots.map((entry) => ({ ...entry, active: entry.snapshotId === snapshotId }));
}
