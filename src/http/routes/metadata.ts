/** What the snapshot holds: `/meta`, the four lists, and the stations of one organization. */
import { answerKey } from '../../snapshot/local/keys.js';
import { endpoint, type Endpoint } from '../routing/endpoint.js';
import { json } from '../routing/openapi/operation.js';
import { organizationPath, stationOf, stationPath } from './series-parameters.js';

export const METADATA: readonly Endpoint[] = [
  endpoint({
    path: '/meta',
    parameters: {},
    caching: 'snapshot',
    operation: {
      id: 'getManifest',
      tag: 'Metadata',
      summary: 'The active snapshot',
      description:
        'Its identifier, when it was made, which windows it has and how much it holds. Small: ask for it first, ' +
        'and for the data when it has changed.',
      content: json('Manifest'),
    },
    resolve: () => ({ kind: 'finished', name: answerKey.manifest }),
  }),
  endpoint({
    path: '/organizations',
    parameters: {},
    caching: 'snapshot',
    operation: {
      id: 'listOrganizations',
      tag: 'Metadata',
      summary: 'All organizations',
      description: 'Ascending by `organization_id`. The operator may add members.',
      content: json('Organizations'),
    },
    resolve: () => ({ kind: 'finished', name: answerKey.organizations }),
  }),
  endpoint({
    path: '/networks',
    parameters: {},
    caching: 'snapshot',
    operation: {
      id: 'listNetworks',
      tag: 'Metadata',
      summary: 'All networks',
      description: 'Ascending by `network_id`. The operator may add members.',
      content: json('Networks'),
    },
    resolve: () => ({ kind: 'finished', name: answerKey.networks }),
  }),
  endpoint({
    path: '/stations',
    parameters: {},
    caching: 'snapshot',
    operation: {
      id: 'listStations',
      tag: 'Metadata',
      summary: 'All public stations',
      description: 'Of all organizations and networks, ascending by `station_id`.',
      content: json('Stations'),
    },
    resolve: () => ({ kind: 'finished', name: answerKey.stations }),
  }),
  endpoint({
    path: '/components',
    parameters: {},
    caching: 'snapshot',
    operation: {
      id: 'listComponents',
      tag: 'Metadata',
      summary: 'All public components',
      description: 'Pollutants and meteorological quantities, ascending by `component_id`.',
      content: json('Components'),
    },
    resolve: () => ({ kind: 'finished', name: answerKey.components }),
  }),
  endpoint({
    path: '/{organization_id}/stations',
    parameters: organizationPath,
    caching: 'snapshot',
    operation: {
      id: 'listOrganizationStations',
      tag: 'Metadata',
      summary: "One organization's stations",
      description: 'Its public stations, ascending by `station_id`; 404 if it has none.',
      content: json('Stations'),
      refusals: ['no_public_data'],
    },
    resolve: (values) => ({
      kind: 'finished',
      name: answerKey.organizationStations(values.organization_id),
    }),
  }),
  endpoint({
    path: '/{organization_id}/stations/{station_id}/meta',
    parameters: stationPath,
    caching: 'snapshot',
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
      kind: 'finished',
      name: answerKey.stationMetadata(stationOf(values)),
    }),
  }),
];
