/** Parameters that name organizations, stations and series: of the first API and the export. */
import { WINDOWS } from '../../snapshot/domain/model.js';
import type { SeriesWindow } from '../../snapshot/local/keys.js';
import { integer, oneOf, refusedWith } from '../routing/parameters.js';

const DIGITS = 'Plain decimal digits: `^(0|-?[1-9]\\d*)$`.';

const organization = {
  description: `Identifier of an organization, as in \`/organizations\`. ${DIGITS}`,
  example: 1,
} as const;

const station = {
  description: `Identifier of a station of that organization, as in \`/stations\`. ${DIGITS}`,
  example: 28005002,
} as const;

const component = {
  description: `Identifier of a component, as in \`/components\`. ${DIGITS}`,
  example: 8,
} as const;

export const organizationPath = { organization_id: integer('path', organization) };

export const stationPath = { ...organizationPath, station_id: integer('path', station) };

export const seriesQuery = {
  organization_id: refusedWith('bad_request', integer('query', organization)),
  station_id: refusedWith('bad_request', integer('query', station)),
  component_id: refusedWith('bad_request', integer('query', component)),
};

export const windowQuery = {
  window: refusedWith(
    'bad_request',
    oneOf('query', WINDOWS, {
      description:
        'How far back from `generated_at`: the last hour with data, or so many days. ' +
        '`supported_windows` of `/meta` lists those that the snapshot has.',
      example: '1d',
    }),
  ),
};

export function stationOf(values: {
  readonly organization_id: number;
  readonly station_id: number;
}): Pick<SeriesWindow, 'organizationId' | 'stationId'> {
  return { organizationId: values.organization_id, stationId: values.station_id };
}
