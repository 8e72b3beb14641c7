/** The high-value dataset without its observations: descriptor, stations and parameters. */
import { stationSelectionOf } from '../../snapshot/domain/selection.js';
import { answerKey } from '../../snapshot/local/keys.js';
import { endpoint, type Endpoint } from '../routing/endpoint.js';
import { json } from '../openapi/operation.js';
import { JSON_TYPE, LINK } from '../semantics/common-headers.js';
import { stationSelection } from './selection-parameters.js';

export const DATASET: readonly Endpoint[] = [
  endpoint({
    path: '/api/v1/metadata',
    operation: {
      id: 'getDatasetDescriptor',
      tag: 'HVD catalogue',
      content: json('DatasetDescriptor'),
    },
    resolve: () => ({ kind: 'prepared', name: answerKey.hvdDescriptor }),
  }),
  endpoint({
    path: '/api/v1/stations',
    parameters: stationSelection,
    operation: {
      id: 'listHvdStations',
      tag: 'HVD data',
      content: json('HvdStations'),
      headers: ['X-Record-Count'],
      refusals: ['busy'],
    },
    resolve: (values) => ({
      kind: 'rendered',
      job: { kind: 'plan-stations', task: { selection: stationSelectionOf(values) } },
      fields: [JSON_TYPE, LINK],
    }),
  }),
  endpoint({
    path: '/api/v1/parameters',
    operation: {
      id: 'listHvdParameters',
      tag: 'HVD data',
      content: json('HvdParameters'),
    },
    resolve: () => ({ kind: 'prepared', name: answerKey.hvdParameters }),
  }),
];
