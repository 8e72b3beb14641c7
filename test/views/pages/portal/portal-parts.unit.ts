/** The portal's parts by themselves: notations, colours, charts, search, labels on the map. */
import fc from 'fast-check';
import t from 'tap';
import { MapLayout, MARKER_RADIUS } from '../../../../src/views/pages/map/label-placement.js';
import { frameAround, MAP_HEIGHT, MAP_WIDTH } from '../../../../src/views/pages/map/frame.js';
import { renderBaseMap } from '../../../../src/views/pages/map/base-map-svg.js';
import { parseGeoJsonMap } from '../../../../src/views/pages/map/geojson-map.js';
import { viewPlot } from '../../../../src/views/pages/portal/chart/plot.js';
import { classesOf, colorOf, colorScale } from '../../../../src/views/pages/portal/color-scale.js';
import { prettyCode, prettyUnit } from '../../../../src/views/pages/portal/notation.js';
import { shownWindow } from '../../../../src/views/pages/portal/portal-model.js';
import { stationRows } from '../../../../src/views/pages/portal/stations.js';
import { formattersFor } from '../../../../src/views/pages/portal/formatters.js';
import { readBaseMap } from '../../../../src/workers/jobs/pages/read-base-map.js';
import { PM10, portalOf, stateOf, stationOf } from '../../../support/readers/portal-reader.js';

const format = formattersFor('sr-Latn', 'Europe/Belgrade');

void t.test('units of either notation are written alike, and others as they are', async (t) => {
  for (const unit of ['ug/m3', 'ug.m-3', 'µg/m³', 'μg/m3'])
    t.equal(prettyUnit(unit), 'µg/m³', unit);
  t.same(
    ['mg.m-3', 'Cel', 'W/m2', 'W.m-2', 'm/s', 'm.s-1', 'hPa', '%', 'deg', 'V', ''].map(prettyUnit),
    ['mg/m³', '°C', 'W/m²', 'W/m²', 'm/s', 'm/s', 'hPa', '%', '°', 'V', ''],
  );
});

