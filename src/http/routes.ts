/** The table of routes: the one place where a path, its parameters, their validation and its handler are declared. */
import { LANGUAGES, STATION_TYPES, WINDOWS } from '../snapshot/model.js';
import { answerKey } from '../snapshot/local/keys.js';
import type { ObservationsQuery } from '../workers/messages.js';
import { redirect } from './errors.js';
import { dictionaryIn } from './handlers/dictionary.js';
import { getLive, getReady } from './handlers/health.js';
import { JSON_TYPE } from './common-headers.js';
import {
  flag,
  integer,
  oneOf,
  optionalBoundingBox,
  optionalDateTime,
  optionalFlag,
  optionalOneOf,
  optionalText,
  pathText,
  refusedWith,
  type Values,
} from './parameters.js';
import {
  computedRoute,
  documentRoute,
  fileRoute,
  linkedRoute,
  plannedRoute,
  storedRoute,
  type Route,
} from './route.js';

const stationPath = {
  organization_id: integer('path'),
  station_id: integer('path'),
};

const observationsFilter = {
  from: optionalDateTime('invalid_from'),
  to: optionalDateTime('invalid_to'),
  station_id: optionalText(),
  parameter_code: optionalText(),
};

/** Literal paths win over `/{organization_id}/...` wherever both fit. */
export const ROUTES: readonly Route[] = [
  storedRoute({ path: '/meta', parameters: {}, name: () => answerKey.manifest }),
  storedRoute({ path: '/organizations', parameters: {}, name: () => answerKey.organizations }),
  storedRoute({ path: '/networks', parameters: {}, name: () => answerKey.networks }),
  storedRoute({ path: '/stations', parameters: {}, name: () => answerKey.stations }),
  storedRoute({ path: '/components', parameters: {}, name: () => answerKey.components }),
  storedRoute({
    path: '/{organization_id}/stations',
    parameters: { organization_id: integer('path') },
    name: (values) => answerKey.organizationStations(values.organization_id),
  }),
  storedRoute({
    path: '/{organization_id}/stations/{station_id}/meta',
    parameters: stationPath,
    name: (values) => answerKey.stationMetadata(station(values)),
  }),
  storedRoute({
    path: '/{organization_id}/stations/{station_id}/measurements/last_hour',
    parameters: stationPath,
    name: (values) => answerKey.lastHour(station(values)),
  }),
  storedRoute({
    path: '/{organization_id}/stations/{station_id}/measurements/last_24h',
    parameters: stationPath,
    name: (values) => answerKey.last24Hours(station(values)),
  }),
  storedRoute({
    path: '/measurements',
    parameters: {
      organization_id: refusedWith('bad_request', integer('query')),
      station_id: refusedWith('bad_request', integer('query')),
      component_id: refusedWith('bad_request', integer('query')),
      window: refusedWith('bad_request', oneOf('query', WINDOWS)),
    },
    supported: ({ window }, header) => header.supportedWindows.includes(window),
    name: (values) =>
      answerKey.timeSeries({
        ...station(values),
        componentId: values.component_id,
        window: values.window,
      }),
  }),
  storedRoute({ path: '/api/v1/metadata', parameters: {}, name: () => answerKey.hvdDescriptor }),
  plannedRoute({
    path: '/api/v1/stations',
    parameters: {
      active: optionalFlag(),
      municipality: optionalText(),
      station_type: optionalOneOf(STATION_TYPES),
      bbox: optionalBoundingBox(),
    },
    fields: () => [JSON_TYPE],
    plan: ({ active, municipality, station_type: stationType, bbox: box }, pool, wish) =>
      pool.run('plan-stations', { ...wish, active, municipality, stationType, box }),
  }),
  storedRoute({ path: '/api/v1/parameters', parameters: {}, name: () => answerKey.hvdParameters }),
  plannedRoute({
    path: '/api/v1/observations',
    parameters: observationsFilter,
    fields: () => [JSON_TYPE],
    plan: (values, pool, wish) =>
      pool.run('plan-observations', { ...wish, form: 'json', query: observationsQuery(values) }),
  }),
  plannedRoute({
    path: '/api/v1/observations/stream',
    parameters: observationsFilter,
    fields: ({ snapshotId }) => [
      ['Content-Type', 'application/x-ndjson'],
      ['Content-Disposition', `inline; filename="observations-${snapshotId}.ndjson"`],
    ],
    plan: (values, pool, wish) =>
      pool.run('plan-observations', { ...wish, form: 'ndjson', query: observationsQuery(values) }),
  }),
  plannedRoute({
    path: '/api/v1/observations/latest',
    parameters: { station_id: optionalText(), parameter_code: optionalText() },
    fields: () => [JSON_TYPE],
    plan: ({ station_id: stationId, parameter_code: parameterCode }, pool, wish) =>
      pool.run('plan-latest', { ...wish, stationId, parameterCode }),
  }),
  storedRoute({ path: '/api/v1/bulk', parameters: {}, name: () => answerKey.bulkIndex }),
  fileRoute({
    path: '/api/v1/bulk/{filename}',
    parameters: { filename: pathText() },
    name: ({ filename }) => filename,
  }),
  linkedRoute({
    path: '/api/v1/dcat',
    fields: [['Content-Type', 'application/ld+json']],
    plan: (baseUrl, pool, wish) => pool.run('plan-catalog', { ...wish, baseUrl }),
  }),
  computedRoute({
    path: '/.well-known/dcat-catalog.jsonld',
    parameters: {},
    answer: () => redirect('/api/v1/dcat'),
  }),
  documentRoute({
    path: '/api/v1/data-dictionary',
    parameters: { language: optionalOneOf(LANGUAGES) },
    document: ({ language }) => dictionaryIn(language),
  }),
  computedRoute({ path: '/health/live', parameters: {}, answer: getLive }),
  computedRoute({ path: '/health/ready', parameters: { deep: flag(false) }, answer: getReady }),
];

function station(values: { readonly organization_id: number; readonly station_id: number }): {
  organizationId: number;
  stationId: number;
} {
  return { organizationId: values.organization_id, stationId: values.station_id };
}

function observationsQuery(values: Values<typeof observationsFilter>): ObservationsQuery {
  const { from, to, station_id: stationId, parameter_code: parameterCode } = values;
  return { from, to, stationId, parameterCode };
}
