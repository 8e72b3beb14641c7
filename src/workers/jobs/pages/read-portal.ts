/** Reads the data of the portal from a local copy; they are the same that the API answers with. */
import { answerKey } from '../../../snapshot/local/keys.js';
import type { SeriesKey } from '../../../snapshot/local/observations/series-list.js';
import type { SnapshotReader } from '../../../snapshot/local/reader.js';
import { STATION_TYPES, type Window } from '../../../snapshot/domain/model.js';
import { HOUR_MS, windowHours, type HourInterval } from '../../../snapshot/domain/windows.js';
import {
  longestWindow,
  type HourlyValue,
  type Portal,
  type PortalComponent,
  type PortalStation,
  type StationDetail,
  type StationSeries,
} from '../../../views/pages/portal/portal-model.js';
import type { OpenSnapshot } from '../../open-snapshot.js';
import {
  asArray,
  asNumber,
  asObject,
  asOptional,
  asString,
  readAnswer,
  readAnswerList,
} from '../answers/read-finished.js';

/** Portals of the snapshots that this thread has open. One of 28 stations takes 1 ms to read, of a page's 6. */
const portals = new WeakMap<OpenSnapshot, Portal>();

/**
 * The portal of a snapshot, read once in each thread: every state shows the same stations.
 *
 * @throws {SnapshotError} `copy_damaged`.
 */
export function readPortal(snapshot: OpenSnapshot): Portal {
  let portal = portals.get(snapshot);
  if (portal === undefined) {
    const { reader } = snapshot;
    const components = readAnswerList(reader, answerKey.components).map(asComponent);
    const stations = readStations(reader, components);
    const days = new Map<number, ReturnType<Portal['lastDayOf']>>();
    const ranges = new Map<number, ReturnType<Portal['rangeOf']>>();
    portal = {
      ...{ header: reader.header, components, stations },
      operators: readAnswerList(reader, answerKey.organizations).map(({ name }) => asString(name)),
      rangeOf(componentId) {
        const range = ranges.get(componentId) ?? readRange(snapshot, stations, componentId);
        ranges.set(componentId, range);
        return range;
      },
      lastDayOf(componentId) {
        const day = days.get(componentId) ?? readLastDay(snapshot, stations, componentId);
        days.set(componentId, day);
        return day;
      },
    };
    portals.set(snapshot, portal);
  }
  return portal;
}

/** As `Portal.rangeOf`: 1 ms for the month of 28 stations, so only the components that pages show are read. */
function readRange(
  snapshot: OpenSnapshot,
  stations: readonly PortalStation[],
  componentId: number,
): ReturnType<Portal['rangeOf']> {
  const { header } = snapshot.reader;
  const interval = windowHours(longestWindow({ header }) ?? '1d', header.generatedAtMs);
  let [lowest, highest] = [Infinity, -Infinity];
  for (const station of stations) {
    eachValue(snapshot, station, { componentId, interval }, (_, value) => {
      if (value < lowest) lowest = value;
      if (value > highest) highest = value;
    });
  }
  return [lowest, highest];
}

/** As `Portal.lastDayOf`. */
function readLastDay(
  snapshot: OpenSnapshot,
  stations: readonly PortalStation[],
  componentId: number,
): ReturnType<Portal['lastDayOf']> {
  const interval = windowHours('1d', snapshot.reader.header.generatedAtMs);
  return new Map(
    stations.flatMap((station) => {
      const points = pointsOf(snapshot, station, { componentId, interval });
      return points.length === 0 ? [] : [[station.id, points]];
    }),
  );
}

/** One station with the values of all public components in one window; undefined where there is no such station. */
export function readStation(
  snapshot: OpenSnapshot,
  { stationId, window }: { readonly stationId: number; readonly window: Window },
): StationDetail | undefined {
  const { stations, components } = readPortal(snapshot);
  const station = stations.find(({ id }) => id === stationId);
  if (station === undefined) return undefined;
  const interval = intervalOf(snapshot.reader, station, window);
  const series = components
    .filter(({ id }) => station.componentIds.includes(id))
    .map((component) => {
      const period = { componentId: component.id, interval };
      return { component, points: pointsOf(snapshot, station, period) };
    });
  return { station, interval, series };
}

/** One component at one station in one window; undefined where there is no such station. */
export function readStationSeries(
  snapshot: OpenSnapshot,
  ids: { readonly stationId: number; readonly componentId: number; readonly window: Window },
): StationSeries | undefined {
  const { stationId, componentId, window } = ids;
  const station = readPortal(snapshot).stations.find(({ id }) => id === stationId);
  if (station === undefined) return undefined;
  const interval = intervalOf(snapshot.reader, station, window);
  return { station, interval, points: pointsOf(snapshot, station, { componentId, interval }) };
}

