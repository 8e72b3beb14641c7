/** Data of the portal: stations with their newest values, and the series of one station. */
import { isDirection } from '../../../snapshot/domain/units.js';
import type {
  SnapshotHeader,
  Station,
  StationType,
  Window,
} from '../../../snapshot/domain/model.js';
import { HOUR_MS, hourFrom, type HourInterval } from '../../../snapshot/domain/windows.js';
import type { Coordinates } from '../map/frame.js';
import { AGE_HOURS_MAX, DEFAULT_WINDOW, isFixed, type Period } from '../page.js';

export interface PortalComponent {
  readonly id: number;
  /** Code of the operator, which may be any text: `PM10`, `Ethyl benzene`. */
  readonly code: string;
  readonly unit: string;
  readonly name: string | undefined;
}

/** One value of one series; `hour` is its start since the epoch, UTC; value in the component's unit. */
export interface HourlyValue {
  readonly hour: number;
  readonly value: number;
}

/** A station with the ids of its public components, with or without values. */
export interface PortalStation extends Pick<
  Station,
  'id' | 'organizationId' | 'name' | 'code' | 'active' | 'componentIds'
> {
  /** The municipality, else the city. */
  readonly municipality: string | undefined;
  /** The municipality; undefined when the station's name contains it. */
  readonly town: string | undefined;
  readonly address?: string | undefined;
  readonly stationType?: StationType | undefined;
  readonly elevationM?: number | undefined;
  /** Normalized text for `searchStations`. */
  readonly searchText: string;
  readonly position: Coordinates | undefined;
  /** Newest values by component id. */
  readonly latest: ReadonlyMap<number, HourlyValue>;
}

/** Data of one snapshot that all states of the portal share. */
export interface Portal {
  readonly header: SnapshotHeader;
  /** Names of the organizations, in the order of the snapshot. */
  readonly operators: readonly string[];
  readonly components: readonly PortalComponent[];
  readonly stations: readonly PortalStation[];
  /** Lowest and highest value of a component in the longest window; without a value `[Infinity, -Infinity]`. */
  readonly rangeOf: (componentId: number) => readonly [lowest: number, highest: number];
  /** The values of a component in some hours, by station id. */
  readonly valuesIn: (
    componentId: number,
    interval: HourInterval,
  ) => ReadonlyMap<number, readonly HourlyValue[]>;
}

/** Values of one component, ascending by hour. */
export type PortalSeries = Pick<ChartSeries, 'component' | 'points'>;

/** One station over one period, with every public component. */
export interface StationDetail extends Pick<StationSeries, 'station' | 'interval'> {
  readonly series: readonly PortalSeries[];
}

/** A component at one station, over an interval. */
export interface StationSeries {
  readonly station: PortalStation;
  readonly interval: HourInterval;
  /** Ascending by hour; empty where the station does not measure the component. */
  readonly points: readonly HourlyValue[];
}

export interface ChartSeries extends StationSeries {
  readonly component: PortalComponent;
}

/** Lines of one chart: the open station's first. */
export type ChartLines = readonly [ChartSeries, ...ChartSeries[]];

/** Age limit of current values, in hours; the panel shows older values with their time, the map does not. */
const CURRENT_HOURS = 24;

/** The newest value of a station, unless older than a day when the snapshot was generated. */
export function currentValue(
  { header }: Portal,
  { latest }: PortalStation,
  componentId: number,
): HourlyValue | undefined {
  const newest = latest.get(componentId);
  const endHour = hourFrom(header.generatedAtMs, header);
  return newest !== undefined && newest.hour >= endHour - CURRENT_HOURS ? newest : undefined;
}

/** The newest hour with a value of any station, for comparisons. Undefined without a current value. */
export function newestHour(portal: Portal, componentId: number): number | undefined {
  const hours = portal.stations.flatMap(
    (station) => currentValue(portal, station, componentId)?.hour ?? [],
  );
  return hours.length === 0 ? undefined : maxOf(hours);
}

/** Maximum of many values: `Math.max` takes a limited number of arguments. */
export function maxOf(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), -Infinity);
}

/** Whether a station's newest value is older than the component's newest hour. */
export function isLate(
  newest: HourlyValue | undefined,
  newestOfAll: number | undefined,
): newest is HourlyValue {
  return newest !== undefined && newestOfAll !== undefined && newest.hour < newestOfAll;
}

/** The time at which a page is read, by the age of the snapshot; undefined if the age is too great to be known. */
export function readingTime({ header }: Portal, ageHours: number): number | undefined {
  return ageHours < AGE_HOURS_MAX ? header.generatedAtMs + ageHours * HOUR_MS : undefined;
}

/** The requested period; for a window only if the snapshot supports it. */
export function shownPeriod(portal: Portal, requested: Period): Period {
  return isFixed(requested) ? requested : shownWindow(portal, requested);
}

function shownWindow({ header }: Portal, requested: Window): Window {
  const windows: readonly Window[] = header.supportedWindows;
  return (
    [requested, DEFAULT_WINDOW].find((one) => windows.includes(one)) ?? windows[0] ?? requested
  );
}

/** The longest supported window of at least a day; undefined without such a window. */
export function longestWindow({ header }: Pick<Portal, 'header'>) {
  return header.supportedWindows.filter((window) => window !== '1h').at(-1);
}

/** Pollutants that people look for first. */
const FIRST_CODES = ['PM10', 'PM2.5', 'NO2', 'O3', 'SO2', 'CO'];

/** Components for the picker: well-known pollutants, then the others by id. */
export function orderedComponents({ components }: Portal): readonly PortalComponent[] {
  const rank = ({ code }: PortalComponent): number => {
    const index = FIRST_CODES.indexOf(code.toUpperCase());
    return index < 0 ? FIRST_CODES.length : index;
  };
  return components.toSorted((a, b) => rank(a) - rank(b) || a.id - b.id);
}

/** Components whose values have an order: all but directions. */
export function rankedComponents(portal: Portal): readonly PortalComponent[] {
  return orderedComponents(portal).filter((component) => !isDirection(component));
}

/** `shownComponent` among `rankedComponents`; undefined if the network measures directions only. */
export function rankedComponent(
  portal: Portal,
  chosen: number | undefined,
  station?: PortalStation,
): PortalComponent | undefined {
  const components = rankedComponents(portal);
  return components.length === 0
    ? undefined
    : shownComponent({ ...portal, components }, { chosen, station });
}

/** The chosen component, else the first with a current value (at the station, if given), else the first. */
export function shownComponent(
  portal: Portal,
  {
    chosen,
    station,
  }: { readonly chosen: number | undefined; readonly station?: PortalStation | undefined },
): PortalComponent | undefined {
  const ordered = orderedComponents(portal);
  const existing = ordered.find(({ id }) => id === chosen);
  if (existing !== undefined) return existing;
  const ofStation = ordered.filter(({ id }) => station?.componentIds.includes(id) ?? true);
  const measured = ofStation.find(({ id }) =>
    (station === undefined ? portal.stations : [station]).some(
      (one) => currentValue(portal, one, id) !== undefined,
    ),
  );
  return measured ?? ofStation[0] ?? ordered[0];
}
