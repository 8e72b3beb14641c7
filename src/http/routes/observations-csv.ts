/** Observations as CSV by record or by station and hour; the newest also as GeoJSON (docs/http-api/files.md, "CSV"). */
import type { SnapshotHeader } from '../../snapshot/domain/model.js';
import { csvLine } from '../../views/csv.js';
import { fieldNames } from '../../views/hvd/fields.js';
import { clipWindow, hoursOfWindow } from '../../views/hvd/window.js';
import { endpoint, type Endpoint } from '../routing/endpoint.js';
import { json, text } from '../openapi/operation.js';
import { oneOf, optional } from '../routing/parameters.js';
import { CSV_TYPE, LINK } from '../semantics/common-headers.js';
import type { HeaderField } from '../semantics/header-block.js';
import { observationsFilter, recordsAnswer } from './observations.js';
import { selectionOf } from '../../snapshot/domain/selection.js';
import { seriesSelection } from './selection-parameters.js';

/** The line of column names in the long layout. */
const ENVELOPE = { head: csvLine(fieldNames('observations')), tail: () => '' };

export const OBSERVATIONS_CSV: readonly Endpoint[] = [
  endpoint({
    path: '/api/v1/observations.csv',
    parameters: {
      ...observationsFilter,
      layout: optional(oneOf(['long', 'wide'], 'wide')),
    },
    operation: {
      id: 'listObservationsAsCsv',
      tag: 'HVD data',
      content: [text('text/csv')],
      headers: ['X-Record-Count', 'Content-Disposition'],
      refusals: ['busy'],
    },
    resolve: (values, context) => {
      const { header, state } = context;
      const fields = csvFields('observations', header);
      if (values.layout !== 'wide') {
        return recordsAnswer(values, context, { form: 'csv', fields, envelope: ENVELOPE });
      }
      const selection = selectionOf(values, state.served?.parameterCodes);
      const interval = hoursOfWindow(clipWindow(values, header.generatedAtMs), header);
      return {
        kind: 'rendered',
        job: { kind: 'plan-wide', task: { selection, interval } },
        fields,
      };
    },
  }),
  endpoint({
    path: '/api/v1/observations/latest.csv',
    parameters: {
      ...seriesSelection,
      layout: optional(oneOf(['long', 'wide'], 'wide')),
    },
    operation: {
      id: 'listLatestObservationsAsCsv',
      tag: 'HVD data',
      content: [text('text/csv')],
      headers: ['X-Record-Count', 'Content-Disposition'],
      refusals: ['busy'],
    },
    resolve: (values, { header, state }) => {
      const selection = selectionOf(values, state.served?.parameterCodes);
      const form = values.layout === 'wide' ? 'wide' : 'csv';
      const job = { kind: 'plan-latest', task: { selection, form } } as const;
      return { kind: 'rendered', job, fields: csvFields('latest', header) };
    },
  }),
  endpoint({
    path: '/api/v1/observations/latest.geojson',
    parameters: seriesSelection,
    operation: {
      id: 'listLatestObservationsAsGeoJson',
      tag: 'HVD data',
      content: json('LatestFeatures', 'application/geo+json'),
      headers: ['X-Record-Count', 'Content-Disposition'],
      refusals: ['busy'],
    },
    resolve: (values, { header, state }) => {
      const selection = selectionOf(values, state.served?.parameterCodes);
      return {
        kind: 'rendered',
        job: { kind: 'plan-latest', task: { selection, form: 'geojson' } },
        fields: [
          ['Content-Type', 'application/geo+json'],
          ['Content-Disposition', `inline; filename="latest-${header.snapshotId}.geojson"`],
          LINK,
        ],
      };
    },
  }),
];

function csvFields(
  name: 'observations' | 'latest',
  { snapshotId }: SnapshotHeader,
): readonly HeaderField[] {
  return [
    ['Content-Type', CSV_TYPE],
    ['Content-Disposition', `attachment; filename="${name}-${snapshotId}.csv"`],
    LINK,
  ];
}
