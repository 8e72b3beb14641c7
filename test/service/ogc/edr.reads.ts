/** The abstract tests of OGC API - EDR 1.1 (OGC 19-086r6, Annex A), each named by its requirements. */
import t, { type Test } from 'tap';
import { cellsOf } from '../../support/readers/csv.js';
import { unescapeHtml } from '../../support/readers/html.js';
import { jsonOf } from '../../support/service/connection.js';
import {
  CRS84,
  definitionOf,
  LIST,
  ogcClient,
  TEXT,
  typeOf,
  type ApiDocument,
  type FeatureCollection,
  type Link,
  type Plain,
} from './ogc-client.js';

const OBSERVATIONS = '/collections/observations';
const NEAR = 'coords=POINT(0.4%200.8)';

/** A request of each query for values; all of them have values of a station that has coordinates. */
const QUERIES = {
  position: `${OBSERVATIONS}/position?${NEAR}`,
  radius: `${OBSERVATIONS}/radius?${NEAR}&within=60&within-units=km`,
  area: `${OBSERVATIONS}/area?coords=POLYGON((-2%20-2,2%20-2,2%202,-2%202,-2%20-2))`,
  locations: `${OBSERVATIONS}/locations/1?crs=CRS84`,
} as const;

const FORMATS = {
  CoverageJSON: 'application/prs.coverage+json',
  GeoJSON: 'application/geo+json',
  CSV: 'text/csv',
  html: 'text/html',
} as const;

interface Coverage {
  readonly type: string;
  readonly id: string;
  readonly domain: Plain & {
    readonly axes: Readonly<Record<'x' | 'y' | 't', { readonly values: readonly unknown[] }>>;
  };
  readonly ranges: Readonly<
    Record<string, Plain & { readonly values: readonly (number | null)[] }>
  >;
}

interface CoverageCollection {
  readonly coverages: readonly Coverage[];
  readonly parameters: Readonly<Record<string, Plain>>;
}

type Row = Readonly<Record<string, string>>;

