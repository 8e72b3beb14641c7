/** Rows of the table of stations: sorted, and with the current value of one component. */
import type { PortalState, StationSort } from '../page.js';
import { normalizeForSearch } from './search-text.js';
import {
  currentValue,
  isLate,
  newestHour,
  type HourlyValue,
  type Portal,
  type PortalStation,
} from './portal-model.js';
import type { Formatters } from './formatters.js';

export interface StationRow {
  readonly station: PortalStation;
  readonly current: HourlyValue | undefined;
  /** The newest value, of any age. */
  readonly newest: HourlyValue | undefined;
  /** Whether other stations have a value of a newer hour. */
  readonly isLate: boolean;
  /** Whether the station matches the search. */
  readonly isFound: boolean;
}

/** A row for every station, sorted; also for those that the search does not find, which the map shows. */
export function stationRows(
  portal: Portal,
  {
    componentId,
    state,
    format,
  }: {
    readonly componentId: number | undefined;
    readonly state: PortalState;
    readonly format: Formatters;
  },
): readonly StationRow[] {
  const query = normalizeForSearch(state.search);
  const newestOfAll = componentId === undefined ? undefined : newestHour(portal, componentId);
  const rows = portal.stations.map((station): StationRow => {
    const newest = componentId === undefined ? undefined : station.latest.get(componentId);
    return {
      station,
      current: componentId === undefined ? undefined : currentValue(portal, station, componentId),
      newest,
      isLate: isLate(newest, newestOfAll),
      isFound: query === '' || searchText(station).includes(query),
    };
  });
  return rows.toSorted(
    (a, b) =>
      compareBy(state.sort, a, b, format) ||
      format.compare(a.station.name, b.station.name) ||
      a.station.id - b.station.id,
  );
}

function compareBy(sort: StationSort, a: StationRow, b: StationRow, format: Formatters): number {
  switch (sort) {
    case 'name':
      return 0;
    case 'municipality':
      return format.compare(a.station.municipality ?? '\uFFFF', b.station.municipality ?? '\uFFFF');
    // The highest and the newest come first, missing values last.
    case 'value':
      return descending(a.current?.value, b.current?.value);
    case 'time':
      return descending(a.newest?.hour, b.newest?.hour);
  }
}

function descending(a = -Infinity, b = -Infinity): number {
  return a === b ? 0 : b - a;
}

/** Text of a station that a search looks in. */
export function searchText({ name, code, municipality = '', address = '' }: PortalStation): string {
  return normalizeForSearch([name, code, municipality, address].join(' '));
}
