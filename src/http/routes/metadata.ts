/** What the snapshot holds: `/meta`, the four lists, and the stations of one organization. */
import { answerKey } from '../../snapshot/local/keys.js';
import { endpoint, type Endpoint } from '../routing/endpoint.js';
import { json, type Operation } from '../openapi/operation.js';
import { organizationPath, stationOf, stationPath } from './series-parameters.js';

export const METADATA: readonly Endpoint[] = [
  prepared('/meta', answerKey.manifest, {
    id: 'getManifest',
    summary: 'The active snapshot',
    description:
      'Its identifier, when it was made, which windows it has and how much it holds. Small: ask for it first, ' +
      'and for the data when it has changed.',
    content: json('Manifest'),
  }),
  prepared('/organizations', answerKey.organizations, {
    id: 'listOrganizations',
    summary: 'All organizations',
    description: 'Ascending by `organization_id`. The operator may add members.',
    content: json('Organizations'),
  }),
  prepared('/networks', answerKey.networks, {
    id: 'listNetworks',
    summary: 'All networks',
    description: 'Ascending by `network_id`. The operator may add members.',
    content: json('Networks'),
  }),
  prepared('/stations', answerKey.stations, {
    id: 'listStations',
    summary: 'All public stations',
    description: 'Of all organizations and networks, ascending by `station_id`.',
    content: json('Stations'),
  }),
  prepared('/components', answerKey.components, {
    id: 'listComponents',
    summary: 'All public components',
    description: 'Pollutants and meteorological quantities, ascending by `component_id`.',
    content: json('Components'),
  }),
  endpoint({
    path: '/{organization_id}/stations',
    parameters: organizationPath,
    operation: {
      id: 'listOrganizationStations',
      tag: 'Metadata',
      summary: "One organization's stations",
      description: 'Its public stations, ascending by `station_id`; 404 if it has none.',
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
      summary: 'One station with its components',
      description:
        'Its public components ascend by `component_id`, whether or not they have values.',
      content: json('StationMetadata'),
      refusals: ['no_public_data'],
    },
    resolve: (values) => ({
      kind: 'prepared',
      name: answerKey.stationMetadata(stationOf(values)),
    }),
  }),
];

/** An answer that is the same for every request. */
function prepared(path: `/${string}`, name: string, words: Omit<Operation, 'tag'>): Endpoint {
  const operation = { ...words, tag: 'Metadata' } as const;
  return endpoint({ path, operation, resolve: () => ({ kind: 'prepared', name }) });
}
