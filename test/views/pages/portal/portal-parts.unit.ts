/** The portal's parts by themselves: notations, colours, charts, search, labels on the map. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import t from 'tap';
import { isDirection, isSameUnit, prettyUnit } from '../../../../src/snapshot/domain/units.js';
import {
  estimateLabelWidth,
  MARKER_RADIUS,
  placeOnMap,
} from '../../../../src/views/pages/map/label-placement.js';
import { frameAround, MAP_WIDTH } from '../../../../src/views/pages/map/frame.js';
import { renderBaseMap } from '../../../../src/views/pages/map/base-map-svg.js';
import { parseGeoJsonMap } from '../../../../src/views/pages/map/geojson-map.js';
import { viewPlot } from '../../../../src/views/pages/portal/chart/plot.js';
import { classesOf, colorOf, colorScale } from '../../../../src/views/pages/portal/color-scale.js';
import { prettyCode } from '../../../../src/views/pages/portal/notation.js';
import { viewOverview } from '../../../../src/pages/overview/overview-view.js';
import { stationRows } from '../../../../src/views/pages/portal/stations.js';
import { formattersFor } from '../../../../src/views/pages/portal/formatters.js';
import { readBaseMap } from '../../../../src/pages/map/read-base-map.js';
import { anyPosition, END_HOUR, PM10, portalOf, stateOf, stationOf } from './portals.js';

const format = formattersFor('sr-Latn', 'Europe/Belgrade');

void t.test('units of either notation are written alike, and others as they are', async (t) => {
  const written = (units: string): string => units.split('|').map(prettyUnit).join('|');
  t.equal(
    written('ug/m3|ug.m-3|µg/m³|μg/m3|ug m-3|µg m⁻³|µg·m⁻³|ug/m^3|ug/m³'),
    Array.from({ length: 9 }, () => 'µg/m³').join('|'),
  );
  t.equal(
    written('mg.m-3|Cel|W/m2|W.m-2|m/s|m.s-1|hPa|%|deg|V|'),
    'mg/m³|°C|W/m²|W/m²|m/s|m/s|hPa|%|°|V|',
  );
  const directions =
    'deg|°|º|Degrees|deg true|degree_true|deg.|degrees (true)|°T|° N|degN|deg true north';
  for (const unit of directions.split('|')) {
    t.ok(isDirection({ unit }) && isSameUnit(unit, 'deg'), unit);
  }
  const others = '°C|° C|degC|deg C|degree Celsius|°F|degF|dag|ng|true||degh';
  for (const unit of others.split('|')) t.notOk(isDirection({ unit }), unit);
  t.notOk(isSameUnit('ug/m3', 'mg/m3'));
  t.notOk(isSameUnit('ppm', 'ppb'));
});

void t.test('codes of pollutants get small figures, and others stay as they are', async (t) => {
  t.equal(
    'PM10 PM2.5 NO2 SO2 O3 NOX CO Ethyl C6H6 T1'.split(' ').map(prettyCode).join(' '),
    'PM₁₀ PM₂.₅ NO₂ SO₂ O₃ NOₓ CO Ethyl C₆H₆ T1',
  );
});

void t.test('every value has one colour, and a higher one never a lower class', async () => {
  const value = fc.double({ min: -1000, max: 1000, noNaN: true });
  fc.assert(
    fc.property(fc.array(value), value, value, fc.constantFrom('PM10', 'X'), (all, a, b, code) => {
      const rangeOf = () => [Math.min(...all), Math.max(...all)] as const;
      const scale = colorScale({ rangeOf }, { ...PM10, code });
      const [low, high] = a < b ? [a, b] : [b, a];
      const classes = classesOf(scale);
      const fitting = classes.filter(
        ({ from = -Infinity, to = Infinity }) => low >= from && low < to,
      );
      return (
        classes.length <= 6 &&
        fitting.length === 1 &&
        fitting[0]?.color === colorOf(low, scale) &&
        colorOf(low, scale) <= colorOf(high, scale)
      );
    }),
  );
});

void t.test('the first day of a chart says which year it is, unless it is this one', async (t) => {
  const points = [{ hour: END_HOUR - 1, value: 3 }];
  const interval = { from: END_HOUR - 7 * 24, to: END_HOUR };
  const scale = colorScale(portalOf([], []), PM10);
  for (const [todayMs, first] of [
    [Date.UTC(2026, 8, 10), '4 Sept'],
    [Date.UTC(2027, 1, 1), '4 Sept 2026'],
    [undefined, '4 Sept 2026'],
  ] as const) {
    const format = formattersFor('en', 'Europe/Belgrade', todayMs);
    const { ticks = [] } = viewPlot({ points, interval, scale, format }) ?? {};
    t.same([ticks[0]?.label, ticks[1]?.label], [first, '5 Sept']);
  }
});

void t.test('no value comes last, and a direction is ranked nowhere', async (t) => {
  const { id } = PM10;
  const stations = [undefined, 10, 350, 90].map((value, at) => {
    const latest = value === undefined ? [] : [[id, { hour: END_HOUR - 1, value }] as const];
    return stationOf(at + 1, { name: `S${at + 1}`, latest: new Map(latest) });
  });
  for (const [unit, sort, order] of [
    ['ug/m3', 'value', '3421'],
    ['ug/m3', 'time', '2341'],
    ['degrees', 'value', '1234'],
  ] as const) {
    const portal = portalOf([{ ...PM10, unit }], stations);
    const state = stateOf({ sort, componentId: id });
    const { rows } = stationRows(portal, id, { state, format, places: [] });
    t.equal(rows.map(({ station }) => station.id).join(''), order, unit);
    if (sort === 'time') continue;
    const view = viewOverview({ ...state, sortId: id }, { portal, timeZone: 'UTC', ageHours: 0 });
    const text = 'table' in view ? view.table.rows.map((row) => row.text).join('') : '';
    t.equal(Array.from(text.matchAll(/>S(\d)</g), ([, name]) => name).join(''), order, unit);
  }
});

const around = (x: number, y: number, halfX: number, halfY = halfX) => ({ x, y, halfX, halfY });
type Box = ReturnType<typeof around>;

/** Whether no box covers another one of them, or one of the others. */
function isFree(boxes: readonly Box[], others: readonly Box[]): boolean {
  return boxes.every((a, index) =>
    [...others, ...boxes.slice(0, index)].every(
      (b) =>
        Math.abs(a.x - b.x) >= a.halfX + b.halfX - 1e-6 ||
        Math.abs(a.y - b.y) >= a.halfY + b.halfY - 1e-6,
    ),
  );
}

