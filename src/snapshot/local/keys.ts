/** Keys of a local copy's entries: names of finished answers, and keys of observation records in their order. */
import type { Window } from '../domain/model.js';

/**
 * Names of finished answers. Ids are validated integers, so that no name is built from a client's text; a
 * station's names begin with its organization, so that it is not found under another one.
 */
export const answerKey = {
  manifest: 'meta',
  organizations: 'organizations',
  networks: 'networks',
  stations: 'stations',
  components: 'components',
  hvdDescriptor: 'hvd/metadata',
  hvdParameters: 'hvd/parameters',
  bulkIndex: 'hvd/bulk',
  organizationStations: (organizationId: number): string => `${organizationId}/stations`,
  stationMetadata: (station: StationPath): string => stationKey(station, 'meta'),
  lastHour: (station: StationPath): string => stationKey(station, 'last_hour'),
  last24Hours: (station: StationPath): string => stationKey(station, 'last_24h'),
  timeSeries: (series: SeriesWindow): string =>
    stationKey(series, `${series.componentId}/${series.window}`),
} as const;

interface StationPath {
  readonly organizationId: number;
  readonly stationId: number;
}

/** One series, as far back as a window goes. */
export interface SeriesWindow extends StationPath {
  readonly componentId: number;
  readonly window: Window;
}

function stationKey({ organizationId, stationId }: StationPath, rest: string): string {
  return `${organizationId}/${stationId}/${rest}`;
}

/** Records that a copy has one of; the header is written last. */
export type CopyRecord =
  | 'files'
  | 'chunks'
  | 'bundle'
  | 'station-filter'
  | 'latest'
  | 'publisher'
  | 'catalog'
  | 'public-ids'
  | 'header';

/** Keys of observation records: a window of one series is one range. */
export type ObservationKey = [stationId: number, componentId: number, day: number];

/** UTC day of an hour, both since the epoch. */
export function dayOfHour(hour: number): number {
  return Math.floor(hour / 24);
}
