/** Portals for tests of views, as plain data. */
import fc from 'fast-check';
import { STATION_TYPES, WINDOWS } from '../../../../src/snapshot/domain/model.js';
import { LANGUAGES } from '../../../../src/texts/texts.js';
import { HOUR_MS } from '../../../../src/snapshot/domain/windows.js';
import { STATION_SORTS, THEMES, type PortalState } from '../../../../src/views/pages/page.js';
import { comparableComponents } from '../../../../src/views/pages/portal/comparison.js';
import {
  shownComponent,
  type ChartSeries,
  type HourlyValue,
  type Portal,
  type PortalComponent,
  type PortalStation,
  type StationDetail,
} from '../../../../src/views/pages/portal/portal-model.js';
import { searchText } from '../../../../src/views/pages/portal/search.js';

const GENERATED_AT_MS = Date.UTC(2026, 8, 10);
export const END_HOUR = GENERATED_AT_MS / HOUR_MS;

export function portalOf(
  components: readonly PortalComponent[],
  stations: readonly PortalStation[],
): Portal {
  return {
    header: {
      schemaVersion: '1.2.0',
      snapshotId: 'test',
      generatedAtMs: GENERATED_AT_MS,
      supportedWindows: WINDOWS,
      counts: {
        organizations: 1,
        networks: 1,
        stations: stations.length,
        components: components.length,
        measurement_rows: 0,
      },
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
  return withSearchText({
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
  });
}

function withSearchText(station: Omit<PortalStation, 'town' | 'searchText'>): PortalStation {
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

/** Texts that operators may write: markup, formulas, any script. */
const anyName = fc.oneof(
  fc.constantFrom(
    '=1+1',
    '<script>alert(1)</script>',
    `"'><b onclick=x>`,
    '{{ 7 | plus: 1 }}',
    '&amp;',
  ),
  fc.constantFrom('😀', 'Чачак', '\u202Eobrnuto', '@SUM(A1)'),
  fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme' }),
);

const anyValue = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ min: 0, max: 500, noNaN: true }),
  fc.constantFrom(0, -0, 1e-7, 1e21),
);

const anyPoints: fc.Arbitrary<readonly HourlyValue[]> = fc
  .uniqueArray(fc.integer({ min: 1, max: 720 }), { maxLength: 40 })
  .chain((ages) =>
    fc.tuple(
      ...ages
        .toSorted((a, b) => b - a)
        .map((age) => anyValue.map((value) => ({ hour: END_HOUR - age, value }))),
    ),
  );

/** A portal, one of its states, and the open station's data. */
export const anyPortal: fc.Arbitrary<{
  readonly portal: Portal;
  readonly state: PortalState;
  readonly detail: StationDetail | undefined;
  /** The other series that the state compares with the open station's. */
  readonly compared: readonly ChartSeries[];
}> = fc
  .record({
    components: fc.uniqueArray(
      fc.record({
        id: fc.integer({ min: 0, max: 50 }),
        code: anyName,
        unit: fc.oneof(anyName, fc.constantFrom('ug/m3', 'ug.m-3', 'Cel', '%', '')),
        name: fc.option(anyName, { nil: undefined }),
      }),
      { selector: ({ id }) => id, maxLength: 4 },
    ),
    ids: fc.uniqueArray(fc.integer({ min: 0, max: 1000 }), { maxLength: 5 }),
  })
  .chain(({ components, ids }) => {
    const componentIds = components.map(({ id }) => id).toSorted((a, b) => a - b);
    return fc.record({
      portal: fc
        .tuple(...ids.map((id) => anyStation(id, componentIds)))
        .map((stations) => portalOf(components, stations)),
      state: fc.record({
        language: fc.constantFrom(...LANGUAGES),
        theme: fc.constantFrom(undefined, ...THEMES),
        stationId: fc.constantFrom(undefined, ...ids),
        componentId: fc.constantFrom(undefined, ...componentIds),
        period: fc.constantFrom(...WINDOWS, { from: END_HOUR - 48, to: END_HOUR - 24 }),
        sort: fc.constantFrom(...STATION_SORTS),
        search: fc.oneof(fc.constant(''), anyName),
        hour: fc.constantFrom(undefined, END_HOUR - 1, END_HOUR - 24),
        hasWind: fc.boolean(),
      }),
      of: fc.constantFrom(undefined, 'stations' as const, 'components' as const),
      series: fc.tuple(
        ...components.map((component) => anyPoints.map((points) => ({ component, points }))),
      ),
    });
  })
  .map(({ portal, state, of, series }) => {
    const station = portal.stations.find(({ id }) => id === state.stationId);
    const interval = { from: END_HOUR - 720, to: END_HOUR };
    const component = shownComponent(portal, { chosen: state.componentId, station });
    const pointsOf = ({ id }: PortalComponent): readonly HourlyValue[] =>
      series.find((one) => one.component.id === id)?.points ?? [];
    const others =
      station === undefined || component === undefined || of === undefined
        ? []
        : of === 'components'
          ? comparableComponents(portal, station, component).map((one) => [station, one] as const)
          : portal.stations
              .filter((one) => one !== station)
              .map((one) => [one, component] as const);
    const compared = others.map(([one, shown]) => ({
      station: one,
      component: shown,
      interval,
      points: pointsOf(shown).slice(one.id % 7),
    }));
    const ids = compared.map((one) => (of === 'components' ? one.component : one.station).id);
    const compare = of && ids.length > 0 ? { of, ids } : undefined;
    return {
      portal,
      state: { ...state, compare },
      detail: station && { station, interval, series },
      compared,
    };
  });

function anyStation(id: number, componentIds: readonly number[]): fc.Arbitrary<PortalStation> {
  const text = fc.option(anyName, { nil: undefined });
  return fc
    .record({
      name: anyName,
      code: anyName,
      municipality: text,
      address: text,
      stationType: fc.constantFrom(undefined, ...STATION_TYPES),
      elevationM: fc.option(fc.integer(), { nil: undefined }),
      position: fc.option(
        fc.record({
          longitude: fc.double({ min: -180, max: 180, noNaN: true }),
          latitude: fc.double({ min: -90, max: 90, noNaN: true }),
        }),
        { nil: undefined },
      ),
      active: fc.boolean(),
      latest: fc.tuple(
        ...componentIds.map((componentId) =>
          fc
            .record({ age: fc.integer({ min: 1, max: 700 }), value: anyValue })
            .map(({ age, value }): [number, HourlyValue] => [
              componentId,
              { hour: END_HOUR - age, value },
            ]),
        ),
      ),
    })
    .map(({ latest, ...station }) =>
      withSearchText({
        ...station,
        id,
        organizationId: 1,
        componentIds,
        latest: new Map(latest),
      }),
    );
}