void t.test('codes of pollutants get small figures, and others stay as they are', async (t) => {
  t.same(
    ['PM10', 'PM2.5', 'NO2', 'SO2', 'O3', 'NOX', 'CO', 'Ethyl benzene', 'C6H6', 'T1'].map(
      prettyCode,
    ),
    ['PM₁₀', 'PM₂.₅', 'NO₂', 'SO₂', 'O₃', 'NOₓ', 'CO', 'Ethyl benzene', 'C₆H₆', 'T1'],
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

void t.test('gaps of a series are gaps of its curve', async (t) => {
  const scale = colorScale(portalOf([], []), PM10);
  const interval = { from: 0, to: 10 };
  const points = [1, 2, 5, 6, 9].map((hour) => ({ hour, value: hour }));
  const chart = viewPlot({ points, interval, scale, format });
  t.equal(chart?.series[0]?.line.match(/M/g)?.length, 3);
  t.same(chart?.gaps, [
    { x: '0%', width: '10%' },
    { x: '30%', width: '20%' },
    { x: '70%', width: '20%' },
  ]);
  t.equal(viewPlot({ points: [], interval, scale, format }), undefined);
});

void t.test('the first day of a chart says which year it is, unless it is this one', async (t) => {
  const to = Date.UTC(2026, 9, 27) / 3_600_000;
  const points = [{ hour: to - 1, value: 3 }];
  const interval = { from: to - 7 * 24, to };
  const labelsAt = (todayMs: number | undefined): readonly string[] => {
    const format = formattersFor('en', 'Europe/Belgrade', todayMs);
    const chart = viewPlot({ points, interval, scale: colorScale(portalOf([], []), PM10), format });
    return (chart?.ticks ?? []).slice(0, 2).map(({ label }) => label);
  };
  t.same(labelsAt(to * 3_600_000), ['21 Oct', '22 Oct']);
  t.same(labelsAt(Date.UTC(2027, 1, 1)), ['21 Oct 2026', '22 Oct']);
  t.same(labelsAt(undefined), ['21 Oct 2026', '22 Oct'], 'or nobody knows when it is read');
});

void t.test('stations without a value come last, whatever they are sorted by', async (t) => {
  const hour = portalOf([], []).header.generatedAtMs / 3_600_000 - 1;
  const withValue = (id: number, value: number) =>
    stationOf(id, { latest: new Map([[5, { hour, value }]]) });
  const portal = portalOf([PM10], [stationOf(1), withValue(2, 3), withValue(3, 40)]);
  for (const sort of ['value', 'time'] as const) {
    const { rows } = stationRows(portal, 5, { state: stateOf({ sort }), format, places: [] });
    t.equal(rows.at(-1)?.station.id, 1, sort);
  }
});

void t.test('markers that show values do not cover each other', async () => {
  const position = fc.record({
    x: fc.integer({ min: 0, max: 400 }),
    y: fc.integer({ min: 0, max: 400 }),
  });
  fc.assert(
    fc.property(fc.array(position), (positions) => {
      const layout = new MapLayout({ left: 0, right: 1000, bottom: 1000 }, false);
      const fits = positions.map((at) => layout.addMarker(at, true));
      const shown = positions.filter((_, index) => fits[index]);
      return shown.every((a, i) =>
        shown.every((b, j) => i === j || Math.abs(a.x - b.x) >= 26 || Math.abs(a.y - b.y) >= 26),
      );
    }),
  );
});

void t.test(
  'names of stations and towns cover no marker, no other name and no button',
  async () => {
    const point = fc.record({
      x: fc.integer({ min: 0, max: 400 }),
      y: fc.integer({ min: 0, max: 400 }),
    });
    const town = fc.tuple(point, fc.integer({ min: 10, max: 150 }));
    fc.assert(
      fc.property(fc.array(fc.tuple(point, fc.boolean())), fc.array(town), (stations, towns) => {
        const layout = new MapLayout({ left: 0, right: 400, bottom: 400 }, true);
        const markers = stations.map(([at, hasValue]) => ({
          at,
          isDot: !layout.addMarker(at, hasValue),
        }));
        const circles = markers.map(({ at, isDot }) => {
          const half = isDot ? 6 : MARKER_RADIUS;
          return { left: at.x - half, right: at.x + half, top: at.y - half, bottom: at.y + half };
        });
        const placed = [
          ...markers.map(({ at, isDot }) => {
            const width = 60;
            return { at, width, offset: layout.addStation(at, { width, isDot }) };
          }),
          ...towns.map(([at, width]) => ({ at, width, offset: layout.addTown(at, { width }) })),
        ];
        const labels = placed.flatMap(({ at, width, offset }) => {
          if (offset === undefined) return [];
          const left = at.x + offset.x - { start: 0, middle: width / 2, end: width }[offset.anchor];
          const y = at.y + offset.y;
          return [{ left, right: left + width, top: y - 7, bottom: y + 7 }];
        });
        return labels.every(
          (a, i) =>
            a.left >= 0 &&
            a.right <= 400 &&
            !(a.right > 350 && a.top < 125) &&
            [...circles, ...labels.slice(0, i)].every(
              (b) =>
                a.left >= b.right || b.left >= a.right || a.top >= b.bottom || b.top >= a.bottom,
            ),
        );
      }),
    );
  },
);

void t.test('every station lies on the map, wherever on Earth', async () => {
  const position = fc.record({
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
    latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(position, { minLength: 1 }), (positions) => {
      const frame = frameAround(positions);
      return positions.every((one) => {
        const { x, y } = frame.project(one);
        return x >= 0 && x <= MAP_WIDTH && y >= 0 && y <= MAP_HEIGHT;
      });
    }),
  );
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
  t.match(
    light,
    /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"[^>]*>(?:<path [^<>]*\/>){4,}<\/svg>$/,
  );
  t.notMatch(light, /NaN|Infinity|undefined/);
  t.not(light, renderBaseMap(map, frame, 'dark'));
  t.ok(light.length < 60_000, `${light.length} characters`);
});

void t.test('an operator provides an own map, and is told what is wrong with it', async (t) => {
  const feature = (type: string, coordinates: unknown, properties: object | null = null) => ({
    type: 'Feature',
    geometry: { type, coordinates },
    properties,
  });
  const ring = [
    [19, 44],
    [21, 44],
    [21, 46],
    [19, 44],
  ];
  const map = parseGeoJsonMap(
    JSON.stringify({
      type: 'FeatureCollection',
      features: [
        feature('Polygon', [ring], { kind: 'country' }),
        feature('MultiPolygon', [[ring]], { kind: 'water' }),
        feature('LineString', ring, { kind: 'large-river' }),
        feature('MultiLineString', [ring]),
        feature('Point', [20, 45], { name: 'Selo' }),
        feature('Point', [20.1, 45], { name: ' Grad ', population: 10 }),
        feature('Point', [20], { name: 'Nowhere' }),
        feature('Polygon', [['a']]),
        { type: 'Feature', geometry: null, properties: null },
      ],
    }),
  );
  t.same(
    [map.land, map.lakes, map.rivers, map.countryBorders, map.provinceBorders].map(
      ({ length }) => length,
    ),
    [1, 1, 1, 1, 1],
  );
  t.same(
    map.towns.map(({ name }) => name),
    ['Grad', 'Selo'],
  );
  const frame = frameAround([{ longitude: 20, latitude: 45 }]);
  t.match(renderBaseMap(map, frame, 'light'), '<path ');
  for (const text of ['', '{}', '[]', 'null', '{"type":"FeatureCollection","features":[]}']) {
    t.throws(() => parseGeoJsonMap(text), Error, text);
  }
});

void t.test('a window that the snapshot lacks is replaced by one that it has', async (t) => {
  const portal = portalOf([], []);
  const having = (...supportedWindows: ('1h' | '1d' | '7d')[]) => ({
    ...portal,
    header: { ...portal.header, supportedWindows },
  });
  t.equal(shownWindow(portal, '30d'), '30d');
  t.equal(shownWindow(having('1h', '1d'), '30d'), '1d');
  t.equal(shownWindow(having('7d'), '30d'), '7d');
  t.equal(shownWindow(having(), '30d'), '30d');
});
