/** Random networks as snapshot documents (docs/snapshot-format.md), valid by construction. */
import type { JsonValue } from '../../src/snapshot/domain/model.js';
import type { Chance } from './chance.js';

export type Fields = Readonly<Record<string, JsonValue>>;

/** A document of schema version 1.2.0; lists as in the contract, section 3. */
export interface Network {
  readonly generated_at: string;
  readonly hour_minute?: number;
  readonly supported_windows: readonly string[];
  readonly organizations: readonly Fields[];
  readonly networks: readonly Fields[];
  readonly components: readonly Fields[];
  readonly stations: readonly Fields[];
  readonly measurements: readonly Fields[];
}

export const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const HOUR_MINUTES = [0, 0, 0, 0, 0, 15, 30, 30, 45];
export const RETENTION_HOURS = 720;
export const WINDOWS = ['1h', '1d', '7d', '14d', '30d'] as const;
export const STATION_TYPES = 'traffic|urban|background|industrial|rural|other'.split('|');

const SHORT_NAMES = `Beograd| Ниш |Čačak|Cafe\u0301|Caf\u00e9|O'Hara "x"|a,b;c|=1+1|<b>&amp;</b>|名古屋市中区|two\nlines|0|-`;
const NAMES = [...SHORT_NAMES.split('|'), 'Сремска Митровица '.repeat(8)];

const CODES = 'NO2|PM10|PM2.5|m,p-Xylene|Ethyl benzene|a/b&c=d+e%2B"?#|🌬|ﬁ|pm10|WD|T|RAIN'.split(
  '|',
);

const OTHER_UNITS = ['deg', '°', 'degrees', 'mm', 'h'];
const UNITS = ['ug/m3', 'µg/m³', 'mg.m-3', '°C', 'hPa', '%', 'V,1', ...OTHER_UNITS];

/** A network of 1 to 300 stations and at most some 20,000 rows. */
export function makeNetwork(chance: Chance): Network {
  const lateMs = chance.pick([0, 0, 1, 1000, 60_000, HOUR_MS - 1, chance.integer(0, HOUR_MS - 1)]);
  // In most of April, October and November the clocks have changed within 30 days.
  const month = chance.pick([3, 9, 10, chance.integer(0, 11)]);
  const [year, day] = [chance.integer(2001, 2040), chance.integer(1, 28)];
  const hour_minute = chance.pick(HOUR_MINUTES);
  const lastHourMs = Date.UTC(year, month, day, chance.integer(0, 23), hour_minute);
  const organizations = ids(chance, chance.pick([1, 1, 2, 3])).map((id) => ({
    organization_id: id,
    name: chance.pick(NAMES),
    short_name: chance.pick(NAMES),
  }));
  const networks = ids(chance, chance.pick([1, 1, 2])).map((id) => {
    const codes = { network_code: `N${id}`, short_name: ` n${id} ` };
    return { network_id: id, name: chance.pick(NAMES), ...codes };
  });
  const components = makeComponents(chance);
  const stations = makeStations(chance, { organizations, networks, components });
  return {
    generated_at: new Date(lastHourMs + lateMs).toISOString(),
    supported_windows: chance.some(WINDOWS),
    organizations,
    networks,
    components,
    stations,
    measurements: makeRows(chance, { stations, components, lastHourMs }),
    // A member may come after the rows.
    ...(hour_minute !== 0 && { hour_minute }),
  };
}

export function documentOf(network: Network, id: string): Record<string, unknown> {
  return { schema_version: '1.2.0', snapshot_id: id, counts: countsOf(network), ...network };
}

export function countsOf(network: Network): Readonly<Record<string, number>> {
  return {
    organizations: network.organizations.length,
    networks: network.networks.length,
    stations: network.stations.length,
    components: network.components.length,
    measurement_rows: network.measurements.length,
  };
}