/** The same component and hours at another station; undefined where that does not measure it, or is none. */
export function readCompared(
  snapshot: OpenSnapshot,
  stationId: number | undefined,
  period: Period,
): StationSeries | undefined {
  const station = readPortal(snapshot).stations.find(({ id }) => id === stationId);
  if (station?.componentIds.includes(period.componentId) !== true) return undefined;
  return { station, interval: period.interval, points: pointsOf(snapshot, station, period) };
}

interface Period {
  readonly componentId: number;
  readonly interval: HourInterval;
}

/** The hours of a period that have a value, ascending. */
function pointsOf(
  snapshot: OpenSnapshot,
  station: PortalStation,
  period: Period,
): readonly HourlyValue[] {
  const points: HourlyValue[] = [];
  eachValue(snapshot, station, period, (hour, value) => {
    points.push({ hour, value });
  });
  return points;
}

/** Calls `visit` with each hour that has a value, ascending; never where the station does not measure the component. */
function eachValue(
  { reader, series: list }: OpenSnapshot,
  { id, componentIds }: PortalStation,
  { componentId, interval }: Period,
  visit: (hour: number, value: number) => void,
): void {
  const key: SeriesKey = [id, componentId];
  if (!componentIds.includes(componentId) || !list.has(key)) return;
  const series = reader.series(key);
  const end = series.firstAtOrAfter(interval.to);
  for (let record = series.firstAtOrAfter(interval.from); record < end; record += 1) {
    const value = series.value(record);
    if (!Number.isNaN(value)) visit(series.hour(record), value);
  }
}

/** The window `1h` is the last hour of the day that has any value, as in `last_hour`. */
function intervalOf(reader: SnapshotReader, station: PortalStation, window: Window): HourInterval {
  const { generatedAtMs } = reader.header;
  if (window !== '1h') return windowHours(window, generatedAtMs);
  const { from, to } = windowHours('1d', generatedAtMs);
  const newest = Math.max(...[...station.latest.values()].map(({ hour }) => hour));
  const last = newest >= from && newest < to ? newest : to - 1;
  return { from: last, to: last + 1 };
}

function readStations(
  reader: SnapshotReader,
  components: readonly PortalComponent[],
): readonly PortalStation[] {
  const latest = readLatest(reader, components);
  return readAnswerList(reader, answerKey.stations).map((station) => {
    const id = asNumber(station['station_id']);
    const organizationId = asNumber(station['organization_id']);
    const metadata = readAnswer(
      reader,
      answerKey.stationMetadata({ organizationId, stationId: id }),
    );
    const longitude = asOptional(station['longitude'], asNumber);
    const latitude = asOptional(station['latitude'], asNumber);
    const componentIds = asArray(asObject(metadata)['public_components']).map((component) =>
      asNumber(asObject(component)['component_id']),
    );
    return {
      id,
      organizationId,
      name: asString(station['station_name']),
      code: asString(station['station_code']),
      municipality: asText(station['municipality']) ?? asText(station['city']),
      address: asText(station['address']),
      stationType: STATION_TYPES.find((type) => type === station['station_type']),
      elevationM: asOptional(station['elevation_m'], asNumber),
      position:
        longitude === undefined || latitude === undefined ? undefined : { longitude, latitude },
      active: station['active'] !== false,
      componentIds,
      latest: latest.get(id) ?? new Map<number, HourlyValue>(),
    };
  });
}

/** Newest values by station id and component id. */
function readLatest(
  reader: SnapshotReader,
  components: readonly PortalComponent[],
): ReadonlyMap<number, Map<number, HourlyValue>> {
  const ids = new Map(components.map(({ code, id }) => [code, id]));
  const stations = new Map<number, Map<number, HourlyValue>>();
  for (const { stationId, parameterCode, text } of reader.record('latest')) {
    const componentId = ids.get(parameterCode);
    const { time_start_utc: start, value } = asObject(JSON.parse(text));
    if (componentId === undefined || typeof value !== 'number') continue;
    const hour = Date.parse(asString(start)) / HOUR_MS;
    const values = stations.get(Number(stationId));
    if (values === undefined)
      stations.set(Number(stationId), new Map([[componentId, { hour, value }]]));
    else values.set(componentId, { hour, value });
  }
  return stations;
}

function asComponent(component: Readonly<Record<string, unknown>>): PortalComponent {
  return {
    id: asNumber(component['component_id']),
    code: asString(component['short_name']),
    unit: asString(component['unit']),
    name: asText(component['parameter_name']),
  };
}

/** Undefined for an empty text. */
function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
