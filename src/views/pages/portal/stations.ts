/** The table of stations: found, sorted, and with what each measures now. */
import type { PortalState, StationSort } from '../page.js';
import { folded } from './search-text.js';
import { currentValue, type HourlyValue, type Portal, type PortalStation } from './portal-model.js';
import type { Wording } from './wording.js';

export interface StationRow {
  readonly station: PortalStation;
  readonly current: HourlyValue | undefined;
  /** The newest value, however old it is. */
  readonly newest: HourlyValue | undefined;
  /** Whether the search finds it. */
  readonly isFound: boolean;
}

/** Every station, sorted; what the search does not find is there too, for the map. */
export function stationRows(
  portal: Portal,
  {
    componentId,
    state,
    wording,
  }: {
    readonly componentId: number | undefined;
    readonly state: PortalState;
    readonly wording: Wording;
  },
): readonly StationRow[] {
  const sought = folded(state.search);
  const rows = portal.stations.map((station): StationRow => ({
    station,
    current: componentId === undefined ? undefined : currentValue(portal, station, componentId),
    newest: componentId === undefined ? undefined : station.latest.get(componentId),
    isFound: sought === '' || searchText(station).includes(sought),
  }));
  return rows.toSorted(
    (a, b) =>
      compareBy(state.sort, a, b, wording) ||
      wording.compare(a.station.name, b.station.name) ||
      a.station.id - b.station.id,
  );
}

function compareBy(sort: StationSort, a: StationRow, b: StationRow, wording: Wording): number {
  switch (sort) {
    case 'name':
      return 0;
    case 'municipality':
      return wording.compare(
        a.station.municipality ?? '\uFFFF',
        b.station.municipality ?? '\uFFFF',
      );
    // The highest and the newest first: what is missing comes last.
    case 'value':
      return descending(a.current?.value, b.current?.value);
    case 'time':
      return descending(a.newest?.hour, b.newest?.hour);
  }
}

function descending(a = -Infinity, b = -Infinity): number {
  return a === b ? 0 : b - a;
}

/** What a search goes through: names and codes, without case, marks, or script. */
export function searchText({ name, code, municipality = '', address = '' }: PortalStation): string {
  return folded([name, code, municipality, address].join(' '));
}
