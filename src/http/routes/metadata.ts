/** What the snapshot holds: `/meta`, the four lists, and the stations of one organization. */
import { answerKey } from '../../snapshot/local/keys.js';
import { snapshotEndpoint, type Endpoint } from '../routing/endpoint.js';
import { json } from '../routing/openapi/operation.js';
import { organizationPath, stationOf, stationPath } from './series-parameters.js';

export const METADATA: readonly Endpoint[] = [
  snapshotEndpoint({
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
    respond: () => ({ kind: 'finished', name: answerKey.manifest }),
  }),
  snapshotEndpoint({
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
    respond: () => ({ kind: 'finished', name: answerKey.organizations }),
  }),
  snapshotEndpoint({
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
    respond: () => ({ kind: 'finished', name: answerKey.networks }),
  }),
  snapshotEndpoint({
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
    respond: () => ({ kind: 'finished', name: answerKey.stations }),
  }),
  snapshotEndpoint({
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
    respond: () => ({ kind: 'finished', name: answerKey.components }),
  }),
  snapshotEndpoint({
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
    respond: (values) => ({
      kind: 'finished',
      name: answerKey.organizationStations(values.organization_id),
    }),
  }),
  snapshotEndpoint({
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
    respond: (values) => ({
      kind: 'finished',
      name: answerKey.stationMetadata(stationOf(values)),
    }),
  }),
];