void t.test('OGC API - EDR 1.1', async (t) => {
  const client = await ogcClient(t);
  const { ask, json } = client;
  const api = await json<ApiDocument>('/api');
  const observations = async () => {
    const [found] = await client.collections();
    if (found === undefined) throw new Error('there is no collection');
    return found;
  };
  /** Rows of a query, read as CSV. */
  const rowsOf = async (address: string): Promise<readonly Row[]> => {
    const [names = [], ...rows] = cellsOf((await ask(withF(address, 'CSV'))).body.toString());
    return rows.map((cells) =>
      Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ''])),
    );
  };
  const all = await rowsOf(`${OBSERVATIONS}/area?bbox=-180,-90,180,90`);

  await t.test('/req/core/conformance, /req/core/conformance-success', async (t) => {
    const { conformsTo } = await json<{ conformsTo: readonly string[] }>('/conformance');
    const classes = ['core', 'collections', 'queries', 'json', 'geojson', 'edr-geojson'];
    for (const name of [...classes, 'covjson', 'html', 'oas30']) {
      t.ok(conformsTo.includes(`http://www.opengis.net/spec/ogcapi-edr-1/1.1/conf/${name}`), name);
    }
  });

  await t.test('/req/core/rc-collection-info-links, /req/core/rc-md-query-links', async (t) => {
    for (const { id, links } of await client.collections()) {
      const relations = await client.checkLinks(t, links);
      for (const rel of ['self', 'alternate', 'data', 'license']) t.ok(relations.includes(rel), id);
    }
  });

  await t.test('/req/edr/rc-collection-info, /req/edr/rc-crs, /req/core/rc-extent', async (t) => {
    const collections = await client.collections();
    t.equal(new Set(collections.map(({ id }) => id)).size, collections.length);
    for (const collection of collections) {
      t.match(collection, { id: /./, title: /./, crs: [CRS84], data_queries: {} });
      t.ok(collection.output_formats.length > 0);
      t.type(collection.parameter_names, 'object');
    }
    const { extent, output_formats: formats } = await observations();
    t.same(formats, Object.keys(FORMATS).slice(0, 3));
    t.same(extent.temporal, {
      interval: [['2026-08-11T00:00:00Z', '2026-09-10T00:00:00Z']],
      values: ['R720/2026-08-11T00:00:00Z/PT1H'],
      trs: 'http://www.opengis.net/def/uom/ISO-8601/0/Gregorian',
    });
    t.same(extent.spatial, { bbox: [[-1.5, -0.5, 1.9, 0.80318]], crs: CRS84 });
  });

  const variables =
    '/req/edr/rc-data-queries, rc-common-query-type, rc-common-variables, rc-radius-variables, rc-items-variables';
  await t.test(variables, async (t) => {
    for (const {
      id,
      data_queries: queries,
      output_formats: formats,
    } of await client.collections()) {
      const names = id === 'observations' ? [...Object.keys(QUERIES), 'items'] : ['items'];
      t.same(Object.keys(queries), names);
      for (const [name, { link }] of Object.entries(queries)) {
        t.equal(new URL(link.href).pathname, `/ogc/collections/${id}/${name}`);
        const { variables: own } = link;
        t.match([link.rel, own], ['data', { query_type: name, title: /./ }]);
        t.ok(own.output_formats.every((one) => formats.includes(one)));
        t.ok(own.output_formats.includes(own.default_output_format));
        t.match(own.crs_details, [{ crs: /^CRS84$/, wkt: /^GEOGCRS\[/ }]);
        t.same(own['within_units'], name === 'radius' ? ['km', 'm', 'mi'] : undefined);
      }
    }
  });

  await t.test('/req/edr/rc-parameters', async (t) => {
    const { parameter_names: names } = await observations();
    t.same(Object.keys(names).toSorted(), [...new Set(codesOf(all)), ...UNSEEN].toSorted());
    for (const [code, parameter] of Object.entries(names)) {
      t.match(parameter, {
        type: 'Parameter',
        id: code,
        description: /./,
        unit: { label: /./, symbol: /./ },
        observedProperty: { id: /./, label: /./ },
        measurementType: { method: 'mean', duration: 'PT1H' },
      });
    }
  });

  await t.test('/req/queries/position, radius, area: what is missing or invalid', async (t) => {
    for (const address of [
      ...['position', 'radius', 'area', 'position?coords=', `radius?${NEAR}`],
      ...[`radius?${NEAR}&within=10`, `radius?${NEAR}&within-units=km`, 'radius?within=1'],
      ...['0', '-1', 'far', '1e999'].map((one) => `radius?${NEAR}&within=${one}&within-units=km`),
      `radius?${NEAR}&within=1&within-units=ell`,
      ...[
        ...['POINT()', 'POINT(1)', 'POINT(1 2 3 4)', 'POINT(1 91)', 'POINT(181 1)', 'POINT(a b)'],
        ...['MULTIPOINT((1 2),(3 4))', 'LINESTRING(1 2,3 4)', '1,2', 'POINT(1 2', 'POINT 1 2'],
      ].map((one) => `position?coords=${encodeURIComponent(one)}`),
      ...[
        ...['POINT(1 2)', 'POLYGON()', 'POLYGON(())', 'POLYGON((0 0,1 0,1 1))'],
        ...['POLYGON((0 0,1 0,1 1,0 1))', `POLYGON((${'0 0,'.repeat(100)}0 0))`],
      ].map((one) => `area?coords=${encodeURIComponent(one)}`),
      ...[
        'f=NetCDF',
        'crs=EPSG:4326',
        'datetime=soon',
        'parameter-name=nothing',
        'z=2',
        'limit=1',
      ].flatMap((one) => [`position?${NEAR}&${one}`, `locations/1?${one}`]),
    ]) {
      const answer = await ask(`${OBSERVATIONS}/${address}`);
      t.equal(answer.status, 400, address);
      t.match(jsonOf(answer), { detail: /./ });
    }
  });

  await t.test('/req/edr/coords-definition, within-definition, within-units-definition', (t) => {
    for (const name of ['position', 'radius', 'area'] as const) {
      const path = `/ogc${OBSERVATIONS}/${name}`;
      // A box can stand for the polygon.
      const expected = { ...TEXT, required: name !== 'area' };
      t.same(definitionOf(api, path, 'coords'), expected);
      for (const one of name === 'radius' ? ['within', 'within-units'] : []) {
        t.same(definitionOf(api, path, one), { ...TEXT, required: true });
      }
    }
    t.end();
  });

  await t.test('/req/edr/point-coords-response', async (t) => {
    const rows = await rowsOf(QUERIES.position);
    // For each parameter, the values of the nearest station that has a value of it.
    const stations = new Map(rows.map((one) => [one['parameter_code'], one['station_id']]));
    const measured = all.filter((one) => one['value'] !== '');
    t.same([...stations.keys()].toSorted(), [...new Set(codesOf(measured))].toSorted());
    for (const [code, id] of stations) {
      const near = [4, 1, 3, 2, 6].map(String);
      const has = (one: string) =>
        measured.some((row) => row['parameter_code'] === code && row['station_id'] === one);
      t.equal(id, near.find(has), String(code));
      t.same(rows.filter(isOf({ code, id })), all.filter(isOf({ code, id })));
    }
  });

  await t.test('/req/edr/polygon-coords-response, /req/core/rc-bbox-response', async (t) => {
    for (const [area, ids] of [
      ['coords=POLYGON((-2 -2,2 -2,2 2,-2 2,-2 -2))', ['1', '2', '3', '4', '6']],
      ['coords=POLYGON((0 0,0.5 0,0.5 1,0 1,0 0))', ['1', '3', '4']],
      [
        'coords=polygon((-2 -2,2 -2,2 2,-2 2,-2 -2),(0.1 0.1,1 0.1,1 1,0.1 1,0.1 0.1))',
        ['2', '3', '6'],
      ],
      ['coords=POLYGON((5 5,6 5,6 6,5 5))', []],
      ['bbox=0,0,0.5,1', ['1', '3', '4']],
      ['bbox=1,-90,0,90', ['2', '3', '6']],
      ['bbox=0,0,5,0.5,1,9', ['1', '3', '4']],
      ['bbox=0,0,0.5,1&coords=POLYGON((-2 -2,2 -2,2 0.5,-2 0.5,-2 -2))', ['3']],
    ] as const) {
      const query = new URLSearchParams(area).toString();
      const rows = await rowsOf(`${OBSERVATIONS}/area?${query}`);
      const expected = all.filter((one) =>
        (ids as readonly string[]).includes(one['station_id'] ?? ''),
      );
      t.same(rows, expected, area);
    }
    t.same(definitionOf(api, `/ogc${OBSERVATIONS}/area`, 'bbox'), LIST);
  });

  await t.test('/req/edr/within-response, /req/edr/within-units-response', async (t) => {
    const idsIn = async (within: string): Promise<string> => {
      const rows = await rowsOf(`${OBSERVATIONS}/radius?${NEAR}&${within}`);
      return [...new Set(rows.map((one) => one['station_id']))].join();
    };
    t.equal(await idsIn('within=1&within-units=km'), '1');
    t.equal(await idsIn('within=1000&within-units=m'), '1');
    t.equal(await idsIn('within=61&within-units=mi'), '1');
    t.equal(await idsIn('within=62&within-units=mi'), '1,3');
    t.equal(await idsIn('within=0.1&within-units=km'), '');
  });

  await t.test('/req/core/datetime-definition, /req/core/datetime-response', async (t) => {
    for (const [name, address] of Object.entries(QUERIES)) {
      if (name !== 'locations')
        t.same(definitionOf(api, `/ogc${OBSERVATIONS}/${name}`, 'datetime'), TEXT);
      for (const [text, from, to] of [
        ['2026-09-09T22:30:00Z', '2026-09-09T22:00:00Z', '2026-09-09T22:00:00Z'],
        [
          '2026-09-09T22:00:00Z/2026-09-09T22:59:59Z',
          '2026-09-09T22:00:00Z',
          '2026-09-09T22:00:00Z',
        ],
        [
          '2026-09-09T20:00:00Z/2026-09-09T22:00:00Z',
          '2026-09-09T20:00:00Z',
          '2026-09-09T22:00:00Z',
        ],
        ['2026-08-30', '2026-08-30T00:00:00Z', '2026-08-30T23:00:00Z'],
        ['../2026-08-30T05:00:00Z', '2000-01-01T00:00:00Z', '2026-08-30T05:00:00Z'],
        ['2026-09-09T23:00:00Z/..', '2026-09-09T23:00:00Z', '2100-01-01T00:00:00Z'],
        ['2020-01-01/2020-02-01', '2020-01-01T00:00:00Z', '2020-02-01T00:00:00Z'],
      ] as const) {
        // A position is another station where the nearest has no value then.
        const usual = name === 'position' ? all : await rowsOf(address);
        const rows = await rowsOf(`${address}&datetime=${text}`);
        const isThen = (one: Row) => isBetween(one['time_start_utc'] ?? '', from, to);
        if (name === 'position') t.ok(rows.every(isThen) && isPart(rows, usual), text);
        else t.same(rows, usual.filter(isThen), `${name} ${text}`);
      }
    }
  });

  await t.test('/req/edr/parameter-name-definition, parameter-name-response', async (t) => {
    const codes = Object.keys((await observations()).parameter_names);
    for (const [name, address] of Object.entries(QUERIES)) {
      if (name !== 'locations')
        t.same(definitionOf(api, `/ogc${OBSERVATIONS}/${name}`, 'parameter-name'), LIST);
      const usual = await rowsOf(address);
      for (const some of [
        ['SO2'],
        ['PM10', 'Ethyl benzene'],
        codes,
        ...codes.map((one) => [one]),
      ]) {
        const rows = await rowsOf(`${address}&parameter-name=${encodeURIComponent(some.join())}`);
        t.same(
          rows,
          usual.filter((one) => some.includes(one['parameter_code'] ?? '')),
          some.join(),
        );
      }
    }
  });

  await t.test('/req/edr/crs-definition, /req/edr/crs-response', async (t) => {
    t.same(definitionOf(api, `/ogc${OBSERVATIONS}/position`, 'crs'), TEXT);
    for (const address of Object.values(QUERIES)) {
      const usual = await ask(address);
      for (const crs of ['CRS84', 'OGC:CRS84', CRS84]) {
        const answer = await ask(`${address}&crs=${encodeURIComponent(crs)}`);
        t.same([answer.status, answer.body], [200, usual.body], crs);
      }
    }
  });

  await t.test('/req/edr/f-definition, /req/edr/f-response: the same values in each', async (t) => {
    t.same(definitionOf(api, `/ogc${OBSERVATIONS}/position`, 'f'), TEXT);
    for (const address of Object.values(QUERIES)) {
      for (const [f, type] of Object.entries(FORMATS)) {
        const answer = await ask(withF(address, f));
        t.same([answer.status, typeOf(answer)], [200, type]);
        t.equal(typeOf(await ask(withF(address, f.toUpperCase()))), type);
      }
      t.equal(typeOf(await ask(address)), FORMATS.CoverageJSON);
      const values = (await rowsOf(address))
        .filter((one) => one['value'] !== '')
        .map((one) =>
          [
            one['station_id'],
            one['parameter_code'],
            one['time_start_utc'],
            Number(one['value']),
          ].join(),
        );
      t.ok(values.length > 0);
      const { coverages } = await json<CoverageCollection>(withF(address, 'CoverageJSON'));
      t.same(coverages.flatMap(coverageValues).toSorted(), values.toSorted());
      const { features } = await json<FeatureCollection>(withF(address, 'GeoJSON'));
      const codes = new Set(codesOf(all));
      const found = features.flatMap(({ properties }) =>
        Object.entries(properties).flatMap(([name, value]) =>
          codes.has(name) && value !== null
            ? [[properties['station_id'], name, properties['datetime'], value].join()]
            : [],
        ),
      );
      t.same(found.toSorted(), values.toSorted());
    }
  });

  await t.test('/req/edr/rc-locations', async (t) => {
    const { features } = await json<FeatureCollection>(`${OBSERVATIONS}/locations`);
    t.same(features, (await json<FeatureCollection>(`${OBSERVATIONS}/items`)).features);
    t.equal(features.map(({ id }) => id).join(), '1,2,3,4,5,6,7');
    for (const { id } of features) {
      const rows = await rowsOf(`${OBSERVATIONS}/locations/${id}`);
      const expected = all.filter((one) => one['station_id'] === id);
      // Stations 5 and 7 have no coordinates, so no area has them.
      if (id !== '5' && id !== '7') t.same(rows, expected, id);
    }
    for (const id of ['9', '404', 'x']) {
      t.equal((await ask(`${OBSERVATIONS}/locations/${id}`)).status, 404);
    }
    const inBox = await json<FeatureCollection>(`${OBSERVATIONS}/locations?bbox=0,0,1,1&f=GeoJSON`);
    t.equal(inBox.features.map(({ id }) => id).join(), '1,3,4');
  });

  await t.test('/req/covjson/definition, /req/covjson/content', async (t) => {
    for (const address of Object.values(QUERIES)) {
      const answer = await ask(address);
      t.equal(typeOf(answer), FORMATS.CoverageJSON);
      checkCoverages(t, jsonOf(answer) as CoverageCollection);
    }
  });

  await t.test('/req/geojson/content, /req/edr-geojson/content', async (t) => {
    const own = [`${OBSERVATIONS}/locations`, `${OBSERVATIONS}/items`];
    for (const address of [...own, ...Object.values(QUERIES).map((one) => withF(one, 'GeoJSON'))]) {
      const answer = await ask(address);
      t.equal(typeOf(answer), FORMATS.GeoJSON);
      const found = jsonOf(answer) as FeatureCollection & {
        readonly parameters?: readonly Plain[];
      };
      t.match(found, { type: 'FeatureCollection', numberReturned: found.features.length });
      t.same(await json(found.links[0]?.href ?? ''), found, 'the link `self`');
      const relations = await client.checkLinks(t, found.links);
      t.match(relations, ['self', 'alternate']);
      for (const { type, id, properties } of found.features) {
        t.match([type, id], ['Feature', /./]);
        t.match(properties, {
          datetime: /^\d{4}-\d\d-\d\dT/,
          label: /./,
          'parameter-name': Array,
          edrqueryendpoint: new RegExp(
            `/ogc/collections/observations/locations/${id.split(':', 1)[0]}$`,
          ),
        });
      }
      for (const one of found.parameters ?? []) {
        t.match(one, { type: 'Parameter', observedProperty: { id: /./, label: { en: /./ } } });
      }
      const types = new Set(found.links.map(({ type }) => type));
      if (found.parameters)
        t.same(types, new Set([FORMATS.GeoJSON, FORMATS.html, FORMATS.CoverageJSON, FORMATS.CSV]));
    }
  });

  await t.test('/req/json/definition, /req/json/content', async (t) => {
    for (const address of ['', '/conformance', '/collections', OBSERVATIONS]) {
      for (const f of ['', '?f=json']) {
        const answer = await ask(address + f);
        t.equal(typeOf(answer), 'application/json');
        t.type(jsonOf(answer), 'object');
      }
    }
  });

  await t.test('/req/html/content: values, and links to the files', async (t) => {
    const code = 'a/b&c=d+e%2B"\n?#';
    const query = `parameter-name=${encodeURIComponent(code)}`;
    for (const address of [...Object.values(QUERIES), `${OBSERVATIONS}/locations/6?crs=CRS84`]) {
      const page = (await ask(`${withF(address, 'html')}&${query}`)).body.toString();
      // A quote or `&` of a code or of an address never ends an attribute.
      t.notMatch(page, 'a/b&c=d');
      const links = [...page.matchAll(/<li><a href="([^"]*)"/g)].map(([, href = '']) =>
        unescapeHtml(href),
      );
      for (const f of ['CoverageJSON', 'CSV']) {
        const href = links.find((one) => one.includes(`f=${f}`)) ?? '';
        t.equal(new URL(href).searchParams.get('parameter-name'), code);
        t.equal((await ask(href)).status, 200);
      }
    }
    const { features } = await json<FeatureCollection>(withF(QUERIES.radius, 'GeoJSON'));
    const page = (await ask(withF(QUERIES.radius, 'html'))).body.toString();
    t.equal(page.match(/<tr>/g)?.length, features.length + 1);
  });

  await t.test('/req/oas30/oas-impl: links of the API lead to what it describes', async (t) => {
    const { links } = await json<{ links: readonly Link[] }>('');
    t.ok(links.some(({ rel, type }) => rel === 'service-doc' && type === 'text/html'));
    for (const name of [...Object.keys(QUERIES), 'locations/{station_id}']) {
      t.ok(api.paths[`/ogc${OBSERVATIONS}/${name}`], name);
    }
  });
});

