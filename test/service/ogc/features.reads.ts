/** The abstract tests of OGC API - Features 1.0 (OGC 17-069r4, Annex A), each named by its requirements. */
import { setShouldValidateFormat, validate } from '@hyperjump/json-schema/openapi-3-0';
import { gunzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { addressesIn, inlineCode, invalidMarkup, visibleText } from '../../support/readers/html.js';
import { fieldOf, jsonOf } from '../../support/service/connection.js';
import {
  CRS84,
  definitionOf,
  LIST,
  ogcClient,
  TEXT,
  typeOf,
  type ApiDocument,
  type Feature,
  type FeatureCollection,
  type Link,
  type OgcClient,
} from './ogc-client.js';

const FEATURES = ['stations', 'latest'] as const;
const ITEMS = '/ogc/collections/{collection_id}/items';

/** An address of each operation. */
const ADDRESSES = {
  '/ogc': '',
  '/ogc/conformance': '/conformance',
  '/ogc/api': '/api',
  '/ogc/collections': '/collections',
  '/ogc/collections/{collection_id}': '/collections/stations',
  [ITEMS]: '/collections/latest/items',
  [`${ITEMS}/{feature_id}`]: '/collections/stations/items/1',
  '/ogc/collections/observations/locations': '/collections/observations/locations',
  '/ogc/collections/observations/locations/{station_id}': '/collections/observations/locations/1',
  '/ogc/collections/observations/position':
    '/collections/observations/position?coords=POINT(0.4%200.8)',
  '/ogc/collections/observations/radius':
    '/collections/observations/radius?coords=POINT(0.4%200.8)&within=50&within-units=km',
  '/ogc/collections/observations/area': '/collections/observations/area?bbox=-2,-2,2,2',
};

void t.test('OGC API - Features 1.0', async (t) => {
  const client = await ogcClient(t);
  const { ask, json } = client;
  const api = await json<ApiDocument>('/api');
  const itemsOf = async (collection: string, query = ''): Promise<FeatureCollection> =>
    await json(`/collections/${collection}/items${query}`);

  await t.test('/req/core/root-op, /req/core/root-success', async (t) => {
    for (const address of ['', '/']) {
      const { links } = await json<{ links: readonly Link[] }>(address);
      const relations = await client.checkLinks(t, links);
      const needed = ['self', 'alternate', 'service-desc', 'service-doc', 'conformance', 'data'];
      for (const rel of needed) t.ok(relations.includes(rel), rel);
    }
  });

  await t.test('/req/core/api-definition-op, /req/core/api-definition-success', async (t) => {
    const { links } = await json<{ links: readonly Link[] }>('');
    const link = links.find(({ rel }) => rel === 'service-desc');
    t.equal(link?.type, 'application/vnd.oai.openapi+json;version=3.0');
    t.same(await json(link?.href ?? ''), api);
  });

  await t.test('/req/core/conformance-op, /req/core/conformance-success', async (t) => {
    const { conformsTo } = await json<{ conformsTo: readonly string[] }>('/conformance');
    t.equal(new Set(conformsTo).size, conformsTo.length);
    for (const name of ['core', 'oas30', 'html', 'geojson']) {
      t.ok(conformsTo.includes(`http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/${name}`));
    }
  });

  await t.test('/req/core/http', async (t) => {
    for (const address of Object.values(ADDRESSES)) {
      const usual = await ask(address);
      t.equal(usual.status, 200, address);
      const head = await ask(address, {}, 'HEAD');
      t.same([head.status, head.body.byteLength], [200, 0]);
      for (const name of ['content-type', 'etag', 'content-length']) {
        t.equal(fieldOf(head, name), fieldOf(usual, name), `${name} of ${address}`);
      }
      const etag = fieldOf(usual, 'etag') ?? '';
      t.equal((await ask(address, { 'If-None-Match': etag })).status, 304, address);
      const zipped = await ask(address, { 'Accept-Encoding': 'gzip' });
      const isZipped = fieldOf(zipped, 'content-encoding') === 'gzip';
      t.same(isZipped ? gunzipSync(zipped.body) : zipped.body, usual.body, address);
      t.equal((await ask(address, {}, 'DELETE')).status, 405);
    }
    for (const address of [
      '/collections/nothing',
      '/collections/nothing/items',
      '/collections/stations/items/404',
      '/collections/latest/items/1',
      '/collections/observations/locations/404',
    ]) {
      t.equal((await ask(address)).status, 404, address);
    }
  });

  await t.test('/req/core/query-param-unknown', async (t) => {
    for (const address of Object.values(ADDRESSES)) {
      for (const name of ['unknown', 'Limit', 'bbox-crs', '%3Cb%3E']) {
        const to = `${address}${address.includes('?') ? '&' : '?'}${name}=1`;
        const answer = await ask(to);
        t.equal(answer.status, 400, to);
        t.match(jsonOf(answer), { detail: name });
      }
    }
  });

  await t.test('/req/core/query-param-invalid', async (t) => {
    for (const query of [
      ...['limit=0', 'limit=-1', 'limit=1.5', 'limit=ten', 'offset=-1', 'f=xml', 'f=CSV'],
      ...['bbox=1,2,3', 'bbox=1,2,3,4,5', 'bbox=1,2,3,4,5,6,7', 'bbox=a,b,c,d', 'bbox=0,2,1,1'],
      ...['bbox=-181,0,0,0', 'bbox=0,0,0,91', 'bbox=0;0;1;1', 'bbox=,,,'],
      ...['datetime=yesterday', 'datetime=2026-02-30', 'datetime=2026-02-02/2026-02-01'],
      ...['datetime=2026-01-01/2026-01-02/2026-01-03', 'datetime=2026-13-01T00:00:00Z'],
    ]) {
      for (const collection of [...FEATURES, 'observations']) {
        const answer = await ask(`/collections/${collection}/items?${query}`);
        t.equal(answer.status, 400, query);
        t.match(jsonOf(answer), { detail: query.slice(0, query.indexOf('=')) });
      }
    }
  });

  await t.test('/req/core/crs84', async (t) => {
    for (const { crs, extent } of await client.collections()) {
      t.same([crs, extent.spatial.crs], [[CRS84], CRS84]);
    }
    const { geometry } = await json<Feature>('/collections/stations/items/1');
    t.same(geometry, { type: 'Point', coordinates: [0.400152, 0.803179] });
  });

  const metadata =
    '/req/core/fc-md-op, fc-md-success, fc-md-links, fc-md-items, fc-md-items-links, sfc-md-op, sfc-md-success';
  await t.test(metadata, async (t) => {
    const { links } = await json<{ links: readonly Link[] }>('/collections');
    t.same(await client.checkLinks(t, links), ['self', 'alternate']);
    const collections = await client.collections();
    t.same(
      collections.map(({ id }) => id),
      ['observations', ...FEATURES],
    );
    for (const collection of collections) {
      const { id } = collection;
      await client.checkLinks(t, collection.links);
      const items = collection.links.filter(({ rel }) => rel === 'items');
      t.same(
        items.map(({ type }) => type),
        ['application/geo+json', 'text/html'],
      );
      t.match(collection, { title: /./, itemType: 'feature' });
      t.same(await json(`/collections/${id}`), collection);
    }
  });

  await t.test('/req/core/fc-md-extent-multi', async (t) => {
    for (const { id, extent } of await client.collections()) {
      const [[west = NaN, south = NaN, east = NaN, north = NaN]] = extent.spatial.bbox;
      const { features } = await itemsOf(id);
      const [places, times] = [placesOf(features), features.map(timesOf)];
      t.ok(
        places.every(([x, y]) => x >= west && x <= east && y >= south && y <= north),
        id,
      );
      const [[from, to]] = extent.temporal?.interval ?? [['', '']];
      t.equal(extent.temporal === undefined, id === 'stations');
      if (id === 'stations') continue;
      t.ok(
        times.every((one) => one.from >= Date.parse(from) && one.to <= Date.parse(to)),
        id,
      );
    }
  });

  await t.test('/req/core/fc-op, fc-response, fc-links, fc-rel-type', async (t) => {
    for (const collection of [...FEATURES, 'observations']) {
      const page = await itemsOf(collection, '?limit=2');
      t.match(page, { type: 'FeatureCollection', features: { length: 2 } });
      const relations = await client.checkLinks(t, page.links);
      t.same(relations, ['self', 'alternate', 'collection', 'next']);
      t.same(await json(page.links[0]?.href ?? ''), page);
    }
  });

  await t.test('/req/core/fc-timeStamp, fc-numberMatched, fc-numberReturned', async (t) => {
    for (const collection of FEATURES) {
      const { numberMatched } = await itemsOf(collection, '?limit=10000');
      for (const query of ['', '?limit=3', '?bbox=0,0,1,1', '?limit=2&offset=4', '?offset=99']) {
        const page = await itemsOf(collection, query);
        t.equal(page.numberReturned, page.features.length, query);
        if (!query.includes('bbox')) t.equal(page.numberMatched, numberMatched, query);
        // An answer has the same bytes as long as its snapshot is served, whose time it has.
        t.equal(page.timeStamp, '2026-09-10T00:00:00Z');
      }
    }
  });

  await t.test('/req/core/fc-limit-definition, fc-limit-response-1', async (t) => {
    t.same(definitionOf(api, ITEMS, 'limit'), { ...LIST, type: 'integer' });
    for (const collection of FEATURES) {
      const { features: all } = await itemsOf(collection);
      for (const limit of [1, 2, 3, 1000, 10_000, 10_001, 999_999]) {
        const { features } = await itemsOf(collection, `?limit=${limit}`);
        t.same(features, all.slice(0, limit), `${limit}`);
      }
    }
  });

  await t.test('/req/core/fc-bbox-definition, fc-bbox-response', async (t) => {
    t.same(definitionOf(api, ITEMS, 'bbox'), LIST);
    for (const collection of [...FEATURES, 'observations']) {
      const { features: all } = await itemsOf(collection);
      for (const box of [
        [-180, -90, 180, 90],
        [0, 0, 1, 1],
        // Points on an edge are inside.
        [0.4, 0.803179, 1.9, 0.80318],
        [0, 0, 0, 0],
        [0.41, 0.5, 0.42, 0.6],
        // Over the antimeridian.
        [1, -90, -1, 90],
        [170, -90, -170, 90],
      ]) {
        const [west = NaN, south = NaN, east = NaN, north = NaN] = box;
        const isIn = ([x, y]: readonly [number, number]): boolean =>
          y >= south &&
          y <= north &&
          (west <= east ? x >= west && x <= east : x >= west || x <= east);
        const expected = all.filter((one) => placesOf([one]).some(isIn));
        for (const text of [box.join(), [west, south, -9, east, north, 9].join()]) {
          const found = await itemsOf(collection, `?bbox=${text}`);
          t.same(found.features, expected, text);
          t.equal(found.numberMatched, expected.length);
        }
      }
    }
  });

  await t.test('/req/core/fc-time-definition, fc-time-response', async (t) => {
    t.same(definitionOf(api, ITEMS, 'datetime'), TEXT);
    for (const collection of [...FEATURES, 'observations']) {
      const { features: all } = await itemsOf(collection);
      for (const [text, from, to] of TIMES) {
        const expected = all.filter((one) => {
          const own = timesOf(one);
          return own.from <= Date.parse(to) && own.to > Date.parse(from);
        });
        const { features } = await itemsOf(collection, `?datetime=${encodeURIComponent(text)}`);
        t.same(idsOf(features), idsOf(expected), `${collection} ${text}`);
      }
    }
  });

  await t.test('/req/core/f-op, f-success, f-links', async (t) => {
    for (const collection of [...FEATURES, 'observations']) {
      for (const feature of (await itemsOf(collection)).features) {
        const id = encodeURIComponent(feature.id);
        const found = await json<Feature>(`/collections/${collection}/items/${id}`);
        const { links = [], ...own } = found;
        t.same(own, feature);
        t.same(await client.checkLinks(t, links), ['self', 'alternate', 'collection']);
      }
    }
  });

  await t.test('/req/geojson/definition, /req/geojson/content', async (t) => {
    for (const collection of FEATURES) {
      for (const query of ['', '?f=json', '?f=GeoJSON', '?limit=2']) {
        const answer = await ask(`/collections/${collection}/items${query}`);
        t.equal(typeOf(answer), 'application/geo+json');
        const { type, features } = jsonOf(answer) as FeatureCollection;
        t.equal(type, 'FeatureCollection');
        t.equal(new Set(idsOf(features)).size, features.length);
        for (const feature of features) {
          t.match(feature, { type: 'Feature', id: /./, properties: {} });
          const { geometry } = feature;
          if (geometry !== null) t.match(geometry, { type: 'Point', coordinates: { length: 2 } });
        }
      }
    }
  });

  await t.test('/req/html/definition, /req/html/content', async (t) => {
    await pagesHaveWhatFilesHave(t, client);
  });

  await t.test('/req/oas30/oas-definition-1, oas-definition-2', async (t) => {
    const isValid = await validate('https://spec.openapis.org/oas/3.0/schema');
    // The library takes `uri-reference` for `uri`, where other tests in this process have loaded its formats.
    setShouldValidateFormat(false);
    const output = isValid(api as never, 'BASIC');
    setShouldValidateFormat(undefined);
    t.ok(output.valid, output.valid ? '' : JSON.stringify(output.errors?.slice(0, 5)));
    t.equal(isValid({ ...api, paths: [] }).valid, false);
    t.match(api['openapi'], /^3\.0\.\d$/);
    // A list of types and `const` are not OpenAPI 3.0, but the schema does not forbid the latter in an example.
    t.notMatch(JSON.stringify(api), /"const":|"type":\[|<base-url>/);
    for (const [, place = ''] of JSON.stringify(api).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      let part: unknown = api;
      for (const name of place.split('/')) part = (part as Record<string, unknown>)[name];
      t.type(part, 'object', place);
    }
  });

  await t.test('/req/oas30/oas-impl, completeness, exception-codes, security', async (t) => {
    t.same(Object.keys(api.paths).toSorted(), Object.keys(ADDRESSES).toSorted());
    t.same(api['security'], []);
    for (const [path, address] of Object.entries(ADDRESSES)) {
      const { responses = {}, parameters = [] } = api.paths[path]?.get ?? {};
      for (const status of ['200', '304', '400', ...(path.includes('{') ? ['404'] : [])]) {
        t.ok(responses[status], `${status} of ${path}`);
      }
      const names = parameters.map(({ name }) => name);
      t.ok(path === '/ogc/api' || names.includes('f'), path);
      const schema = parameters.find(({ name }) => name === 'f')?.schema['enum'] ?? [];
      for (const f of schema as readonly string[]) {
        const answer = await ask(`${address}${address.includes('?') ? '&' : '?'}f=${f}`);
        t.equal(answer.status, 200);
        t.ok(Object.hasOwn(responses['200']?.content ?? {}, typeOf(answer)), `${f} of ${path}`);
      }
    }
  });
});

/** Texts of `datetime`, and their ends, which are inside. */
const TIMES = [
  ['2026-09-09T22:30:00Z', '2026-09-09T22:30:00Z', '2026-09-09T22:30:00Z'],
  ['2026-09-09', '2026-09-09T00:00:00Z', '2026-09-09T23:59:59.999Z'],
  ['2008-02-28', '2008-02-28T00:00:00Z', '2008-02-28T23:59:59.999Z'],
  ['2008-02-28T23:59:59Z/2008-02-29T00:00:00Z', '2008-02-28T23:59:59Z', '2008-02-29T00:00:00Z'],
  ['2026-01-01T23:00:00Z/..', '2026-01-01T23:00:00Z', '9999-01-01'],
  ['2026-01-02/', '2026-01-02', '9999-01-01'],
  ['../2026-09-08T10:59:59+00:00', '0000-01-01', '2026-09-08T10:59:59Z'],
  ['/2026-09-08T12:00:00+02:00', '0000-01-01', '2026-09-08T10:00:00Z'],
  ['../..', '0000-01-01', '9999-01-01'],
] as const;

/** The time of a feature, `[from, to)`; unknown ends are open. */
function timesOf({ properties }: Feature): { readonly from: number; readonly to: number } {
  const {
    start_date: start = null,
    end_date: end = null,
    time_start_utc: hour,
    datetime,
  } = properties as Readonly<Record<string, string | null | undefined>>;
  const parse = (text: string | null, other: number): number =>
    text === null ? other : Date.parse(text);
  if (typeof datetime === 'string') {
    const [from = '', to = ''] = datetime.split('/');
    return { from: Date.parse(from), to: Date.parse(to) };
  }
  if (typeof hour === 'string') return { from: Date.parse(hour), to: Date.parse(hour) + 3_600_000 };
  return { from: parse(start, -Infinity), to: parse(end, Infinity) + 86_400_000 };
}

function placesOf(features: readonly Feature[]): readonly (readonly [number, number])[] {
  return features.flatMap(({ geometry }) => (geometry === null ? [] : [geometry.coordinates]));
}

function idsOf(features: readonly Feature[]): readonly string[] {
  return features.map(({ id }) => id);
}

async function pagesHaveWhatFilesHave(t: Test, { ask, json }: OgcClient): Promise<void> {
  const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
  const reached = new Map<string, string>();
  for (const [path, address] of Object.entries(ADDRESSES)) {
    if (path === '/ogc/api') continue;
    const page = await ask(`${address}${address.includes('?') ? '&' : '?'}f=html`);
    const html = page.body.toString();
    t.same([page.status, typeOf(page)], [200, 'text/html'], address);
    t.match(html, /^<!doctype html>\n<html lang="en"/i);
    t.strictSame([inlineCode(html), invalidMarkup(html)], [undefined, []], address);
    const opened = await ask(address, BROWSER);
    t.same([opened.status, typeOf(opened)], [200, 'text/html'], address);
    t.match(fieldOf(opened, 'vary'), 'Accept');
    const links = addressesIn(html).filter((one) => /^[/?]|^http:\/\/localhost/.test(one));
    t.ok(links.length > 1, `links of ${address}`);
    for (const href of links)
      reached.set(new URL(href, `http://localhost/ogc${address}`).href, address);
  }
  for (const [href, from] of reached) {
    t.ok([200, 303, 308].includes((await ask(href, BROWSER)).status), `${href} on ${from}`);
  }
  for (const collection of FEATURES) {
    const { features } = await json<FeatureCollection>(`/collections/${collection}/items`);
    const page = await ask(`/collections/${collection}/items?f=html`);
    const text = visibleText(page.body.toString());
    for (const { properties } of features) {
      for (const value of Object.values(properties)) {
        // Codes have quotes, `&` and line ends, which are text on a page.
        if (typeof value === 'string') t.ok(text.includes(value.replaceAll(/\s+/g, ' ')), value);
      }
    }
  }
}
