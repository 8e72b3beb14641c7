/** Observations as CSV: every record a line, or every hour of a station; the newest also as points on a map (docs/http-api/files.md, "CSV"). */
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
import { seriesSelection } from './selection.js';

/** Around the records of the long layout: the line of column names. */
const ENVELOPE = { head: csvLine(fieldNames('observations')), tail: () => '' };

export const OBSERVATIONS_CSV: readonly Endpoint[] = [
  endpoint({
    path: '/api/v1/observations.csv',
    parameters: {
      ...observationsFilter,
      layout: optional(
        oneOf(['long', 'wide'], {
          description:
            '`long` (default): a line for each record, with the columns of the bulk CSV. `wide`: a line for each hour ' +
            'of a station that has a record, with a column for each parameter.',
          example: 'wide',
        }),
      ),
    },
    operation: {
      id: 'listObservationsAsCsv',
      tag: 'HVD data',
      summary: 'Observations as CSV',
      description:
        'The records of `/api/v1/observations` as CSV (RFC 4180): UTF-8, CRLF, a line of column names, empty cells for ' +
        'null, and a point in every decimal (`12.0`). In the long layout and without a filter these are the bytes of the bulk file. In the wide layout the ' +
        'columns are `station_id`, `station_name`, `time_start_utc`, `time_end_utc`, then each selected parameter that ' +
        'has a record, by `parameter_code`; a cell is empty for null and where there is no record. ' +
        '`X-Record-Count` counts the lines after the first.',
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
      const interval = hoursOfWindow(clipWindow(values, header.generatedAtMs));
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
      layout: optional(
        oneOf(['long', 'wide'], {
          description:
            '`long` (default): a line for each record, with the columns of the bulk CSV. `wide`: a line for each ' +
            'station that has a record, with its name and position and two columns for each parameter.',
          example: 'wide',
        }),
      ),
    },
    operation: {
      id: 'listLatestObservationsAsCsv',
      tag: 'HVD data',
      summary: 'The newest value of every series as CSV',
      description:
        'The records of `/api/v1/observations/latest`. In the long layout with the columns of the bulk CSV: a line of ' +
        'column names, then a line for each record; every decimal has a point (`12.0`). In the wide layout the columns are `station_id`, `station_name`, ' +
        '`municipality`, `latitude`, `longitude`, then for each parameter its value and the start of its hour, such as ' +
        '`NO2` and `NO2_time_utc`; both are empty where the station has none. `X-Record-Count` counts the lines after ' +
        'the first.',
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
      summary: 'The newest values of every station as GeoJSON',
      description:
        'A feature for each station that has one of the records of `/api/v1/observations/latest`, for maps: its name, ' +
        'and for each parameter the value and the start of its hour, such as `NO2` and `NO2_time_utc`. `units` has the ' +
        'unit of each parameter. `X-Record-Count` counts the features.',
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
