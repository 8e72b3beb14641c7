/** The high-value dataset without its observations: descriptor, stations and parameters. */
import { stationSelectionOf } from '../../snapshot/domain/selection.js';
import { answerKey } from '../../snapshot/local/keys.js';
import { endpoint, prepared, type Endpoint } from '../routing/endpoint.js';
import { json, records } from '../openapi/operation.js';
import { JSON_TYPE, LINK } from '../semantics/common-headers.js';
import { stationSelection } from './selection-parameters.js';

export const DATASET: readonly Endpoint[] = [
  prepared('/api/v1/metadata', answerKey.hvdDescriptor, {
    id: 'getDatasetDescriptor',
    tag: 'HVD catalogue',
    content: json('DatasetDescriptor'),
  }),
  endpoint({
    path: '/api/v1/stations',
    parameters: stationSelection,
    operation: records('listHvdStations', json('HvdStations')),
    resolve: (values) => ({
      kind: 'rendered',
      job: { kind: 'plan-stations', task: { selection: stationSelectionOf(values) } },
      fields: [JSON_TYPE, LINK],
    }),
  }),
  prepared('/api/v1/parameters', answerKey.hvdParameters, {
    id: 'listHvdParameters',
    tag: 'HVD data',
    content: json('HvdParameters'),
  }),
];
