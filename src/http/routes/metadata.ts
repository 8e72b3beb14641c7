/** Contents of the snapshot: `/meta`, the four lists, and the stations of one organization. */
import { answerKey } from '../../snapshot/local/keys.js';
import { endpoint, type Endpoint } from '../routing/endpoint.js';
import { json, type Operation } from '../openapi/operation.js';
import { organizationPath, stationOf, stationPath } from './series-parameters.js';

export const METADATA: readonly Endpoint[] = [
  prepared('/meta', answerKey.manifest, {
    id: 'getManifest',
    content: json('Manifest'),
  }),
  prepared('/organizations', answerKey.organizations, {
    id: 'listOrganizations',
    content: json('Organizations'),
  }),
  prepared('/networks', answerKey.networks, {
    id: 'listNetworks',
    content: json('Networks'),
  }),
  prepared('/stations', answerKey.stations, {
    id: 'listStations',
    content: json('Stations'),
  }),
  prepared('/components', answerKey.components, {
    id: 'listComponents',
    content: json('Components'),
  }),
  endpoint({
    path: '/{organization_id}/stations',
    parameters: organizationPath,
    operation: {
      id: 'listOrganizationStations',
      tag: 'Metadata',
      content: json('Stations'),
      refusals: ['no_public_data'],
    },
    resolve: (values) => ({
      kind: 'prepared',
      name: answerKey.organizationStations(values.organization_id),
    }),
  }),
  endpoint({
    path: '/{organization_id}/stations/{station_id}/meta',
    parameters: stationPath,
    operation: {
      id: 'getStationMetadata',
      tag: 'Metadata',
      content: json('StationMetadata'),
      refusals: ['no_public_data'],
    },
    resolve: (values) => ({
      kind: 'prepared',
      name: answerKey.stationMetadata(stationOf(values)),
    }),
  }),
];

/** An endpoint with one answer for all requests. */
function prepared(path: `/${string}`, name: string, words: Omit<Operation, 'tag'>): Endpoint {
  const operation = { ...words, tag: 'Metadata' } as const;
  return endpoint({ path, operation, resolve: () => ({ kind: 'prepared', name }) });
}
