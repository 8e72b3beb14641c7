/** Hourly means of single stations: the last hour, the last 24 hours, and one series in one window. */
import { WINDOWS } from '../../snapshot/domain/model.js';
import { answerKey } from '../../snapshot/local/keys.js';
import { refuse, endpoint, type Endpoint } from '../routing/endpoint.js';
import { resource } from '../openapi/operation.js';
import { oneOf, refusedWith } from '../routing/parameters.js';
import { seriesQuery, stationOf, stationPath } from './series-parameters.js';

const HOURS = [
  ['last_hour', 'getLastHour', answerKey.lastHour],
  ['last_24h', 'getLast24Hours', answerKey.last24Hours],
] as const;

export const MEASUREMENTS: readonly Endpoint[] = [
  ...HOURS.map(([name, id, keyOf]) =>
    endpoint({
      path: `/{organization_id}/stations/{station_id}/measurements/${name}`,
      parameters: stationPath,
      operation: resource(id, 'Measurements', 'Hours'),
      resolve: (values) => ({ kind: 'prepared', name: keyOf(stationOf(values)) }),
    }),
  ),
  endpoint({
    path: '/measurements',
    parameters: refusedWith('bad_request', {
      ...seriesQuery,
      window: oneOf(WINDOWS, '1d'),
    }),
    operation: resource('getMeasurements', 'Measurements', 'TimeSeries'),
    resolve(values, { header }) {
      const { organization_id: organizationId, station_id: stationId, window } = values;
      if (!header.supportedWindows.includes(window)) return refuse('bad_request');
      const series = { organizationId, stationId, componentId: values.component_id, window };
      return { kind: 'prepared', name: answerKey.timeSeries(series) };
    },
  }),
];
