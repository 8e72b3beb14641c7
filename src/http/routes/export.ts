/** `GET /portal/export`: one series of one window as a file (docs/http-api/files.md, "Export"). */
import { answerKey } from '../../snapshot/local/keys.js';
import { EXPORT_FORMATS, EXPORT_WINDOWS, type ExportFormat } from '../../views/export-table.js';
import { endpoint, refuse } from '../routing/endpoint.js';
import { text, type Content } from '../openapi/operation.js';
import { oneOf, refusedWith } from '../routing/parameters.js';
import { seriesQuery } from './series-parameters.js';

/** Formats of the file; `precompressed` ones are ZIP archives. */
const FILES = {
  csv: { mediaType: 'text/csv', precompressed: false },
  xlsx: {
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    precompressed: true,
  },
  ods: {
    mediaType: 'application/vnd.oasis.opendocument.spreadsheet',
    precompressed: true,
  },
} as const satisfies Readonly<Record<ExportFormat, object>>;

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
    content: Object.values(FILES).map(({ mediaType, precompressed }): Content =>
      precompressed ? { mediaType } : text(mediaType),
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
    const { mediaType, precompressed } = FILES[format];
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
