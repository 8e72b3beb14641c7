/** The bulk bundle: its index and its files (docs/http-api/files.md, "Bulk files"). */
import { answerKey } from '../../snapshot/local/keys.js';
import { BULK_FILES } from '../../views/hvd/bulk.js';
import { endpoint, type Endpoint } from '../routing/endpoint.js';
import { json, text, type Content } from '../openapi/operation.js';
import { pathText } from '../routing/parameters.js';

/** Content by media type; binary files have no schema. */
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
      content: json('BulkIndex'),
    },
    resolve: () => ({ kind: 'prepared', name: answerKey.bulkIndex }),
  }),
  endpoint({
    path: '/api/v1/bulk/{filename}',
    parameters: {
      filename: pathText(BULK_FILES.map(({ name }) => name)),
    },
    caching: 'file',
    operation: {
      id: 'getBulkFile',
      tag: 'HVD files',
      content: CONTENT,
      refusals: ['no_bulk_resource', 'precondition_failed'],
    },
    resolve: ({ filename }) => ({ kind: 'file', name: filename }),
  }),
];
