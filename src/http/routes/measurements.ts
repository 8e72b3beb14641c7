/** Hourly means of single stations: the last hour, the last 24 hours, and one series in one window. */
import { WINDOWS } from '../../snapshot/domain/model.js';
import { answerKey } from '../../snapshot/local/keys.js';
import { refuse, endpoint, type Endpoint } from '../routing/endpoint.js';
import { json } from '../openapi/operation.js';
import { oneOf, refusedWith } from '../routing/parameters.js';
import { seriesQuery, stationOf, stationPath } from './series-parameters.js';

export const MEASUREMENTS: readonly Endpoint[] = [
  endpoint({
    path: '/{organization_id}/stations/{station_id}/measurements/last_hour',
    parameters: stationPath,
    operation: {
      id: 'getLastHour',
      tag: 'Measurements',
      summary: "A station's most recent hour",
      description:
        'The newest of the 24 hours before `generated_at` that has a value, with every public component that has ' +
        'one; 404 if there is no such hour.',
      content: json('Hours'),
      refusals: ['no_public_data'],
    },
    resolve: (values) => ({ kind: 'prepared', name: answerKey.lastHour(stationOf(values)) }),
  }),
  endpoint({
    path: '/{organization_id}/stations/{station_id}/measurements/last_24h',
    parameters: stationPath,
    operation: {
      id: 'getLast24Hours',
      tag: 'Measurements',
      summary: "A station's last 24 hours",
      description:
        'The hours from 24 hours before `generated_at` up to, but not including, it that have a value, ascending; ' +
        '404 if there are none.',
      content: json('Hours'),
      refusals: ['no_public_data'],
    },
    resolve: (values) => ({ kind: 'prepared', name: answerKey.last24Hours(stationOf(values)) }),
  }),
  endpoint({
    path: '/measurements',
    parameters: refusedWith('bad_request', {
      ...seriesQuery,
      window: oneOf(WINDOWS, {
        description:
          'How far back from `generated_at`: the last hour with data, or so many days. ' +
          '`supported_windows` of `/meta` lists those that the snapshot has.',
        example: '1d',
      }),
    }),
    operation: {
      id: 'getMeasurements',
      tag: 'Measurements',
      summary: 'One series in one window',
      description:
        'Points of one component of one station, ascending by time. A window ends before `generated_at`; `1h` is ' +
        "the station's most recent hour. Hours without a value are left out; without any point the answer is 404.",
      content: json('TimeSeries'),
      refusals: ['no_public_data'],
    },
    resolve(values, { header }) {
      const { organization_id: organizationId, station_id: stationId, window } = values;
      if (!header.supportedWindows.includes(window)) return refuse('bad_request');
      const series = { organizationId, stationId, componentId: values.component_id, window };
      return { kind: 'prepared', name: answerKey.timeSeries(series) };
    },
  }),
];
