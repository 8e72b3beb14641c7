/** The bulk bundle: its index and its files (docs/http-api/files.md, "Bulk files"). */
import { answerKey } from '../../snapshot/local/keys.js';
import { BULK_FILES } from '../../views/hvd/bulk.js';
import { endpoint, prepared, refuse, type Endpoint } from '../routing/endpoint.js';
import { json, text, type Content, type Operation } from '../openapi/operation.js';
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

const OPERATION: Omit<Operation, 'id'> = {
  tag: 'HVD files',
  content: CONTENT,
  refusals: ['no_bulk_resource', 'precondition_failed'],
};

const filename = pathText(BULK_FILES.map(({ name }) => name));

export const BULK: readonly Endpoint[] = [
  prepared('/api/v1/bulk', answerKey.bulkIndex, {
    id: 'getBulkIndex',
    tag: 'HVD files',
    content: json('BulkIndex'),
  }),
  endpoint({
    path: '/api/v1/bulk/{filename}',
    parameters: { filename },
    caching: 'file',
    operation: { id: 'getBulkFile', ...OPERATION },
    resolve: ({ filename: name }) => ({ kind: 'file', address: `/${name}` }),
  }),
  endpoint({
    path: '/api/v1/bulk/{sha256}/{filename}',
    parameters: { sha256: pathText(), filename },
    caching: 'file',
    operation: { id: 'getBulkFileByDigest', ...OPERATION },
    resolve({ sha256, filename: name }, { state: { served, former } }) {
      const address = `${sha256}/${name}`;
      const from = [served, ...former].find((one) => one?.bulk.has(address));
      return from ? { kind: 'file', address, from } : refuse('no_bulk_resource');
    },
  }),
];
