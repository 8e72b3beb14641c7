/** The high-value dataset beside its observations: its descriptor, stations and parameters. */
import { STATION_TYPES } from '../../snapshot/domain/model.js';
import { answerKey } from '../../snapshot/local/keys.js';
import { snapshotEndpoint, type Endpoint } from '../routing/endpoint.js';
import { json } from '../routing/openapi/operation.js';
import {
  optionalBoundingBox,
  optionalFlag,
  optionalOneOf,
  optionalText,
} from '../routing/parameters.js';
import { LINK } from '../semantics/common-headers.js';

const stationsFilter = {
  active: optionalFlag({
    description: 'Only stations that are in operation, or only those that are not.',
  }),
  municipality: optionalText({
    description: 'Only stations in this municipality: its whole name, in any case.',
    example: 'Alcalá de Henares',
  }),
  station_type: optionalOneOf(STATION_TYPES, {
    description: 'Only stations of this type.',
    example: 'traffic',
  }),
  bbox: optionalBoundingBox({
    description:
      'Only stations in this box, edges included: `min_lon,min_lat,max_lon,max_lat`, WGS84 decimal degrees, ' +
      'longitudes in [-180, 180], latitudes in [-90, 90], no minimum above its maximum. ' +
      'A station without coordinates is outside every box.',
    example: '-3.43,40.43,-3.33,40.53',
  }),
};

export const DATASET: readonly Endpoint[] = [
  snapshotEndpoint({
    path: '/api/v1/metadata',
    parameters: {},
    caching: 'snapshot',
    operation: {
      id: 'getDatasetDescriptor',
      tag: 'HVD catalogue',
      summary: 'The dataset in brief',
      description: 'Versions, status, retention, licence, legislation, and where to read more.',
      content: json('DatasetDescriptor'),
    },
    respond: () => ({ kind: 'finished', name: answerKey.hvdDescriptor }),
  }),
  snapshotEndpoint({
    path: '/api/v1/stations',
    parameters: stationsFilter,
    caching: 'snapshot',
    isPrepared: true,
    operation: {
      id: 'listHvdStations',
      tag: 'HVD data',
      summary: 'Stations',
      description:
        'Public stations, ascending by the number in `station_id`, that pass all given filters. Every field is ' +
        'always present, null where it is not known.',
      content: json('HvdStations'),
      headers: ['X-Record-Count'],
      refusals: ['busy'],
    },
    respond: ({ active, municipality, station_type: stationType, bbox: box }) => ({
      kind: 'made',
      job: {
        fields: [['Content-Type', 'application/json'], LINK],
        run: (pool, task) =>
          pool.run('plan-stations', { ...task, active, municipality, stationType, box }),
      },
    }),
  }),
  snapshotEndpoint({
    path: '/api/v1/parameters',
    parameters: {},
    caching: 'snapshot',
    operation: {
      id: 'listHvdParameters',
      tag: 'HVD data',
      summary: 'Parameters',
      description:
        'Ascending by `parameter_code`. Every field is always present, null where it is not known.',
      content: json('HvdParameters'),
    },
    respond: () => ({ kind: 'finished', name: answerKey.hvdParameters }),
  }),
];
