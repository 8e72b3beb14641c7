/** Rows of the table of stations: sorted, and with the current value of one component. */
import type { PortalState, StationSort } from '../page.js';
import { normalizeForSearch } from './search-text.js';
import {
  currentValue,
  isLate,
  newestHour,
  type Portal,
  type PortalStation,
} from './portal-model.js';
import type { Formatters } from './formatters.js';

export type StationRow = ReturnType<typeof stationRows>[number];

/** A row for every station, sorted; also for those that the search does not find, which the map shows. */
export function stationRows(
  portal: Portal,
  componentId: number | undefined,
  { state, format }: { readonly state: PortalState; readonly format: Formatters },
) {
  const query = normalizeForSearch(state.search);
  const newestOfAll = componentId === undefined ? undefined : newestHour(portal, componentId);
  const rows = portal.stations.map((station) => {
    const newest = componentId === undefined ? undefined : station.latest.get(componentId);
    return {
      station,
      current: componentId === undefined ? undefined : currentValue(portal, station, componentId),
      /** The newest value, of any age. */
      newest,
      /** Whether other stations have a value of a newer hour. */
      isLate: isLate(newest, newestOfAll),
      /** Whether the station matches the search. */
      isFound: query === '' || searchText(station).includes(query),
    };
  });
  const { compare } = format;
  const descending = (a = -Infinity, b = -Infinity): number => (a === b ? 0 : b - a);
  /** The highest and the newest come first, missing values last. */
  const orders: Record<
    StationSort,
    (a: (typeof rows)[number], b: (typeof rows)[number]) => number
  > = {
    name: () => 0,
    municipality: ({ station: a }, { station: b }) =>
      compare(a.municipality ?? '\uFFFF', b.municipality ?? '\uFFFF'),
    value: (a, b) => descending(a.current?.value, b.current?.value),
    time: (a, b) => descending(a.newest?.hour, b.newest?.hour),
  };
  return rows.toSorted(
    (a, b) =>
      orders[state.sort](a, b) ||
      compare(a.station.name, b.station.name) ||
      a.station.id - b.station.id,
  );
}

/** Text of a station that a search looks in. */
export function searchText({ name, code, municipality = '', address = '' }: PortalStation): string {
  return normalizeForSearch([name, code, municipality, address].join(' '));
}
