/** Checks of the whole document: references, repeated rows and codes, counts (`docs/snapshot-format.md, "Checks"`). */
import type {
  Component,
  DocumentCounts,
  HourMinute,
  Network,
  Organization,
} from '../domain/model.js';
import { firstAtOrAfter } from '../domain/public.js';
import { dateOfHour, timeOfHour } from '../domain/windows.js';
import type { Columns, OrderedRows } from './rows/columns.js';
import type { ElementList } from './lists.js';
import { unexpected, type Problems } from './problems.js';
import type { StationDraft } from './document-schema.js';

export interface Lists {
  readonly organizations: ElementList<Organization>;
  readonly networks: ElementList<Network>;
  readonly components: ElementList<Component>;
  readonly stations: ElementList<StationDraft>;
}

/** Referenced ids must exist, and public codes must differ. */
export function checkLists(lists: Lists, problems: Problems): void {
  for (const [index, station] of lists.stations.entries()) {
    const path = `stations[${index}]`;
    lists.organizations.checkReference(`${path}.organization_id`, station.organizationId);
    lists.networks.checkReference(`${path}.network_id`, station.networkId);
    for (const [position, id] of (station.componentIds ?? []).entries()) {
      lists.components.checkReference(`${path}.component_ids[${position}]`, id);
    }
  }
  checkCodes(lists.components, problems);
}

/** The short name of a public component is its parameter code, which must be unique. */
function checkCodes(components: ElementList<Component>, problems: Problems): void {
  const codes = new Set<string>();
  for (const [index, { shortName, public: isPublic }] of components.entries()) {
    if (!isPublic) continue;
    if (codes.has(shortName)) {
      problems.add(`components[${index}].short_name`, `repeats ${JSON.stringify(shortName)}`);
    }
    codes.add(shortName);
  }
}

export function checkCounts(
  counts: DocumentCounts,
  lists: Lists,
  rows: number | undefined,
  problems: Problems,
): void {
  const compare = (name: keyof DocumentCounts, list: string, length?: number): void => {
    const stated = counts[name];
    if (length === undefined || length === stated) return;
    problems.add(`counts.${name}`, `says ${stated}, but ${list} has ${length}`);
  };
  for (const name of ['organizations', 'networks', 'stations', 'components'] as const) {
    compare(name, name, lists[name].length);
  }
  compare('measurement_rows', 'measurements', rows);
}

export function checkRowReferences(columns: Columns, { stations, components }: Lists): void {
  const pairs = columns.pairs();
  const isDangling = ({ stationId, componentId }: (typeof pairs)[number]): boolean =>
    stations.lacks(stationId) || components.lacks(componentId);
  if (!pairs.some(isDangling)) return;
  columns.eachRow((row, pair) => {
    const ids = pairs[pair];
    if (ids === undefined || !isDangling(ids)) return;
    stations.checkReference(`measurements[${row}].station_id`, ids.stationId);
    components.checkReference(`measurements[${row}].component_id`, ids.componentId);
  });
}

/** All rows must start at the same minute of the hour. */
export function checkRowMinutes(columns: Columns, minute: HourMinute, problems: Problems): void {
  const expected = `a full hour HH:${String(minute).padStart(2, '0')}`;
  columns.keepMinute(minute, (row, hour) => {
    problems.add(`measurements[${row}].time`, unexpected(expected, timeOfHour(hour)));
  });
}

/** A repeated (station, component, date, time) is a problem of the later row. */
export function checkRepeatedRows(
  columns: Columns,
  ordered: OrderedRows,
  problems: Problems,
): void {
  if (!ordered.repeated) return;
  const { hours } = ordered.observations;
  const seen = new Uint8Array(hours.length);
  columns.eachRow((row, pair, hour) => {
    const series = ordered.seriesOfPair[pair];
    if (series === undefined) return;
    const at = firstAtOrAfter(hours, series, hour);
    if (seen[at] === 0) {
      seen[at] = 1;
      return;
    }
    const { stationId, componentId } = series;
    const when = `${dateOfHour(hour)} ${timeOfHour(hour)}`;
    const message = `repeats station ${stationId}, component ${componentId}, ${when}`;
    problems.add(`measurements[${row}]`, message);
  });
}