void t.test('texts of a map cover no circle, no name and no button at any width', async () => {
  const share = (max: number) => fc.integer({ min: 1, max }).map((percent) => percent / 100);
  const at = fc.record({ x: share(99), y: share(79) });
  const letter = fc.constantFrom('a', 'i', 'm', 'M', 'Š', 'ш', ' ');
  const name = fc.string({ unit: letter, minLength: 1, maxLength: 20 });
  const importance = fc.constantFrom('usual', 'first');
  const station = fc.record({ at, name, importance, hasValue: fc.boolean() });
  fc.assert(
    fc.property(
      fc.uniqueArray(station, { selector: ({ at: { x, y } }) => `${x},${y}` }),
      fc.array(fc.record({ at, name, importance })),
      fc.integer({ min: 288, max: 4000 }),
      (stations, towns, width) => {
        const placed = placeOnMap({ height: 0.8, stations, towns });
        const values = stations.filter((_, index) => (placed.values[index] ?? 0) <= width);
        const circleOf = (one: (typeof stations)[number], radius: number) =>
          around(one.at.x * width, one.at.y * width, radius);
        const circles = stations.map((one) =>
          circleOf(one, values.includes(one) ? MARKER_RADIUS : 6),
        );
        const cores = values.map((one) => circleOf(one, MARKER_RADIUS - 2));
        const labels = [...stations, ...towns].flatMap((one, index) => {
          const label = [...placed.names, ...placed.towns][index];
          if (label === undefined || label.from > width) return [];
          const half = estimateLabelWidth(label.text) / 2;
          const x =
            one.at.x * width + label.x + { start: half, middle: 0, end: -half }[label.anchor];
          return [around(x, one.at.y * width + label.y, half, 7)];
        });
        const controls = around(width - 28, 66, 28, 66);
        return (
          isFree(cores, []) &&
          isFree(labels, [...circles, controls]) &&
          labels.every(({ x, halfX }) => x - halfX >= 0 && x + halfX <= width)
        );
      },
    ),
  );
});

