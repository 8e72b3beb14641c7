/** The sentences of a panel, against the plainest count of its hours, with gaps, ties and changes of clocks. */
import t, { type Test } from 'tap';
import { HOUR_MS } from '../../../../src/snapshot/domain/windows.js';
import type {
  HourlyValue,
  PortalComponent,
} from '../../../../src/views/pages/portal/portal-model.js';
import { viewModal } from '../../../../src/views/pages/portal/portal-page.js';
import { chanceOf, scaled, type Chance } from '../../../support/faults/chance.js';
import { portalOf, stateOf, stationOf } from './portals.js';
import { difference, oracleOf } from './figures-oracle.js';

const NETWORKS = scaled(100);
const HOURS = 720;

/** Zones whose clocks change, both ways in the year and on both sides of the equator, and two whose clocks do not. */
const ZONES = ['Europe/Madrid', 'America/Santiago', 'Australia/Lord_Howe', 'Asia/Kolkata', 'UTC'];

/** Ends of 30 days: shortly after each change of the clocks, and in between. */
const ENDS = [
  ...['2026-03-31T12:00Z', '2025-10-28T00:00Z', '2026-04-07T05:00Z', '2026-09-08T09:00Z'],
  '2026-06-15T03:00Z',
];

const COMPONENTS = [
  { id: 1, code: 'PM10', unit: 'ug/m3', name: undefined },
  { id: 2, code: 'O3', unit: 'ug.m-3', name: undefined },
  { id: 3, code: 'RAIN', unit: 'mm', name: undefined },
  { id: 4, code: 'TEMP', unit: 'Cel', name: undefined },
  { id: 5, code: 'BC', unit: 'mg/m3', name: undefined },
] as const satisfies readonly PortalComponent[];
const WIND = { id: 6, code: 'WD', unit: 'deg', name: undefined } satisfies PortalComponent;

/** Values of a kind: many that are equal, negative ones, tiny ones, and large ones. */
const KINDS: readonly ((chance: Chance) => number)[] = [
  ({ integer }) => integer(6),
  ({ integer }) => integer(300) / 10,
  ({ integer }) => (integer(4000) - 2000) / 100,
  ({ integer }) => (1 + integer(9)) / 10_000,
  ({ integer }) => -22_068 + integer(50) / 2,
  ({ integer }) => 990 + integer(300) / 10,
  ({ integer }) => (integer(5) === 0 ? integer(40) / 10 : 0),
];

void t.test('a panel says what a plain count of the hours gives', async (t) => {
  const chance = chanceOf(t);
  let said = 0;
  for (let at = 0; at < NETWORKS; at += 1) said += comparePanels(t, chance, `network ${at}`);
  t.ok(said > NETWORKS, `${said} lines`);
});

/** Compares the panels of one network, and answers how many lines they say. */
function comparePanels(t: Test, chance: Chance, name: string): number {
  const { integer, oneOf } = chance;
  const timeZone = ZONES[integer(ZONES.length)] ?? 'UTC';
  const end = Date.parse(ENDS[integer(ENDS.length)] ?? '') / HOUR_MS;
  const days = oneOf([1, 3, 8, 8, 15, 30]);
  const gaps = oneOf([0, 0, 0.1, 0.4]);
  const kind = KINDS[integer(KINDS.length)] ?? (() => 0);
  const component = COMPONENTS[integer(COMPONENTS.length)] ?? COMPONENTS[0];
  const seriesOf = (value: () => number, late = 0): readonly HourlyValue[] =>
    Array.from({ length: days * 24 }, (_, index) => end - days * 24 + index)
      .filter((hour) => hour < end - late && chance.number() >= gaps)
      .map((hour) => ({ hour, value: value() }));
  const network = Array.from({ length: 1 + integer(5) }, (_, index) => {
    const points = seriesOf(() => kind(chance), integer(5) === 0 ? 2 : 0);
    const latest = new Map(points.slice(-1).map((newest) => [component.id, newest]));
    const componentIds = [component.id, WIND.id];
    return { station: stationOf(index + 1, { componentIds, latest }), points };
  });
  const wind = seriesOf(() => integer(8) * 45);
  const [first] = network;
  if (first === undefined || first.points.length === 0) return 0;
  const portal = portalOf(
    [component, WIND],
    network.map(({ station }) => station),
  );
  const interval = { from: end - HOURS, to: end };
  const { station, points } = first;
  const { panel } = viewModal({
    portal: { ...portal, header: { ...portal.header, generatedAtMs: end * HOUR_MS } },
    state: stateOf({ stationId: 1, componentId: component.id, period: '30d' }),
    detail: { station, interval, series: [{ component, points }] },
    longest: { station, interval, points },
    wind: { station, interval, points: wind },
    compared: undefined,
    map: undefined,
    timeZone,
    ageHours: 0,
  });
  const { newest, series = [], rose, unit = '' } = panel?.chosen ?? {};
  const said = [
    ...[newest?.usual?.text, newest?.usual?.range, newest?.sentence],
    ...[rose?.sentence, rose?.scale, rose?.coverage],
  ].filter((line) => line !== undefined && line !== '');
  const expected = oracleOf({
    hours: points,
    network: network.map((one) => one.points),
    wind,
    timeZone,
    unit,
    isRose: component.unit.includes('g'),
  });
  const lines = Array.from({ length: Math.max(said.length, expected.length) }, (_, index) => index);
  const wrong = lines.flatMap((index) => difference(said[index], expected[index]) ?? []);
  t.same(wrong, [], `${name}: ${timeZone}, ${component.code}, ${points.length} hours`);
  // The fuzzer compares the other figures of this line.
  const values = points.map(({ value }) => value);
  const most = Math.max(...values);
  const ties = values.filter((value) => value === most).length - 1;
  const [, highest] = (series[0]?.summary ?? '').split('Highest');
  t.equal(Number(/ and (\d+) more hour/.exec(highest ?? '')?.[1] ?? 0), ties, name);
  return expected.length;
}