/** Codes of parameters without values. */
const UNSEEN = ['Угљен'];

function withF(address: string, f: string): string {
  const plain = address.replace(/[?&]f=\w+/, '');
  return `${plain}${plain.includes('?') ? '&' : '?'}f=${f}`;
}

function codesOf(rows: readonly Row[]): readonly string[] {
  return rows.map((one) => one['parameter_code'] ?? '');
}

function isOf({
  code,
  id,
}: {
  readonly code: string | undefined;
  readonly id: string | undefined;
}) {
  return (one: Row) => one['parameter_code'] === code && one['station_id'] === id;
}

function isBetween(time: string, from: string, to: string): boolean {
  return time >= from && time <= to;
}

function isPart(some: readonly Row[], all: readonly Row[]): boolean {
  const texts = new Set(all.map((one) => JSON.stringify(one)));
  return some.every((one) => texts.has(JSON.stringify(one)));
}

function coverageValues({ id, domain, ranges }: Coverage): readonly string[] {
  return Object.entries(ranges).flatMap(([code, { values }]) =>
    values.flatMap((value, at) =>
      value === null ? [] : [[id, code, domain.axes.t.values[at], value].join()],
    ),
  );
}

/** A collection of `PointSeries` by the specification of CoverageJSON (OGC 21-069r2). */
function checkCoverages(t: Test, found: CoverageCollection): void {
  t.match(found, { type: 'CoverageCollection', domainType: 'PointSeries', coverages: Array });
  const referencing = [
    { coordinates: ['x', 'y'], system: { type: 'GeographicCRS', id: CRS84 } },
    { coordinates: ['t'], system: { type: 'TemporalRS', calendar: 'Gregorian' } },
  ];
  t.match(found, { referencing });
  const { coverages, parameters } = found;
  t.ok(coverages.length > 0);
  for (const [code, parameter] of Object.entries(parameters)) {
    t.match(parameter, { type: 'Parameter', observedProperty: { label: { en: /./ } } });
    t.ok(
      coverages.some(({ ranges }) => Object.hasOwn(ranges, code)),
      `${code} has a range`,
    );
  }
  for (const { type, domain, ranges } of coverages) {
    t.match([type, domain], ['Coverage', { type: 'Domain', domainType: 'PointSeries' }]);
    const { x, y, t: times } = domain.axes;
    t.match([x.values, y.values], [[Number], [Number]]);
    const texts = times.values.map(String);
    t.ok(texts.every((one) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(one)));
    t.same(texts, [...new Set(texts)].toSorted());
    for (const [code, { values, ...range }] of Object.entries(ranges)) {
      t.ok(Object.hasOwn(parameters, code));
      const shape = [texts.length];
      t.same(range, { type: 'NdArray', dataType: 'float', axisNames: ['t'], shape });
      t.equal(values.length, texts.length);
      t.ok(values.every((one) => one === null || Number.isFinite(one)));
    }
  }
}