/** A network at a later time, with some rows added, changed and withdrawn. */
export function laterNetwork(chance: Chance, network: Network): Network {
  const movedMs = chance.pick([0, 1, 5, 48, 800]) * HOUR_MS;
  const generated_at = new Date(Date.parse(network.generated_at) + movedMs).toISOString();
  const measurements = network.measurements
    .filter(() => chance.is(0.95))
    .map((row) => (chance.is(0.05) ? { ...row, value: makeValue(chance) } : row));
  const stations = network.stations.map((station) =>
    chance.is(0.1) ? { ...station, public: chance.is(0.5), active: chance.is(0.5) } : station,
  );
  const later = { ...network, generated_at, stations, measurements };
  return chance.is(0.05) ? atMinute(later, chance.pick(HOUR_MINUTES)) : later;
}

/** The network with all hours moved to a minute of the hour. */
export function atMinute(network: Network, hour_minute: number): Network {
  const byMs = (hour_minute - (network.hour_minute ?? 0)) * MINUTE_MS;
  const measurements = network.measurements.map((row) => {
    return { ...row, ...dateAndTime(startOf(row) + byMs) };
  });
  return { ...network, hour_minute, measurements };
}

/** The last start of an hour of the network at this time or before. */
export function hourAt({ hour_minute = 0 }: Network, ms: number): number {
  const lateMs = hour_minute * MINUTE_MS;
  return Math.floor((ms - lateMs) / HOUR_MS) * HOUR_MS + lateMs;
}

export function startOf({ date, time }: Fields): number {
  return Date.parse(`${textOf(date)}T${textOf(time)}Z`);
}

/** Now and then a network with a thousand stations and the longest ids. */
export function perhapsLarge(chance: Chance, network: Network): Network {
  if (!chance.is(0.04)) return network;
  const { stations, measurements, generated_at } = network;
  const firstId = Number.MAX_SAFE_INTEGER - 2000;
  const added = Array.from({ length: 1000 - stations.length }, (_, index) => {
    const id = firstId + 2 * index + chance.integer(0, 1);
    return { ...chance.pick(stations), station_id: id, station_code: `S${id}` };
  });
  const component_id = chance.pick(network.components)['component_id'] ?? 0;
  const hourMs = hourAt(network, Date.parse(generated_at));
  const hour = { component_id, ...dateAndTime(hourMs) };
  const rows = added
    .filter(() => chance.is(0.8))
    .map(({ station_id }) => ({ station_id, ...hour, value: chance.integer(-5, 500) }));
  const all = [...measurements, ...rows];
  return { ...network, stations: [...stations, ...added], measurements: all };
}

export function hoursOf(window: string): number {
  return Number.parseInt(window, 10) * (window.endsWith('d') ? 24 : 1);
}

/** Whether a component is a direction, without a mean. */
export function isDirection(component: Fields | undefined): boolean {
  return ['deg', '°', 'degrees', 'deg true'].includes(textOf(component?.['unit']));
}

