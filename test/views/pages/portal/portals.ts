/** Portals for tests of views, as plain data. */
import fc from 'fast-check';
import { WINDOWS } from '../../../../src/snapshot/domain/model.js';
import { LANGUAGES } from '../../../../src/texts/texts.js';
import { HOUR_MS } from '../../../../src/snapshot/domain/windows.js';
import {
  STATION_SORTS,
  THEMES,
  type PortalState,
  type Site,
} from '../../../../src/views/pages/page.js';
import type {
  Portal,
  PortalComponent,
  PortalStation,
  StationDetail,
} from '../../../../src/views/pages/portal/portal-model.js';
import { searchText } from '../../../../src/views/pages/portal/search.js';
import { HEADER } from '../../../support/expected/observation-columns.js';

export const END_HOUR = HEADER.generatedAtMs / HOUR_MS;

export const SITE: Site = {
  timeZone: 'Europe/Belgrade',
  baseMap: undefined,
  requestLog: 'none',
  pathPrefix: '',
  hasArchive: false,
  navigation: [],
  assets: Object.fromEntries(
    ['icon.svg', 'site.css', 'portal.css', 'portal-scripts.js'].map((name) => [name, `/${name}`]),
  ),
};

export function portalOf(
  components: readonly PortalComponent[],
  stations: readonly PortalStation[],
): Portal {
  return {
    header: {
      ...HEADER,
      counts: { ...HEADER.counts, stations: stations.length, components: components.length },
    },
    operators: ['Zavod'],
    components,
    stations,
    valuesIn: () => new Map(),
    rangeOf: (id) => {
      const values = stations.flatMap(({ latest }) => latest.get(id)?.value ?? []);
      return [Math.min(...values), Math.max(...values)];
    },
  };
}

export function stationOf(id: number, more: Partial<PortalStation> = {}): PortalStation {
  const station: Omit<PortalStation, 'town' | 'searchText'> = {
    id,
    organizationId: 1,
    name: `Station ${id}`,
    code: `RS${id}`,
    municipality: undefined,
    address: undefined,
    stationType: undefined,
    elevationM: undefined,
    position: undefined,
    active: true,
    componentIds: [],
    latest: new Map(),
    ...more,
  };
  return { town: station.municipality, searchText: searchText(station), ...station };
}

export const PM10: PortalComponent = { id: 5, code: 'PM10', unit: 'ug.m-3', name: undefined };

export function stateOf(more: Partial<PortalState> = {}): PortalState {
  return {
    language: 'en',
    theme: undefined,
    stationId: undefined,
    componentId: undefined,
    period: '1d',
    sort: 'name',
    compare: undefined,
    search: '',
    hour: undefined,
    hasWind: false,
    ...more,
  };
}

/** The clock of a place, calculated in another way than the service's. */
export function clockIn(timeZone: string) {
  const times = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  const read = (ms: number) => {
    const [date = '', time = ''] = times.format(ms).split(' ');
    return { date, time, clockHour: Number(time.slice(0, 2)) };
  };
  const known = new Map<number, ReturnType<typeof read>>();
  return (ms: number) => {
    const made = known.get(ms) ?? read(ms);
    known.set(ms, made);
    return made;
  };
}

export type Clock = ReturnType<typeof clockIn>;

/** Texts that operators may write: markup, formulas, any script. */
const anyName = fc.oneof(
  fc.constantFrom('<script>alert(1)</script>', `"'><b onclick=x>`, '{{ 7 | plus: 1 }}', '&amp;'),
  fc.constantFrom('😀', 'Чачак', '\u202Eobrnuto', '@SUM(A1)'),
  fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme' }),
);
const anyText = fc.option(anyName, { nil: undefined });

const anyPoint = fc.record({
  hour: fc.integer({ min: END_HOUR - 720, max: END_HOUR - 1 }),
  value: fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.double({ min: 0, max: 500, noNaN: true }),
    fc.constantFrom(0, -0, 1e-7, 1e21),
  ),
});
export const anyPosition = fc.record({
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
});
const anyStation = fc.record({
  name: anyName,
  municipality: anyText,
  address: anyText,
  elevationM: fc.option(fc.integer(), { nil: undefined }),
  position: fc.option(anyPosition, { nil: undefined }),
  active: fc.boolean(),
  newest: fc.array(anyPoint, { minLength: 4, maxLength: 4 }),
});
const anyComponent = fc.record({
  code: anyName,
  unit: fc.oneof(anyName, fc.constantFrom('ug/m3', 'ug.m-3', 'Cel', '%', '')),
  name: anyText,
});

export interface AnyPortal {
  readonly portal: Portal;
  readonly state: PortalState;
  /** Data of the open station. */
  readonly detail: StationDetail | undefined;
}

export const anyPortal: fc.Arbitrary<AnyPortal> = fc
  .record({
    all: fc.array(anyComponent, { maxLength: 4 }),
    places: fc.array(anyStation, { maxLength: 5 }),
    points: fc.uniqueArray(anyPoint, { selector: ({ hour }) => hour, maxLength: 40 }),
    open: fc.nat(5),
    chosen: fc.nat(4),
    state: fc.record({
      language: fc.constantFrom(...LANGUAGES),
      theme: fc.constantFrom(undefined, ...THEMES),
      period: fc.constantFrom(...WINDOWS, { from: END_HOUR - 48, to: END_HOUR - 24 }),
      sort: fc.constantFrom(...STATION_SORTS),
      search: fc.oneof(fc.constant(''), anyName),
      hour: fc.constantFrom(undefined, END_HOUR - 1, END_HOUR - 24),
      hasWind: fc.boolean(),
    }),
  })
  .map(({ all, places, points, open, chosen, state }) => {
    const components = all.map((one, id) => ({ ...one, id }));
    const componentIds = components.map(({ id }) => id);
    const stations = places.map(({ newest, ...one }, id) => {
      const latest = new Map(newest.slice(0, components.length).entries());
      return stationOf(id, { ...one, componentIds, latest });
    });
    const station = stations[open];
    const hours = points.toSorted((a, b) => a.hour - b.hour);
    const series = components.map((component) => {
      return { component, points: hours.slice(component.id) };
    });
    const interval = { from: END_HOUR - 720, to: END_HOUR };
    const ids = { stationId: station?.id, componentId: componentIds[chosen], compare: undefined };
    return {
      portal: portalOf(components, stations),
      state: { ...state, ...ids },
      detail: station && { station, interval, series },
    };
  });
