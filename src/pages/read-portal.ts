/** Reads the data of the portal from a local copy. */
import type { SeriesKey } from '../snapshot/local/observations/series-list.js';
import type { SnapshotReader } from '../snapshot/local/reader.js';
import type { Component } from '../snapshot/domain/model.js';
import type { CopyRecords } from '../snapshot/local/records.js';
import { windowHours, type HourInterval } from '../snapshot/domain/windows.js';
import {
  type ChartSeries,
  type HourlyValue,
  type Portal,
  type PortalComponent,
  type PortalStation,
  type StationDetail,
  type StationSeries,
} from '../views/pages/portal/portal-model.js';
import type { CatalogInput } from '../views/catalog/distributions.js';
import { boundingBox } from '../views/hvd/bounding-box.js';
import { isFixed, type Comparison, type Period } from '../views/pages/page.js';
import { comparableComponents } from '../views/pages/portal/comparison.js';
import { heldPart } from '../views/pages/portal/period.js';
import { isMeteorological } from '../views/pages/portal/notation.js';
import { normalizeForSearch, searchText } from '../views/pages/portal/search.js';
import { sharedValues } from '../views/pages/portal/shared.js';
import type { OpenSnapshot } from '../workers/open-snapshot.js';

/** The data of the catalogue, and of pages about the dataset. @throws {SnapshotError} `copy_damaged`. */
export function readCatalog(snapshot: OpenSnapshot, hasArchive: boolean): CatalogInput {
  const { reader } = snapshot;
  const { components } = readPortal(snapshot);
  return {
    header: reader.header,
    publisher: reader.record('publisher') ?? undefined,
    components,
    hasWeather: components.some(isMeteorological),
    box: boundingBox(snapshot.network().stations),
    files: reader.record('bundle'),
    hasArchive,
  };
}

/** Portals of the open snapshots of this thread. */
const portals = new WeakMap<OpenSnapshot, Portal>();

/** The portal of a snapshot, read once in each thread. @throws {SnapshotError} `copy_damaged`. */
export function readPortal(snapshot: OpenSnapshot): Portal {
  const known = portals.get(snapshot);
  if (known !== undefined) return known;
  const { reader } = snapshot;
  const network = reader.record('network');
  const ranges = new Map(network.ranges.map(([id, ...range]) => [id, range]));
  const stations = asStations(network);
  const portal: Portal = {
    header: reader.header,
    components: network.components.map(asComponent),
    stations,
    operators: network.organizations.map(({ name }) => name),
    rangeOf: (componentId) => ranges.get(componentId) ?? [Infinity, -Infinity],
    valuesIn: (componentId, interval) =>
      days(portal, `${componentId} ${interval.from} ${interval.to}`, () =>
        readValues(snapshot, stations, { componentId, interval }),
      ),
  };
  portals.set(snapshot, portal);
  return portal;
}

const days = sharedValues<ReturnType<Portal['valuesIn']>>(32);

function readValues(
  snapshot: OpenSnapshot,
  stations: readonly PortalStation[],
  hours: ComponentHours,
): ReturnType<Portal['valuesIn']> {
  const series = readMeasuring(snapshot, stations, hours);
  return new Map(
    series.flatMap(({ station, points }) => (points.length === 0 ? [] : [[station.id, points]])),
  );
}

/** One component over some hours, at the given stations that measure it. */
export function readMeasuring(
  snapshot: OpenSnapshot,
  stations: readonly PortalStation[],
  hours: ComponentHours,
): readonly StationSeries[] {
  return stations
    .filter(({ componentIds }) => componentIds.includes(hours.componentId))
    .map((station) => ({
      station,
      interval: hours.interval,
      points: pointsOf(snapshot, station, hours),
    }));
}

/** Hours of a period that have left the snapshot. */
export interface OlderHours {
  readonly componentId: number;
  /** The period, without hours after the snapshot. */
  readonly interval: HourInterval;
  readonly points: readonly HourlyValue[];
}

/** A station with all public components in one period; undefined for an unknown station. */
export function readStation(
  snapshot: OpenSnapshot,
  { stationId, period }: { readonly stationId: number; readonly period: Period },
  older?: OlderHours,
): StationDetail | undefined {
  const { stations, components } = readPortal(snapshot);
  const station = stations.find(({ id }) => id === stationId);
  if (station === undefined) return undefined;
  const latest = [...station.latest.values()];
  const interval = older?.interval ?? intervalOf(snapshot.reader, latest, period);
  const series = components
    .filter(({ id }) => station.componentIds.includes(id))
    .map((component) => {
      const hours = { componentId: component.id, interval };
      const first = older?.componentId === component.id ? older.points : [];
      return { component, points: [...first, ...pointsOf(snapshot, station, hours)] };
    });
  return { station, interval, series };
}

