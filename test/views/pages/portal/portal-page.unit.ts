/** The portal's pages as text, for any texts of operators and any requests. */
import fc from 'fast-check';
import t from 'tap';
import { viewLayout } from '../../../../src/views/pages/layout.js';
import { HOUR_MS } from '../../../../src/snapshot/domain/windows.js';
import { frameAround } from '../../../../src/views/pages/map/frame.js';
import type { PortalState } from '../../../../src/views/pages/page.js';
import { portalParameters } from '../../../../src/views/pages/portal/links.js';
import { dialogMarkup, portalMarkup } from '../../../../src/views/pages/portal/portal-markup.js';
import { messagesOf } from '../../../../src/texts/texts.js';
import {
  viewModal,
  viewPortal,
  type PortalView,
} from '../../../../src/views/pages/portal/portal-page.js';
import { renderTemplate } from '../../../../src/workers/formats/templates.js';
import { scaled } from '../../../support/faults/chance.js';
import { inlineCode, invalidMarkup, visibleText } from '../../../support/readers/html.js';
import {
  anyPortal,
  END_HOUR,
  PM10,
  portalOf,
  SITE,
  stateOf,
  stationOf,
  type AnyPortal,
} from './portals.js';

const TOWNS = [
  { name: 'Čačak', longitude: 20.35, latitude: 43.89, population: 73_000, inBothScripts: true },
];

function viewOf(view: Partial<PortalView> & { readonly state: PortalState }): PortalView {
  const positions = view.portal?.stations.flatMap(({ position }) => position ?? []) ?? [];
  const shown = { ageHours: 0, timeZone: SITE.timeZone, portal: undefined, detail: undefined };
  if (positions.length === 0) return { ...shown, map: undefined, ...view };
  const map = { frame: frameAround(positions), towns: TOWNS, version: 'abc', isOwn: false };
  return { ...shown, map, ...view };
}

function pageOf(view: PortalView): string {
  const parameters = portalParameters(view.state);
  const surroundings = { path: '/', parameters, section: '/', operator: 'Zavod' } as const;
  const layout = viewLayout(view.state, SITE, surroundings);
  const texts = messagesOf(view.state.language, 'portal');
  return renderTemplate('page', { layout, page: portalMarkup(viewPortal(view), layout, texts) });
}