/** Whether hours of a component are added up: rain and sunshine. */
export function isAmount(component: Fields | undefined): boolean {
  return ['mm', 'h'].includes(textOf(component?.['unit']));
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

export function dateAndTime(ms: number): { readonly date: string; readonly time: string } {
  const text = new Date(ms).toISOString();
  return { date: text.slice(0, 10), time: text.slice(11, 16) };
}

/** `+02:00` for 120 minutes. */
export function offsetOf(minutes: number): string {
  const size = new Date(Math.abs(minutes) * 60_000).toISOString().slice(11, 16);
  return `${minutes < 0 ? '-' : '+'}${size}`;
}

function ids(chance: Chance, count: number): readonly number[] {
  const all = new Set<number>();
  while (all.size < count)
    all.add(chance.pick([all.size, chance.integer(1, 99), chance.integer(1, 2 ** 31)]));
  return [...all];
}

function makeComponents(chance: Chance): readonly Fields[] {
  const codes = chance.some(CODES, chance.pick([1, 3, 12]));
  const numbers = ids(chance, codes.length);
  return codes.map((code, at) => ({
    component_id: numbers[at] ?? 0,
    short_name: chance.is(0.1) ? ` ${code} ` : code,
    unit: chance.pick(UNITS),
    ...(chance.is(0.2) ? { public: chance.is(0.5) } : {}),
    ...(chance.is(0.3) ? { cas_number: chance.pick(['10102-44-0', '', null]) } : {}),
    ...(chance.is(0.3) ? { description: chance.pick(NAMES) } : {}),
  }));
}

function makeStations(
  chance: Chance,
  of: Pick<Network, 'organizations' | 'networks' | 'components'>,
): readonly Fields[] {
  const count = chance.pick([1, 1, 2, 3, 8, 40, 300]);
  // Near a centre, so that no map spans the Earth; places repeat, for equal distances.
  const latitude = chance.integer(-89, 89);
  const longitude = chance.pick([-179, 179, 0, chance.integer(-179, 179)]);
  const near = (centre: number): number =>
    Number((centre + chance.pick([0, 0.5, -0.25, chance.number() - 0.5])).toFixed(6));
  return ids(chance, count).map((id) => ({
    station_id: id,
    station_name: chance.pick(NAMES),
    station_code: `S${id}`,
    organization_id: chance.pick(of.organizations)['organization_id'] ?? 0,
    network_id: chance.pick(of.networks)['network_id'] ?? 0,
    ...(chance.is(0.85) ? { latitude: near(latitude), longitude: near(longitude) } : {}),
    ...(chance.is(0.6) ? { municipality: chance.pick([...NAMES, null]) } : {}),
    ...(chance.is(0.4) ? { city: chance.pick(NAMES) } : {}),
    ...(chance.is(0.6) ? { station_type: chance.pick([...STATION_TYPES, null]) } : {}),
    ...(chance.is(0.3) ? { elevation_m: chance.pick([0, -1.5, 1234, 12.25, null]) } : {}),
    ...(chance.is(0.2) ? { notes: chance.pick([...NAMES, ' ']) } : {}),
    ...(chance.is(0.2)
      ? {
          start_date: chance.pick(['1999-12-31', null]),
          end_date: chance.pick(['2019-06-30', null]),
        }
      : {}),
    ...(chance.is(0.2) ? { active: chance.is(0.5) } : {}),
    ...(chance.is(0.1) ? { public: chance.is(0.3) } : {}),
    ...(chance.is(0.2)
      ? { component_ids: chance.some(of.components).map((one) => one['component_id'] ?? 0) }
      : {}),
  }));
}

function makeRows(
  chance: Chance,
  of: Pick<Network, 'stations' | 'components'> & { readonly lastHourMs: number },
): readonly Fields[] {
  const rows: Fields[] = [];
  const most = chance.pick([20, 500, 500, 5000, 20_000, chance.integer(0, 20)]);
  for (const { station_id = 0 } of of.stations) {
    for (const { component_id = 0 } of of.components) {
      if (chance.is(0.25)) continue;
      const hours = chance.pick([1, 2, 24, 25, 168, 721, 760]);
      const density = chance.pick([1, 1, 0.9, 0.2]);
      const nulls = chance.pick([0, 0, 0.1, 1]);
      const isConstant = chance.is(0.2);
      const constant = makeValue(chance);
      const startsMs = of.lastHourMs + chance.pick([0, 0, 1, 2, -5, -700]) * HOUR_MS;
      for (let back = 0; back < hours && rows.length < most; back += 1) {
        if (!chance.is(density)) continue;
        const hour = dateAndTime(startsMs - back * HOUR_MS);
        const made = isConstant ? constant : makeValue(chance);
        const value = chance.is(nulls) ? null : made;
        rows.push({ station_id, component_id, ...hour, value });
      }
    }
  }
  return chance.is(0.7) ? chance.shuffled(rows) : rows;
}

function makeValue(chance: Chance): number {
  const places = chance.pick([0, 1, 1, 2, 3]);
  const usual = Number((chance.number() * 400 - 20).toFixed(places));
  return chance.is(0.97)
    ? usual + 0
    : chance.pick([0, -0.001, 1e-7, 123_456.789, 0.005, 1.005, 1e15]);
}