void t.test('every station lies on the map, wherever on Earth', async () => {
  fc.assert(
    fc.property(fc.array(anyPosition, { minLength: 1 }), (positions) => {
      const frame = frameAround(positions);
      return positions.every((one) => {
        const { x, y } = frame.project(one);
        return x >= 0 && x <= MAP_WIDTH && y >= 0 && y <= frame.height;
      });
    }),
  );
});

void t.test('a network across the antimeridian lies together', async (t) => {
  const frame = frameAround([
    { longitude: 178.4, latitude: -18.1 },
    { longitude: -179.9, latitude: -16.8 },
    { longitude: -178.8, latitude: -18.2 },
  ]);
  const [west, , east] = frame.bounds;
  t.ok(east - west < 5, `${east - west} degrees`);
  const xOf = (longitude: number) => frame.project({ longitude, latitude: -18 }).x;
  t.ok(xOf(178.4) < xOf(-179.9));
  const [, ...land] = renderBaseMap(readBaseMap(frame.bounds), frame, 'light').split('<path ');
  const xs = [...(land[1] ?? '').matchAll(/[ML](-?[\d.]+),/g)].map(([, x]) => Number(x));
  t.ok(Math.min(...xs) < 300 && Math.max(...xs) > 700, 'islands on both sides');
});

void t.test('the base map has borders, water and towns where a network is', async (t) => {
  const frame = frameAround([
    { longitude: 19.8, latitude: 45.25 },
    { longitude: 20.5, latitude: 44.8 },
  ]);
  const map = readBaseMap(frame.bounds);
  t.ok(map.land.length > 0);
  t.ok(map.provinceBorders.length > 0);
  t.ok(map.towns.some(({ name }) => name === 'Novi Sad'));
  const light = renderBaseMap(map, frame, 'light');
  t.match(light, /^<svg xmlns="[^"]*"[^>]*>(?:<path [^<>]*\/>){4,}<\/svg>$/);
  t.notMatch(light, /NaN|Infinity|undefined/);
  t.not(light, renderBaseMap(map, frame, 'dark'));
  t.ok(light.length < 60_000, `${light.length} characters`);
});

void t.test('an operator provides an own map, and is told what is wrong with it', async (t) => {
  // One of each kind, and malformed features.
  const map = parseGeoJsonMap(readFileSync('test/fixtures/own-map.json', 'utf8'));
  const lines = [map.land, map.lakes, map.rivers, map.countryBorders, map.provinceBorders];
  t.equal(lines.map(({ length }) => length).join(), '1,1,1,1,1');
  t.equal(map.towns.map(({ name }) => name).join(), 'Grad,Selo');
  const frame = frameAround([{ longitude: 20, latitude: 45 }]);
  t.match(renderBaseMap(map, frame, 'light'), '<path ');
  for (const text of ['', '{}', '[]', 'null', '{"type":"FeatureCollection","features":[]}']) {
    t.throws(() => parseGeoJsonMap(text), Error, text);
  }
});