/** One component at one station in one period; undefined for an unknown station. */
export function readStationSeries(
  snapshot: OpenSnapshot,
  ids: { readonly stationId: number; readonly componentId: number; readonly period: Period },
  older?: OlderHours,
): StationSeries | undefined {
  const { stationId, componentId, period } = ids;
  const station = readPortal(snapshot).stations.find(({ id }) => id === stationId);
  if (station === undefined) return undefined;
  const newest = station.latest.get(componentId);
  const latest = newest === undefined ? [] : [newest];
  const interval = older?.interval ?? intervalOf(snapshot.reader, latest, period);
  const points = pointsOf(snapshot, station, { componentId, interval });
  return { station, interval, points: [...(older?.points ?? []), ...points] };
}

/** The series that a chart compares a station's component with, over the same hours; incomparable ones are left out. */
export function readCompared(
  snapshot: OpenSnapshot,
  { of, ids }: Comparison,
  { station, component, interval }: Pick<ChartSeries, 'station' | 'component' | 'interval'>,
): readonly ChartSeries[] {
  const portal = readPortal(snapshot);
  const compared =
    of === 'stations'
      ? portal.stations.map((one) => ({ id: one.id, station: one, component }))
      : comparableComponents(portal, station, component).map((one) => ({
          id: one.id,
          station,
          component: one,
        }));
  const byId = new Map(compared.map(({ id, ...one }) => [id, one]));
  return ids
    .flatMap((id) => byId.get(id) ?? [])
    .map((one) => ({
      ...one,
      interval,
      points: pointsOf(snapshot, one.station, { componentId: one.component.id, interval }),
    }));
}

interface ComponentHours {
  readonly componentId: number;
  readonly interval: HourInterval;
}

/** The hours with a value, ascending; empty where the station does not measure the component. */
function pointsOf(
  { reader, series: list }: OpenSnapshot,
  { id }: PortalStation,
  { componentId, interval }: ComponentHours,
): readonly HourlyValue[] {
  const points: HourlyValue[] = [];
  const key: SeriesKey = [id, componentId];
  if (!list.has(key)) return points;
  const series = reader.series(key);
  const end = series.firstAtOrAfter(interval.to);
  for (let record = series.firstAtOrAfter(interval.from); record < end; record += 1) {
    const value = series.value(record);
    if (!Number.isNaN(value)) points.push({ hour: series.hour(record), value });
  }
  return points;
}

/** The hours of a period that the snapshot holds. `1h` is the last hour of `1d` with a value, as in `last_hour`. */
function intervalOf(
  reader: SnapshotReader,
  values: readonly HourlyValue[],
  period: Period,
): HourInterval {
  const { header } = reader;
  if (isFixed(period)) return heldPart(period, header);
  if (period !== '1h') return windowHours(period, header);
  const { from, to } = windowHours('1d', header);
  const newest = Math.max(...values.map(({ hour }) => hour));
  const last = newest >= from && newest < to ? newest : to - 1;
  return { from: last, to: last + 1 };
}

function asStations({ stations, newest }: CopyRecords['network']): readonly PortalStation[] {
  const latest = new Map(stations.map(({ id }) => [id, new Map<number, HourlyValue>()]));
  for (const [id, componentId, hour, value] of newest)
    latest.get(id)?.set(componentId, { hour, value });
  return stations.map(({ longitude, latitude, city, municipality = city, ...station }) => ({
    ...station,
    municipality,
    town: repeats(station.name, municipality) ? undefined : municipality,
    searchText: searchText({ ...station, municipality }),
    position:
      longitude === undefined || latitude === undefined ? undefined : { longitude, latitude },
    latest: latest.get(station.id) ?? new Map<number, HourlyValue>(),
  }));
}

function repeats(name: string, municipality = ''): boolean {
  return normalizeForSearch(name).includes(normalizeForSearch(municipality));
}

/** Older versions of the document have the component's name among the additional members. */
function asComponent({ id, shortName: code, unit, ...component }: Component): PortalComponent {
  const name = component.parameterName ?? component.additional['parameter_name'];
  const isText = typeof name === 'string' && name.trim() !== '';
  return { id, code, unit, name: isText ? name : undefined };
}