void t.test('any portal makes a page and a panel, and no name is markup', async () => {
  const ages = fc.nat({ max: 800 });
  const check = ({ portal, state, detail }: AnyPortal, ageHours: number): void => {
    const view = viewOf({ portal, state, detail, ageHours });
    const texts = messagesOf(state.language, 'portal');
    for (const text of [pageOf(view), dialogMarkup(viewModal(view).panel, texts).text]) {
      // Values of attributes are text too: what they hold cannot be code.
      const code = inlineCode(text.replaceAll(/="[^"<>]*"/g, '=""'));
      if (code !== undefined) throw new Error(`inline code: ${code}`);
      if (/<(?:script>|b )/.test(text)) throw new Error('markup of an operator');
      const [invalid] = invalidMarkup(text);
      if (invalid !== undefined) throw new Error(invalid);
      const nothing = /NaN|Infinity|undefined|\[object|\b1970\b/;
      if (nothing.test(text) && !nothing.test(JSON.stringify([portal, state]))) {
        throw new Error('something without a value');
      }
    }
  };
  fc.assert(fc.property(anyPortal, ages, check), { numRuns: scaled(30) });
});

void t.test('a page is the same whichever pages were rendered before', async () => {
  const check = ([first, ...others]: readonly AnyPortal[]): void => {
    if (first === undefined) return;
    const { portal, state, detail } = first;
    const states = others.flatMap((other) => [
      { ...other.state, stationId: undefined },
      { ...state, language: other.state.language, hour: other.state.hour },
      { ...state, search: other.state.search, sort: other.state.sort },
    ]);
    for (const [index, one] of [...states, state].entries()) {
      const ofStation = one.stationId === state.stationId ? detail : undefined;
      const view = { state: one, detail: ofStation, ageHours: index % 2 === 0 ? 0 : 800 };
      const shared = pageOf(viewOf({ portal, ...view }));
      const alone = pageOf(viewOf({ portal: { ...portal }, ...view }));
      if (shared !== alone) throw new Error(`another page for ${JSON.stringify(one)}`);
    }
  };
  const portals = fc.array(anyPortal, { minLength: 2, maxLength: 5 });
  fc.assert(fc.property(portals, check), { numRuns: scaled(8) });
});

void t.test('data that are a day old are said to be old, loudly', async (t) => {
  const portal = portalOf([PM10], [stationOf(1)]);
  const at = (ageHours: number): string => pageOf(viewOf({ portal, state: stateOf(), ageHours }));
  t.notMatch(at(23), 'class="warning"');
  t.match(at(24), 'class="warning">These data are not current: they were published 24 hours ago.');
  t.match(at(72), '3 days ago');
  t.match(at(744), 'more than a month ago');
});

/** A station on the map, whose newest values by component are that many hours old. */
const newest = (id: number, ages: Readonly<Record<number, number>>, value = 7) =>
  stationOf(id, {
    latest: new Map(
      Object.entries(ages).map(([of, age]) => [Number(of), { hour: END_HOUR - age, value }]),
    ),
    componentIds: Object.keys(ages).map(Number),
    position: { longitude: 19 + id, latitude: 44 },
  });

void t.test('who is late says so in the list, on the map and in the legend', async (t) => {
  // The highest value is fifteen hours old, and the lowest a day and a half.
  const all = [
    newest(1, { 5: 1 }, 20),
    newest(2, { 5: 16 }, 99),
    newest(3, { 5: 1 }, 40),
    newest(4, { 5: 37 }, 2),
    newest(5, { 5: 1 }, 30),
  ];
  const never = stationOf(6, { componentIds: [5] });
  const html = pageOf(viewOf({ portal: portalOf([PM10], [...all, never]), state: stateOf() }));
  const text = visibleText(html);
  t.match(text, 'Newest hour: 01:00–02:00, 10 Sept, CEST 3 of 5 stations');
  t.match(text, 'Highest40 Station 3 Median30 Lowest20 Station 1');
  t.match(text, /99.*late 9 Sept, 10:00/);
  t.match(text, 'late 8 Sept, 13:00');
  t.match(html, '<title>Station 3: 40 µg/m³, 01:00</title>');
  t.match(html, '<title>Station 2: 99 µg/m³, 9 Sept, 10:00, late</title>');
  t.match(html, /<a class="marker c\d late[ "]/, 'and looks different by more than its colour');
  t.match(html, 'late: of an earlier hour', 'which the legend explains');
  const timely = portalOf([PM10], [...all.slice(0, 1), never]);
  t.notMatch(pageOf(viewOf({ portal: timely, state: stateOf() })), /\blate\b/);
  const order = [...html.matchAll(/class="marker[^"]*" href="[^"]*" data-station="(\d)"/g)];
  t.equal(order.at(-1)?.[1], '3', 'the highest of the hour lies on top');
});

void t.test('an hour that is newer than every value of a component is that hour', async (t) => {
  const components = [PM10, { ...PM10, id: 6, code: 'NO2' }];
  const portal = portalOf(components, [newest(1, { 5: 1, 6: 4 }), newest(2, { 5: 2 })]);
  for (const componentId of [5, 6]) {
    for (const age of [1, 2, 4, 5, 24]) {
      const state = stateOf({ componentId, hour: END_HOUR - age });
      const html = pageOf(viewOf({ portal, state }));
      const local = `${String((24 + 2 - age) % 24).padStart(2, '0')}:00–`;
      t.match(html, `<output for="hour">${local}`);
      t.match(html, new RegExp(`id="hour".*<option [^>]*selected>${local}`, 's'));
      t.match(html, new RegExp(`<p class="newest-hour">.*?<time [^>]*>${local}`, 's'));
      const range = /<input id="hour-slider" type="range" min="0" max="(\d+)" value="(\d+)"/;
      const [last = NaN, value = NaN] = range.exec(html)?.slice(1).map(Number) ?? [];
      t.ok(value === 24 - age && last >= value, `${componentId}, ${age}: ${value} of ${last}`);
    }
  }
  const html = pageOf(viewOf({ portal, state: stateOf({ componentId: 6, hour: END_HOUR - 1 }) }));
  t.match(visibleText(html), /This hour: 01:00–02:00, 10 Sept, CEST 0 of 1 station\b/);
});

void t.test('a panel says what is not measured, and a page which stations share', async (t) => {
  const components = [PM10, { ...PM10, id: 6, code: 'NO2' }];
  const other = newest(3, { 6: 1 });
  const portal = portalOf(components, [newest(1, { 5: 1 }), newest(2, { 5: 1 }), other]);
  const interval = { from: END_HOUR - 24, to: END_HOUR };
  const state = stateOf({ stationId: 3, componentId: 5 });
  const detail = { station: other, interval, series: [] };
  const { panel } = viewModal(viewOf({ portal, state, detail }));
  t.equal(panel?.notMeasured, 'This station does not measure PM₁₀.');
  t.equal(panel?.chosen, undefined);
  t.match(visibleText(pageOf(viewOf({ portal, state: stateOf() }))), 'and 1 more station');
});

void t.test('a date of another year has its year, in the zone of the page', async (t) => {
  // 2027 in Belgrade for an hour already.
  const newYear = Date.UTC(2026, 11, 31, 23) / HOUR_MS;
  const stations = [-30, -1].map((hour, index) =>
    stationOf(index + 1, { latest: new Map([[5, { hour: newYear + hour, value: 1 }]]) }),
  );
  const { header, ...rest } = portalOf([PM10], stations);
  const timesAt = (hour: number, ageHours: number): string => {
    const portal = { ...rest, header: { ...header, generatedAtMs: hour * HOUR_MS } };
    const html = pageOf(viewOf({ portal, state: stateOf(), ageHours }));
    const times = html.matchAll(/<td class="time">.*?<time[^>]*>([^<]*)/g);
    return Array.from(times, ([, text]) => text).join(' | ');
  };
  t.equal(timesAt(newYear, 0), '30 Dec 2026, 18:00 | 23:00', 'read in the new year');
  t.equal(timesAt(newYear, 800), '30 Dec 2026, 18:00 | 23:00', 'or nobody knows when');
  t.match(timesAt(newYear - 1, 0), '30 Dec, 18:00 |', 'read in the old one');
});

void t.test('values and towns are of the hour, the zone and the script of the page', async (t) => {
  const pageAt = (age: number, language = 'en'): string => {
    const latest = new Map([[5, { hour: END_HOUR - age, value: 41.25 }]]);
    const position = { longitude: 20, latitude: 44 };
    const station = stationOf(1, { latest, componentIds: [5], position });
    const other = stationOf(2, { position: { longitude: 21, latitude: 44.3 } });
    const portal = portalOf([PM10], [station, other]);
    return pageOf(viewOf({ portal, state: stateOf({ language }) }));
  };
  t.match(pageAt(24), '<title>Station 1: 41.3 µg/m³, 02:00</title>');
  t.match(pageAt(25), '<title>Station 1: no current value</title>');
  const time = '<time datetime="2026-09-09T23:00Z" title="9. sep 2026. 23:00 UTC">01:00</time>';
  t.match(pageAt(1, 'sr-Latn'), time);
  t.match(pageAt(1, 'sr-Latn'), '>Čačak</text>');
  t.match(pageAt(1, 'sr-Cyrl'), '>Чачак</text>');
  t.match(pageOf(viewOf({ state: stateOf() })), 'No data at the moment', 'without a snapshot');
});
