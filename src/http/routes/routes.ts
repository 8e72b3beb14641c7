/** The table of routes: the one place where a path, its parameters, their validation and its handler are declared. */
import { answerKey, type SeriesWindow } from '../../snapshot/local/keys.js';
import type { Language } from '../../snapshot/domain/model.js';
import { BULK_FILES } from '../../views/hvd/bulk.js';
import {
  DEFAULT_SORT,
  DEFAULT_WINDOW,
  DOCUMENTATION_PAGES,
  LEGAL_PAGES,
  type DocumentationPage,
  type LegalPage,
  type PageStyle,
  type PortalState,
  type Theme,
} from '../../views/pages/page.js';
import type { ObservationsQuery } from '../../workers/messages.js';
import {
  assetName,
  bulkFile,
  dictionaryLanguage,
  exportQuery,
  looseStyle,
  mapStyle,
  observationsFilter,
  organizationPath,
  portalQuery,
  readinessDepth,
  seriesFilter,
  seriesQuery,
  stationPath,
  stationsFilter,
  strictStyle,
} from '../routing/declared-parameters.js';
import { redirect } from '../semantics/error-answers.js';
import { assetNamed } from './assets.js';
import { dictionaryIn } from './data-dictionary.js';
import { EXPORT_FILES, exportFile } from './export.js';
import { getLive, getReady } from './health.js';
import { OpenApiDocument } from './openapi-json.js';
import type { PageOperation } from '../routing/openapi/operations.js';
import type { PageFacts, PolicyChanges } from '../answers/pages.js';
import type { Values } from '../routing/parameters.js';
import {
  assetRoute,
  computedRoute,
  documentRoute,
  exportRoute,
  fileRoute,
  linkedRoute,
  pageRoute,
  plannedRoute,
  storedRoute,
  type ApiRoute,
  type Route,
} from '../routing/route.js';

const DOCUMENTATION_OPERATIONS = {
  'api-docs': 'getApiDocumentation',
  docs: 'getSwaggerUi',
  redoc: 'getRedoc',
} as const satisfies Readonly<Record<DocumentationPage, PageOperation>>;

/**
 * Redoc writes its styles into an empty style element, adds one for scroll bars, and searches in a worker made of text.
 * The hashes are those of exactly these two elements; another version of Redoc may need another one.
 */
const REDOC_POLICY: PolicyChanges = {
  'style-src':
    "'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' 'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='",
  'worker-src': 'blob:',
};

const LEGAL_OPERATIONS = {
  license: 'getLicense',
  terms: 'getTermsOfUse',
  qos: 'getQualityOfService',
  contact: 'getContact',
  dataset: 'getDatasetDescription',
} as const satisfies Readonly<Record<LegalPage, PageOperation>>;

/** Literal paths win over `/{organization_id}/...` wherever both fit. */
/** All but the assets of pages, which are no part of the API. */
export const API_ROUTES: readonly ApiRoute[] = [
  pageRoute({
    path: '/',
    operation: 'getPortal',
    parameters: portalQuery,
    page: (values, facts) => ({
      kind: 'portal',
      state: portalState(values, facts),
      ageHours: facts.ageHours,
    }),
  }),
  pageRoute({
    path: '/portal/station-modal',
    operation: 'getStationModal',
    parameters: portalQuery,
    page: (values, facts) => ({
      kind: 'station-modal',
      state: portalState(values, facts),
      ageHours: facts.ageHours,
    }),
  }),
  pageRoute({
    path: '/portal/map.svg',
    operation: 'getMap',
    parameters: mapStyle,
    page: ({ theme }, { defaultLanguage }) => ({
      kind: 'map',
      style: { language: defaultLanguage, theme: theme ?? 'light' },
    }),
  }),
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
  ...DOCUMENTATION_PAGES.map((name) =>
    pageRoute({
      path: `/${name}`,
      operation: DOCUMENTATION_OPERATIONS[name],
      parameters: looseStyle,
      policy: name === 'redoc' ? REDOC_POLICY : {},
      page: (values, facts) => ({
        kind: 'documentation',
        name,
        style: pageStyle(values, facts),
      }),
    }),
  ),
  ...LEGAL_PAGES.map((name) =>
    pageRoute({
      path: `/legal/${name}`,
      operation: LEGAL_OPERATIONS[name],
      parameters: strictStyle,
      page: (values, facts) => ({ kind: 'legal', name, style: pageStyle(values, facts) }),
    }),
  ),
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

export const ROUTES: readonly Route[] = [
  ...API_ROUTES,
  assetRoute({
    path: '/assets/{name}',
    parameters: assetName,
    asset: ({ name }) => assetNamed(name),
  }),
];

/** What the table says of itself. */
const OPEN_API = new OpenApiDocument(API_ROUTES);

function pageStyle(
  {
    language,
    theme,
  }: { readonly language: Language | undefined; readonly theme: Theme | undefined },
  { defaultLanguage }: PageFacts,
): PageStyle {
  return { language: language ?? defaultLanguage, theme };
}

/** What names nothing in this snapshot counts as not given, so that there are only so many states. */
function portalState(values: Values<typeof portalQuery>, facts: PageFacts): PortalState {
  const { station_id: stationId, component_id: componentId, window, sort, q: search } = values;
  return {
    ...pageStyle(values, facts),
    stationId: stationId !== undefined && facts.hasStation(stationId) ? stationId : undefined,
    componentId:
      componentId !== undefined && facts.hasComponent(componentId) ? componentId : undefined,
    window: window ?? DEFAULT_WINDOW,
    sort: sort ?? DEFAULT_SORT,
    search: facts.hasSnapshot ? search : '',
  };
}

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
