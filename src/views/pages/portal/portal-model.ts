/** What the portal is made of: stations, what they measured last, and the series of one of them. Plain data. */
import type { SnapshotHeader, StationType, Window } from '../../../snapshot/domain/model.js';
import type { HourInterval } from '../../../snapshot/domain/windows.js';
import { DEFAULT_WINDOW } from '../page.js';

export interface PortalComponent {
  readonly id: number;
  /** Opaque text of the operator: `PM10`, `Ethyl benzene`. */
  readonly code: string;
  readonly unit: string;
  /** Where the snapshot states one. */
  readonly name: string | undefined;
}

/** One hour of one series; `hour` since the epoch, UTC, names its start; value in the component's unit. */
export interface HourlyValue {
  readonly hour: number;
  readonly value: number;
}

export interface PortalStation {
  readonly id: number;
  readonly organizationId: number;
  readonly name: string;
  readonly code: string;
  /** The municipality, or the city where none is stated. */
  readonly municipality: string | undefined;
  readonly address: string | undefined;
  readonly stationType: StationType | undefined;
  /** WGS84 decimal degrees. */
  readonly position: Position | undefined;
  readonly active: boolean;
  /** Public components, ascending, whether they have values or not. */
  readonly componentIds: readonly number[];
  /** Newest value of each component that has any. */
  readonly latest: ReadonlyMap<number, HourlyValue>;
}

interface Position {
  readonly longitude: number;
  readonly latitude: number;
}

/** The same for every state of one snapshot. */
export interface Portal {
  readonly header: SnapshotHeader;
  /** Names of the organizations, in their order. */
  readonly operators: readonly string[];
  readonly components: readonly PortalComponent[];
  /** Ascending by id. */
  readonly stations: readonly PortalStation[];
}

/** Values that are there, ascending by hour. */
export interface PortalSeries {
  readonly component: PortalComponent;
  readonly points: readonly HourlyValue[];
}

/** One station over one window: every public component, those without values too. */
export interface StationDetail {
  readonly station: PortalStation;
  readonly interval: HourInterval;
  readonly series: readonly PortalSeries[];
}

/** Older values are not what the air is like now: they are shown in the panel, with their time, but not on the map. */
const CURRENT_HOURS = 24;

/** What a station measures now: its newest value, unless that is older than a day at the time of the snapshot. */
export function currentValue(
  { header }: Portal,
  { latest }: PortalStation,
  componentId: number,
): HourlyValue | undefined {
  const newest = latest.get(componentId);
  const endHour = Math.ceil(header.generatedAtMs / 3_600_000);
  return newest !== undefined && newest.hour >= endHour - CURRENT_HOURS ? newest : undefined;
}

/** The window that is shown: the wished one, where the snapshot has it. */
export function shownWindow({ header }: Portal, wished: Window): Window {
  const windows: readonly Window[] = header.supportedWindows;
  return [wished, DEFAULT_WINDOW].find((one) => windows.includes(one)) ?? windows[0] ?? wished;
}

/** What people ask for first. */
const FIRST_CODES = ['PM10', 'PM2.5', 'NO2', 'O3', 'SO2', 'CO'];

/** Components in the order of the picker: the pollutants that people ask for, then the others by id. */
export function orderedComponents({ components }: Portal): readonly PortalComponent[] {
  const rank = ({ code }: PortalComponent): number => {
    const index = FIRST_CODES.indexOf(code.toUpperCase());
    return index < 0 ? FIRST_CODES.length : index;
  };
  return components.toSorted((a, b) => rank(a) - rank(b) || a.id - b.id);
}

/** The component that is shown: the chosen one, else the first that some station measures now. */
export function shownComponent(
  portal: Portal,
  {
    chosen,
    station,
  }: { readonly chosen: number | undefined; readonly station?: PortalStation | undefined },
): PortalComponent | undefined {
  const ordered = orderedComponents(portal);
  const known = ordered.find(({ id }) => id === chosen);
  if (known !== undefined) return known;
  const ofStation = ordered.filter(({ id }) => station?.componentIds.includes(id) ?? true);
  const measured = ofStation.find(({ id }) =>
    (station === undefined ? portal.stations : [station]).some(
      (one) => currentValue(portal, one, id) !== undefined,
    ),
  );
  return measured ?? ofStation[0] ?? ordered[0];
}
