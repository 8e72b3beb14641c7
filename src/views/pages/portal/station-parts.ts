/** Caches the parts of each station on map and table, which are independent of order, search and panel. */
import { markerParts } from './map-view.js';
import type { Portal } from './portal-model.js';
import { sharedValues } from './shared.js';
import type { StationRow } from './stations.js';
import { rowParts, type PartsOptions } from './table-view.js';

/** Cached parts by station, for each component, hour and language: 600 kB for 300 stations. */
const cachedParts = sharedValues<Map<number, ReturnType<typeof viewStation>>>(24);

export function stationParts(
  portal: Portal,
  options: PartsOptions,
  chosenHour: number | undefined,
) {
  const { component, hours, wind, format } = options;
  const choice = [component.id, chosenHour, hours[0], hours.length, wind !== undefined];
  const parts = cachedParts(portal, [...choice, format.key].join(' '), () => new Map());
  return (row: StationRow) => {
    const { id } = row.station;
    const made = parts.get(id) ?? viewStation(row, options);
    parts.set(id, made);
    return made;
  };
}

function viewStation(row: StationRow, options: PartsOptions) {
  return { marker: markerParts(row, options), row: rowParts(row, options) };
}
