/** Rows of the table of stations: found, sorted, with the current value of one component. */
import { distanceM } from '../../../snapshot/domain/selection.js';
import { isDirection } from '../../../snapshot/domain/units.js';
import type { PortalState, StationSort } from '../page.js';
import type { Formatters } from './formatters.js';
import { dayAround } from './map-hours.js';
import {
  currentValue,
  isLate,
  newestHour,
  type HourlyValue,
  type Portal,
  type PortalStation,
} from './portal-model.js';
import { searchStations, type Place } from './search.js';

export interface StationRow {
  readonly station: PortalStation;
  readonly current: HourlyValue | undefined;
  /** The newest value, of any age. */
  readonly newest: HourlyValue | undefined;
  /** Whether other stations have a newer value. */
  readonly isLate: boolean;
  readonly isMeasuring: boolean;
  readonly isFound: boolean;
  /** Distance to the searched place. */
  readonly distanceM: number | undefined;
}

interface RowOptions {
  readonly state: PortalState;
  readonly format: Formatters;
  /** Towns, which are searched when no station matches. */
  readonly places: readonly Place[];
}

/** A row for every station, sorted; also for unmatched ones, which the map shows. */
export function stationRows(
  portal: Portal,
  componentId: number,
  { state, format, places }: RowOptions,
) {
  const newestOfAll = newestHour(portal, componentId);
  const searched = portal.stations.map((station) => ({
    ...station.position,
    station,
    text: station.searchText,
    isMeasuring: station.componentIds.includes(componentId),
  }));
  const { stations: found, place } = searchStations(state.search, searched, places);
  const ranks = new Map(found.map(({ station }, rank) => [station.id, rank]));
  const atHour =
    state.hour === undefined ? undefined : valuesAt(portal, componentId, state.hour, format);
  const rows = searched.map(({ station, isMeasuring }): StationRow => {
    const newest = atHour === undefined ? station.latest.get(componentId) : atHour.get(station.id);
    return {
      station,
      current: atHour === undefined ? currentValue(portal, station, componentId) : newest,
      newest,
      isLate: atHour === undefined && isLate(newest, newestOfAll),
      isMeasuring,
      isFound: ranks.has(station.id),
      distanceM: place && distanceM(station.position ?? {}, place),
    };
  });
  return {
    rows: rows.toSorted(
      orderOf({
        state,
        ranks,
        isNear: place !== undefined,
        isRanked: !portal.components.some((one) => one.id === componentId && isDirection(one)),
        names: nameOrder(portal, format),
      }),
    ),
    place,
  };
}

/** The values of one hour, by station. */
function valuesAt(
  portal: Portal,
  componentId: number,
  hour: number,
  format: Formatters,
): ReadonlyMap<number, HourlyValue> {
  return new Map(
    [...portal.valuesIn(componentId, dayAround(hour, portal, format))].flatMap(([id, points]) => {
      const point = points.find((one) => one.hour === hour);
      return point === undefined ? [] : [[id, point]];
    }),
  );
}

type Compare = (a: StationRow, b: StationRow) => number;

interface Order extends Pick<RowOptions, 'state'> {
  readonly ranks: ReadonlyMap<number, number>;
  readonly isNear: boolean;
  /** Whether the values have an order: false for directions. */
  readonly isRanked: boolean;
  readonly names: ReadonlyMap<number, number>;
}

/**
 * By distance to a searched place, if any; then stations that measure the component before others; then by the chosen
 * order (values and times highest or newest first, missing ones last); then by name.
 */
function orderOf({ state, ranks, isNear, isRanked, names }: Order): Compare {
  const orders: Record<StationSort, Compare> = {
    name: () => 0,
    value: (a, b) => (isRanked ? descending(a.current?.value, b.current?.value) : 0),
    time: (a, b) => descending(a.newest?.hour, b.newest?.hour),
  };
  const rankOf = ({ station }: StationRow): number => ranks.get(station.id) ?? Infinity;
  return (a, b) =>
    (isNear ? rankOf(a) - rankOf(b) || 0 : 0) ||
    Number(b.isMeasuring) - Number(a.isMeasuring) ||
    orders[state.sort](a, b) ||
    byRank(names)(a.station, b.station);
}

/** Highest first, missing last. */
export function descending(a = -Infinity, b = -Infinity): number {
  return a === b ? 0 : b - a;
}

/** Alphabetical ranks in the page's language. */
export function nameOrder(portal: Portal, format: Formatters): ReadonlyMap<number, number> {
  const sorted = portal.stations.toSorted((a, b) => format.compare(a.name, b.name) || a.id - b.id);
  return new Map(sorted.map(({ id }, rank) => [id, rank]));
}

export function byRank(ranks: ReadonlyMap<number, number>) {
  return (a: { readonly id: number }, b: { readonly id: number }): number =>
    (ranks.get(a.id) ?? 0) - (ranks.get(b.id) ?? 0);
}
