/** `GET /portal/export`: one series of one window as a file (docs/http-api/files.md, "Export"). */
import { answerKey } from '../../snapshot/local/keys.js';
import { EXPORT_FORMATS, EXPORT_WINDOWS, type ExportFormat } from '../../views/export-table.js';
import { endpoint, refuse } from '../routing/endpoint.js';
import { text, type Content } from '../openapi/operation.js';
import { oneOf, refusedWith } from '../routing/parameters.js';
import { seriesQuery } from './series-parameters.js';

/** Media types of the file; all but CSV are ZIP archives. */
const MEDIA_TYPES = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
} as const satisfies Readonly<Record<ExportFormat, string>>;

export const EXPORT = endpoint({
  path: '/portal/export',
  parameters: refusedWith('bad_request', {
    ...seriesQuery,
    window: oneOf(EXPORT_WINDOWS, '1d'),
    format: oneOf(EXPORT_FORMATS, 'csv'),
  }),
  operation: {
    id: 'exportSeries',
    tag: 'Measurements',
    content: Object.values(MEDIA_TYPES).map((mediaType): Content =>
      mediaType === 'text/csv' ? text(mediaType) : { mediaType },
    ),
    headers: ['X-Record-Count', 'Content-Disposition'],
    refusals: ['no_public_data', 'busy'],
  },
  resolve(values, { header, state }) {
    const { organization_id: organizationId, station_id: stationId } = values;
    const { component_id: componentId, window, format } = values;
    if (!header.supportedWindows.includes(window)) return refuse('bad_request');
    const series = { organizationId, stationId, componentId, window };
    // A missing series is 404 here, before a job runs or the answer is 304.
    if (state.served?.has(answerKey.timeSeries(series)) !== true) return refuse('no_public_data');
    const mediaType = MEDIA_TYPES[format];
    const precompressed = format !== 'csv';
    const name = `bura_${organizationId}_${stationId}_${componentId}_${window}.${format}`;
    return {
      kind: 'rendered',
      job: {
        kind: precompressed ? 'plan-spreadsheet' : 'plan-export',
        task: { ...series, format },
      },
      fields: [
        ['Content-Type', precompressed ? mediaType : `${mediaType}; charset=utf-8`],
        ['Content-Disposition', `attachment; filename="${name}"`],
      ],
      precompressed,
    };
  },
});
