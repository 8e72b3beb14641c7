/** Observations as CSV by record or by station and hour; the newest also as GeoJSON (docs/http-api/files.md, "CSV"). */
import { csvLine } from '../../views/csv.js';
import { fieldNames } from '../../views/hvd/fields.js';
import { clipWindow, hoursOfWindow } from '../../views/hvd/window.js';
import { endpoint, type Endpoint } from '../routing/endpoint.js';
import { json, records, text } from '../openapi/operation.js';
import { oneOf, optional } from '../routing/parameters.js';
import { CSV_TYPE, fileFields } from '../semantics/common-headers.js';
import { observationsFilter, recordsAnswer } from './observations.js';
import { selectionOf } from '../../snapshot/domain/selection.js';
import { seriesSelection } from './selection-parameters.js';

/** The line of column names in the long layout. */
export const ENVELOPE = { head: csvLine(fieldNames('observations')), tail: () => '' };

const layout = optional(oneOf(['long', 'wide'], 'wide'));

export const OBSERVATIONS_CSV: readonly Endpoint[] = [
  endpoint({
    path: '/api/v1/observations.csv',
    parameters: { ...observationsFilter, layout },
    operation: records('listObservationsAsCsv', [text('text/csv')], ['Content-Disposition']),
    resolve: (values, context) => {
      const { header, state } = context;
      const fields = fileFields(CSV_TYPE, `observations-${header.snapshotId}.csv`);
      if (values.layout !== 'wide') {
        return recordsAnswer(values, context, { form: 'csv', fields, envelope: ENVELOPE });
      }
      const selection = selectionOf(values, state.served?.parameterCodes);
      const interval = hoursOfWindow(clipWindow(values, header.generatedAtMs), header);
      return {
        kind: 'rendered',
        job: { kind: 'plan-table', task: { selection, interval, form: 'wide' } },
        fields,
      };
    },
  }),
  endpoint({
    path: '/api/v1/observations/latest.csv',
    parameters: { ...seriesSelection, layout },
    operation: records('listLatestObservationsAsCsv', [text('text/csv')], ['Content-Disposition']),
    resolve: (values, { header, state }) => {
      const selection = selectionOf(values, state.served?.parameterCodes);
      const form = values.layout === 'wide' ? 'wide' : 'csv';
      const job = { kind: 'plan-latest', task: { selection, form } } as const;
      const fields = fileFields(CSV_TYPE, `latest-${header.snapshotId}.csv`);
      return { kind: 'rendered', job, fields };
    },
  }),
  endpoint({
    path: '/api/v1/observations/latest.geojson',
    parameters: seriesSelection,
    operation: records(
      'listLatestObservationsAsGeoJson',
      json('LatestFeatures', 'application/geo+json'),
      ['Content-Disposition'],
    ),
    resolve: (values, { header, state }) => {
      const selection = selectionOf(values, state.served?.parameterCodes);
      return {
        kind: 'rendered',
        job: { kind: 'plan-latest', task: { selection, form: 'geojson' } },
        fields: fileFields('application/geo+json', `latest-${header.snapshotId}.geojson`, 'inline'),
      };
    },
  }),
];
