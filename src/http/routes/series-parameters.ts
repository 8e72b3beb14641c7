/** Parameters that name organizations, stations and series: of the first API and the export. */
import type { SeriesWindow } from '../../snapshot/local/keys.js';
import { integer } from '../routing/parameters.js';

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
  organization_id: integer('query', organization),
  station_id: integer('query', station),
  component_id: integer('query', component),
};

export function stationOf(values: {
  readonly organization_id: number;
  readonly station_id: number;
}): Pick<SeriesWindow, 'organizationId' | 'stationId'> {
  return { organizationId: values.organization_id, stationId: values.station_id };
}
