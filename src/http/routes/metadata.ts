/** Contents of the snapshot: `/meta`, the four lists, and the stations of one organization. */
import { answerKey } from '../../snapshot/local/keys.js';
import { endpoint, prepared, type Endpoint } from '../routing/endpoint.js';
import { json, resource } from '../openapi/operation.js';
import { organizationPath, stationOf, stationPath } from './series-parameters.js';

const LISTS = [
  ['/meta', answerKey.manifest, 'getManifest', 'Manifest'],
  ['/organizations', answerKey.organizations, 'listOrganizations', 'Organizations'],
  ['/networks', answerKey.networks, 'listNetworks', 'Networks'],
  ['/stations', answerKey.stations, 'listStations', 'Stations'],
  ['/components', answerKey.components, 'listComponents', 'Components'],
] as const;

export const METADATA: readonly Endpoint[] = [
  ...LISTS.map(([path, name, id, schema]) =>
    prepared(path, name, { id, tag: 'Metadata', content: json(schema) }),
  ),
  endpoint({
    path: '/{organization_id}/stations',
    parameters: organizationPath,
    operation: resource('listOrganizationStations', 'Metadata', 'Stations'),
    resolve: (values) => ({
      kind: 'prepared',
      name: answerKey.organizationStations(values.organization_id),
    }),
  }),
  endpoint({
    path: '/{organization_id}/stations/{station_id}/meta',
    parameters: stationPath,
    operation: resource('getStationMetadata', 'Metadata', 'StationMetadata'),
    resolve: (values) => ({
      kind: 'prepared',
      name: answerKey.stationMetadata(stationOf(values)),
    }),
  }),
];
