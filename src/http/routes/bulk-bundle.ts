/** The bulk bundle: its index and its files (docs/http-api/files.md, "Bulk files"). */
import { answerKey } from '../../snapshot/local/keys.js';
import { BULK_FILES } from '../../views/hvd/bulk.js';
import { endpoint, type Endpoint } from '../routing/endpoint.js';
import { json, text, type Content } from '../openapi/operation.js';
import { pathText } from '../routing/parameters.js';

/** One for each media type; the files that are no text have no schema. */
const CONTENT: readonly Content[] = [
  text('text/csv'),
  ...json('StationFeatures', 'application/geo+json'),
  ...json('HvdParameters'),
  { mediaType: 'application/vnd.apache.parquet' },
  text('text/markdown'),
  text('text/plain'),
];

export const BULK: readonly Endpoint[] = [
  endpoint({
    path: '/api/v1/bulk',
    operation: {
      id: 'getBulkIndex',
      tag: 'HVD files',
      summary: 'The index of files',
      description: 'Every file of the bundle with its size, checksum and path.',
      content: json('BulkIndex'),
    },
    resolve: () => ({ kind: 'prepared', name: answerKey.bulkIndex }),
  }),
  endpoint({
    path: '/api/v1/bulk/{filename}',
    parameters: {
      filename: pathText(
        BULK_FILES.map(({ name }) => name),
        { description: 'A name that the index lists.' },
      ),
    },
    caching: 'file',
    operation: {
      id: 'getBulkFile',
      tag: 'HVD files',
      summary: 'One file',
      description:
        'Stations, parameters or all observations; `README.md` holds the data dictionary, `SHA256SUMS` is for ' +
        '`sha256sum -c`. CSV is UTF-8 with CRLF line ends, empty cells for null (RFC 4180) and a point in every decimal (`12.0`). A part is had with ' +
        '`Range` (one range; several give the whole file), safely with `If-Range`: readers of remote Parquet files ' +
        'read only what they need. A whole text is sent in gzip to a client that accepts it; `X-Content-SHA256` is that ' +
        'of the file then too.',
      content: CONTENT,
      refusals: ['no_bulk_resource', 'precondition_failed'],
    },
    resolve: ({ filename }) => ({ kind: 'file', name: filename }),
  }),
];
