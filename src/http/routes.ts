/** The table of routes: the one place where a path, its parameters, their validation and its handler are declared. */
import { WINDOWS } from '../snapshot/model.js';
import { answerKey } from '../snapshot/local/keys.js';
import { getLive, getReady } from './handlers/health.js';
import { flag, integer, oneOf } from './parameters.js';
import { computedRoute, storedRoute, type Route } from './route.js';

const stationPath = {
  organization_id: integer('path'),
  station_id: integer('path'),
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
      organization_id: integer('query'),
      station_id: integer('query'),
      component_id: integer('query'),
      window: oneOf('query', WINDOWS),
    },
    badRequest: true,
    supported: ({ window }, header) => header.supportedWindows.includes(window),
    name: (values) =>
      answerKey.timeSeries({
        ...station(values),
        componentId: values.component_id,
        window: values.window,
      }),
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
