/** Observations as CSV: every record a line, or every hour of a station (docs/http-api/files.md, "CSV"). */
import type { SnapshotHeader } from '../../snapshot/domain/model.js';
import { csvLine } from '../../views/csv.js';
import { fieldNames } from '../../views/hvd/fields.js';
import { clipWindow, hoursOfWindow } from '../../views/hvd/window.js';
import { endpoint, type Endpoint } from '../routing/endpoint.js';
import { text } from '../routing/openapi/operation.js';
import { oneOf, optional } from '../routing/parameters.js';
import { LINK } from '../semantics/common-headers.js';
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
        'null. In the long layout and without a filter these are the bytes of the bulk file. In the wide layout the ' +
        'columns are `station_id`, `station_name`, `time_start_utc`, `time_end_utc`, then each selected parameter that ' +
        'has a record, by `parameter_code`; a cell is empty for null and where there is no record. ' +
        '`X-Record-Count` counts the lines after the first.',
      content: [{ ...text('text/csv'), example: true }],
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
        kind: 'made',
        fields,
        key: () => `wide ${JSON.stringify([selection, interval.from, interval.to])}`,
        run: (pool, task) => pool.run('plan-wide', { ...task, selection, interval }),
      };
    },
  }),
  endpoint({
    path: '/api/v1/observations/latest.csv',
    parameters: seriesSelection,
    operation: {
      id: 'listLatestObservationsAsCsv',
      tag: 'HVD data',
      summary: 'The newest value of every series as CSV',
      description:
        'The records of `/api/v1/observations/latest`, with the columns of the bulk CSV: a line of column names, then ' +
        'a line for each record.',
      content: [{ ...text('text/csv'), example: true }],
      headers: ['X-Record-Count', 'Content-Disposition'],
      refusals: ['busy'],
    },
    resolve: (values, { header, state }) => {
      const selection = selectionOf(values, state.served?.parameterCodes);
      return {
        kind: 'made',
        key: () => `latest.csv ${JSON.stringify(selection)}`,
        fields: csvFields('latest', header),
        run: (pool, task) => pool.run('plan-latest', { ...task, selection, form: 'csv' }),
      };
    },
  }),
];

function csvFields(
  name: 'observations' | 'latest',
  { snapshotId }: SnapshotHeader,
): readonly HeaderField[] {
  return [
    ['Content-Type', 'text/csv; charset=utf-8; header=present'],
    ['Content-Disposition', `attachment; filename="${name}-${snapshotId}.csv"`],
    LINK,
  ];
}
