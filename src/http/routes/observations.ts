/** Observations of the high-value dataset: as a list, as NDJSON, and the newest of every series. */
import type { SnapshotHeader } from '../../snapshot/domain/model.js';
import type { TextForm } from '../../snapshot/local/observations/record-layout.js';
import type { RecordsQuery } from '../../snapshot/local/observations/records-plan.js';
import { selectionOf } from '../../snapshot/domain/selection.js';
import { clipWindow, hoursOfWindow, listEnvelope, streamEnvelope } from '../../views/hvd/window.js';
import type { JobAnswer } from '../answers/rendered-answers.js';
import { fileFields, JSON_TYPE, LINK } from '../semantics/common-headers.js';
import { endpoint, type RequestContext, type Endpoint, type Source } from '../routing/endpoint.js';
import { json, records } from '../openapi/operation.js';
import type { Values } from '../routing/parameter.js';
import { flag, optional, optionalDateTime } from '../routing/parameters.js';
import { seriesSelection } from './selection-parameters.js';

export const observationsFilter = {
  from: optionalDateTime('invalid_from', '2026-02-08T22:00:00Z'),
  to: optionalDateTime('invalid_to', '2026-02-09T00:00:00Z'),
  ...seriesSelection,
};

export const OBSERVATIONS: readonly Endpoint[] = [
  endpoint({
    path: '/api/v1/observations',
    parameters: observationsFilter,
    operation: records('listObservations', json('Observations')),
    resolve: (values, context) =>
      recordsAnswer(values, context, {
        form: 'json',
        fields: [JSON_TYPE, LINK],
        envelope: listEnvelope(context.header, values),
      }),
  }),
  endpoint({
    path: '/api/v1/observations/stream',
    parameters: observationsFilter,
    operation: records('streamObservations', json('ObservationLines', 'application/x-ndjson'), [
      'Content-Disposition',
    ]),
    resolve(values, context) {
      const { header } = context;
      return recordsAnswer(values, context, {
        form: 'ndjson',
        fields: fileFields(
          'application/x-ndjson',
          `observations-${header.snapshotId}.ndjson`,
          'inline',
        ),
        envelope: streamEnvelope(header, values),
      });
    },
  }),
  endpoint({
    path: '/api/v1/observations/latest',
    parameters: { ...seriesSelection, nearest: optional(flag(false)) },
    operation: records('listLatestObservations', json('Observations')),
    resolve({ nearest, ...values }, { state }) {
      const selection = selectionOf(values, state.served?.parameterCodes);
      if (nearest && selection.circle === undefined) {
        const found = '`lat` is missing beside `nearest`.';
        return { kind: 'error', code: 'invalid_position', found };
      }
      const task = { selection, form: 'json', ...(nearest && { isNearest: true }) } as const;
      return { kind: 'rendered', job: { kind: 'plan-latest', task }, fields: [JSON_TYPE, LINK] };
    },
  }),
];

/** Product of hours and stations above which a request is a long job. */
const MANY = 5000;

/** Number of stations assumed for a selection without ids. */
const STATIONS_OF_A_NETWORK = 100;

/** The records of a selection and a window, which is rounded to whole hours, so that clients share results of jobs. */
export function recordsAnswer(
  values: Values<typeof observationsFilter>,
  { header, state }: Pick<RequestContext, 'state'> & { readonly header: SnapshotHeader },
  { form, ...text }: Pick<JobAnswer, 'fields' | 'envelope'> & { readonly form: TextForm },
): Extract<Source, { kind: 'rendered' }> {
  const selection = selectionOf(values, state.served?.parameterCodes);
  const interval = hoursOfWindow(clipWindow(values, header.generatedAtMs), header);
  return { kind: 'rendered', job: recordsJob({ form, selection, interval }), ...text };
}

/** The job for records, with its members in one order: requests with an equal text share a job. */
export function recordsJob({
  form,
  selection,
  interval,
}: Omit<RecordsQuery, 'gzip'>): JobAnswer['job'] {
  const stations = selection.stationIds?.length ?? STATIONS_OF_A_NETWORK;
  const isMany = stations * (interval.to - interval.from) > MANY;
  return {
    kind: isMany ? 'plan-many-observations' : 'plan-observations',
    task: { form, selection, interval },
  };
}
