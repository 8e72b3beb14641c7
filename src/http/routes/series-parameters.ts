/** Parameters that name organizations, stations and series, for metadata, measurements and the export. */
import type { Values } from '../routing/parameter.js';
import { integer } from '../routing/parameters.js';

/** Examples: ids of the demonstration. */
const [ORGANIZATION, STATION, COMPONENT] = [1, 28005002, 8] as const;

export const organizationPath = { organization_id: integer('path', ORGANIZATION) };

export const stationPath = { ...organizationPath, station_id: integer('path', STATION) };

export const seriesQuery = {
  organization_id: integer('query', ORGANIZATION),
  station_id: integer('query', STATION),
  component_id: integer('query', COMPONENT),
};

export function stationOf(values: Values<typeof stationPath>) {
  return { organizationId: values.organization_id, stationId: values.station_id };
}
