/** The table of routes: the one place where a path, its parameters, their validation and its handler are declared. */
import { answerKey, type SeriesWindow } from '../snapshot/local/keys.js';
import { BULK_FILES } from '../views/hvd/bulk.js';
import type { ObservationsQuery } from '../workers/messages.js';
import {
  bulkFile,
  dictionaryLanguage,
  exportQuery,
  observationsFilter,
  organizationPath,
  readinessDepth,
  seriesFilter,
  seriesQuery,
  stationPath,
  stationsFilter,
} from './declared-parameters.js';
import { redirect } from './errors.js';
import { dictionaryIn } from './handlers/dictionary.js';
import { EXPORT_FILES, exportFile } from './handlers/export.js';
import { getLive, getReady } from './handlers/health.js';
import { OpenApiDocument } from './handlers/openapi.js';
import type { Values } from './parameters.js';
import {
  computedRoute,
  documentRoute,
  exportRoute,
  fileRoute,
  linkedRoute,
  plannedRoute,
  storedRoute,
  type Route,
} from './route.js';

/** Literal paths win over `/{organization_id}/...` wherever both fit. */
export const ROUTES: readonly Route[] = [
  storedRoute({
    path: '/meta',
    operation: 'getManifest',
    schema: 'Manifest',
    parameters: {},
    name: () => answerKey.manifest,
  }),
  storedRoute({
    path: '/organizations',
    operation: 'listOrganizations',
    schema: 'Organizations',
    parameters: {},
    name: () => answerKey.organizations,
  }),
  storedRoute({
    path: '/networks',
    operation: 'listNetworks',
    schema: 'Networks',
    parameters: {},
    name: () => answerKey.networks,
  }),
  storedRoute({
    path: '/stations',
    operation: 'listStations',
    schema: 'Stations',
    parameters: {},
    name: () => answerKey.stations,
  }),
  storedRoute({
    path: '/components',
    operation: 'listComponents',
    schema: 'Components',
    parameters: {},
    name: () => answerKey.components,
  }),
  storedRoute({
    path: '/{organization_id}/stations',
    operation: 'listOrganizationStations',
    schema: 'Stations',
    parameters: organizationPath,
    name: (values) => answerKey.organizationStations(values.organization_id),
  }),
  storedRoute({
    path: '/{organization_id}/stations/{station_id}/meta',
    operation: 'getStationMetadata',
    schema: 'StationMetadata',
    parameters: stationPath,
    name: (values) => answerKey.stationMetadata(station(values)),
  }),
  storedRoute({
    path: '/{organization_id}/stations/{station_id}/measurements/last_hour',
    operation: 'getLastHour',
    schema: 'Hours',
    parameters: stationPath,
    name: (values) => answerKey.lastHour(station(values)),
  }),
  storedRoute({
    path: '/{organization_id}/stations/{station_id}/measurements/last_24h',
    operation: 'getLast24Hours',
    schema: 'Hours',
    parameters: stationPath,
    name: (values) => answerKey.last24Hours(station(values)),
  }),
  storedRoute({
    path: '/measurements',
    operation: 'getMeasurements',
    schema: 'TimeSeries',
    parameters: seriesQuery,
    supported: ({ window }, header) => header.supportedWindows.includes(window),
    name: (values) => answerKey.timeSeries(series(values)),
  }),
  exportRoute({
    path: '/portal/export',
    operation: 'exportSeries',
    files: Object.values(EXPORT_FILES),
    parameters: exportQuery,
    supported: ({ window }, header) => header.supportedWindows.includes(window),
    source: (values) => answerKey.timeSeries(series(values)),
    file: (values) => exportFile(series(values), values.format),
    plan: (values, pool, wish) =>
      pool.run('plan-export', { ...wish, ...series(values), format: values.format }),
  }),
  storedRoute({
    path: '/api/v1/metadata',
    operation: 'getDatasetDescriptor',
    schema: 'DatasetDescriptor',
    parameters: {},
    name: () => answerKey.hvdDescriptor,
  }),
  plannedRoute({
    path: '/api/v1/stations',
    operation: 'listHvdStations',
    schema: 'HvdStations',
    parameters: stationsFilter,
    mediaType: 'application/json',
    plan: ({ active, municipality, station_type: stationType, bbox: box }, pool, wish) =>
      pool.run('plan-stations', { ...wish, active, municipality, stationType, box }),
  }),
  storedRoute({
    path: '/api/v1/parameters',
    operation: 'listHvdParameters',
    schema: 'HvdParameters',
    parameters: {},
    name: () => answerKey.hvdParameters,
  }),
  plannedRoute({
    path: '/api/v1/observations',
    operation: 'listObservations',
    schema: 'Observations',
    parameters: observationsFilter,
    mediaType: 'application/json',
    plan: (values, pool, wish) =>
      pool.run('plan-observations', { ...wish, form: 'json', query: observationsQuery(values) }),
  }),
  plannedRoute({
    path: '/api/v1/observations/stream',
    operation: 'streamObservations',
    schema: 'ObservationLines',
    parameters: observationsFilter,
    mediaType: 'application/x-ndjson',
    fileName: ({ snapshotId }) => `observations-${snapshotId}.ndjson`,
    plan: (values, pool, wish) =>
      pool.run('plan-observations', { ...wish, form: 'ndjson', query: observationsQuery(values) }),
  }),
  plannedRoute({
    path: '/api/v1/observations/latest',
    operation: 'listLatestObservations',
    schema: 'Observations',
    parameters: seriesFilter,
    mediaType: 'application/json',
    plan: ({ station_id: stationId, parameter_code: parameterCode }, pool, wish) =>
      pool.run('plan-latest', { ...wish, stationId, parameterCode }),
  }),
  storedRoute({
    path: '/api/v1/bulk',
    operation: 'getBulkIndex',
    schema: 'BulkIndex',
    parameters: {},
    name: () => answerKey.bulkIndex,
  }),
  fileRoute({
    path: '/api/v1/bulk/{filename}',
    operation: 'getBulkFile',
    files: BULK_FILES,
    parameters: bulkFile,
    name: ({ filename }) => filename,
  }),
  linkedRoute({
    path: '/api/v1/dcat',
    operation: 'getCatalog',
    schema: 'Catalog',
    mediaType: 'application/ld+json',
    plan: (baseUrl, pool, wish) => pool.run('plan-catalog', { ...wish, baseUrl }),
  }),
  computedRoute({
    path: '/.well-known/dcat-catalog.jsonld',
    operation: 'redirectToCatalog',
    schemas: { 308: undefined },
    parameters: {},
    answer: () => redirect('/api/v1/dcat'),
  }),
  documentRoute({
    path: '/api/v1/data-dictionary',
    operation: 'getDataDictionary',
    schema: 'DataDictionary',
    parameters: dictionaryLanguage,
    document: ({ language }) => dictionaryIn(language),
  }),
  computedRoute({
    path: '/health/live',
    operation: 'getLiveness',
    schemas: { 200: 'Live' },
    parameters: {},
    answer: getLive,
  }),
  computedRoute({
    path: '/health/ready',
    operation: 'getReadiness',
    schemas: { 200: 'Ready', 503: 'NotReady' },
    parameters: readinessDepth,
    answer: getReady,
  }),
  linkedRoute({
    path: '/openapi.json',
    operation: 'getOpenApi',
    schema: 'OpenApi',
    mediaType: 'application/json',
    edition: () => OPEN_API.edition,
    plan: (baseUrl, pool, wish) =>
      pool.run('plan-openapi', { ...wish, baseUrl, template: OPEN_API.template }),
    withoutSnapshot: (baseUrl) => OPEN_API.withoutExamples(baseUrl),
  }),
];

/** What the table says of itself. */
const OPEN_API = new OpenApiDocument(ROUTES);

function station(values: { readonly organization_id: number; readonly station_id: number }): {
  organizationId: number;
  stationId: number;
} {
  return { organizationId: values.organization_id, stationId: values.station_id };
}

function series(values: Values<typeof seriesQuery>): SeriesWindow {
  return { ...station(values), componentId: values.component_id, window: values.window };
}

function observationsQuery(values: Values<typeof observationsFilter>): ObservationsQuery {
  const { from, to, station_id: stationId, parameter_code: parameterCode } = values;
  return { from, to, stationId, parameterCode };
}
