/** Clients of others read the OGC API unchanged: GDAL, OWSLib, ogc-client, and a reader of CoverageJSON. */
import { resolve } from 'node:path';
import { OgcApiEndpoint } from '@camptocamp/ogc-client';
import t, { type Test } from 'tap';
import { PYTHON } from '../../../tools/system.mjs';
import { getJson } from '../../support/service/requests.js';
import { startDemonstration } from '../../support/service/serve-documents.js';
import { coverageLines } from '../support/coverage-lines.js';
import { run } from '../support/programs.js';

interface Feature {
  readonly id: string;
  readonly geometry: { readonly coordinates: readonly [number, number] } | null;
  readonly properties: Readonly<Record<string, string | number | boolean | null>>;
}

interface Observation {
  readonly station_id: string;
  readonly parameter_code: string;
  readonly time_start_utc: string;
  readonly value: number | null;
  readonly unit: string;
}

const COLLECTIONS = ['observations', 'stations', 'latest'];
const POSITION = { latitude: 40.45, longitude: -3.5 };
const POINT = `POINT(${POSITION.longitude} ${POSITION.latitude})`;
const DAY = '2026-02-07';

/** Queries for values, each with the same selection of `/api/v1/observations`. */
const QUERIES: readonly (readonly [kind: string, Readonly<Record<string, string>>, string])[] = [
  ['locations/28005002', {}, '?station_id=28005002'],
  [
    'radius',
    {
      coords: POINT,
      within: '25',
      'within-units': 'km',
      datetime: `${DAY}T10:30:00Z/${DAY}T18:00:00Z`,
    },
    `?lat=${POSITION.latitude}&lon=${POSITION.longitude}&radius_m=25000&from=${DAY}T10:00:00Z&to=${DAY}T19:00:00Z`,
  ],
  [
    'area',
    {
      coords: 'POLYGON((-3.9 40.3,-3.5 40.3,-3.5 40.6,-3.9 40.6,-3.9 40.3))',
      datetime: DAY,
      parameter_names: 'NO2,PM10', // OWSLib writes it so
    },
    `?bbox=-3.9,40.3,-3.5,40.6&parameter_code=NO2,PM10&from=${DAY}T00:00:00Z&to=2026-02-08T00:00:00Z`,
  ],
];
/** Every parameter has its own nearest station. */
const NEAREST = { coords: POINT, datetime: `${DAY}T00:00:00Z` };
const HOUR = `?from=${DAY}T00:00:00Z&to=${DAY}T01:00:00Z`;

const service = await startDemonstration(t);
const root = `${service.url}/ogc`;

async function read<T>(path: string): Promise<T> {
  const { status, body } = await getJson(service, path);
  if (status !== 200) throw new Error(`${status} ${path}`);
  return body as T;
}

async function featuresOf(collection: string): Promise<readonly Feature[]> {
  const path = `/ogc/collections/${collection}/items?limit=10000`;
  return (await read<{ readonly features: readonly Feature[] }>(path)).features;
}

const stations = await featuresOf('stations');
const latest = await featuresOf('latest');
const places = new Map(stations.map(({ id, geometry }) => [id, geometry?.coordinates]));
const byId = (features: readonly Feature[]) => features.toSorted((a, b) => (a.id < b.id ? -1 : 1));

await t.test('GDAL lists collections, and writes the same features to GeoPackage', async (t) => {
  const cwd = t.testdir();
  const env = { PATH: process.env['PATH'] ?? '' };
  const shell = async (command: string): Promise<string> =>
    (await run('bash', ['-ec', command], { env, cwd })).stdout;
  const layers = (await shell(`ogrinfo -ro OAPIF:${root}`)).matchAll(/^\d+: (\w+)/gm);
  t.same(
    [...layers].map(([, name]) => name),
    COLLECTIONS,
  );
  const where = `-where "parameter_code = 'NO2'"`;
  const found = await shell(`ogrinfo -ro -so ${where} OAPIF:${root} latest`);
  t.match(found, `Feature Count: ${latest.filter(({ id }) => id.endsWith(':NO2')).length}\n`);
  // The heights of the demonstration are whole numbers.
  t.match(await shell(`ogrinfo -ro -so OAPIF:${root} stations`), /^elevation_m: Real/m);
  for (const [name, features] of Object.entries({ stations, latest })) {
    for (const options of ['', '-oo PAGE_SIZE=3']) {
      const text = await shell(`ogr2ogr -overwrite ${options} ${name}.gpkg OAPIF:${root} ${name}
        ogr2ogr -f GeoJSON -lco ID_FIELD=id -lco COORDINATE_PRECISION=15 /vsistdout/ ${name}.gpkg`);
      const { features: written } = JSON.parse(text) as { readonly features: readonly Feature[] };
      t.same(byId(written), byId(features), `${name} ${options}`);
    }
  }
});

await t.test('OWSLib reads collections, features by pages, and values', async (t) => {
  const script = resolve('test/systems/support/read-by-owslib.py');
  const queries = JSON.stringify(QUERIES.map(([kind, parameters]) => [kind, parameters]));
  const { stdout } = await run(PYTHON, [script, root, queries, byId(latest)[0]?.id ?? '']);
  const found = JSON.parse(stdout) as Readonly<Record<string, unknown>> & {
    readonly pages: readonly (readonly Feature[])[];
    readonly near: readonly Feature[];
    readonly values: readonly unknown[];
  };
  const { conformsTo } = await read<{ readonly conformsTo: unknown }>('/ogc/conformance');
  t.match(found, { conformance: conformsTo, collections: COLLECTIONS, features: COLLECTIONS });
  t.match(found['api'], /^3\.0/);
  t.same(found['collection'], await read('/ogc/collections/observations'));
  t.match(found['item'], byId(latest)[0]);
  const near = stations.filter(({ geometry }) => {
    const [x = NaN, y = NaN] = geometry?.coordinates ?? [];
    return x >= -3.5 && x <= -3.3 && y >= 40.3 && y <= 40.6;
  });
  t.ok(near.length > 0 && near.length < stations.length);
  t.same(found.near, near);
  t.equal(found.pages.length, Math.ceil(latest.length / 17));
  t.same(found.pages.flat(), latest);
  for (const [at, [, , same]] of QUERIES.entries()) {
    await equalsObservations(t, found.values[at], same);
  }
});

await t.test('ogc-client reads conformance, collections and items', async (t) => {
  const endpoint = new OgcApiEndpoint(root);
  const { conformsTo } = await read<{ readonly conformsTo: unknown }>('/ogc/conformance');
  t.same(await endpoint.conformanceClasses, conformsTo);
  t.same(await endpoint.featureCollections, COLLECTIONS);
  t.match(await endpoint.info, { title: /./, description: /./ });
  t.match(await endpoint.getCollectionInfo('latest'), {
    id: 'latest',
    itemFormats: ['application/geo+json', 'text/html'],
  });
  const pages = [];
  for (let offset = 0; offset < latest.length; offset += 50) {
    pages.push(...(await endpoint.getCollectionItems('latest', 50, offset)));
  }
  t.same(pages, latest);
  t.match(await endpoint.getCollectionItem('stations', '28005002'), byId(stations)[0]);
  const url = await endpoint.getCollectionItemsUrl('stations', {
    extent: [-3.5, 40.3, -3.3, 40.6],
    dateTime: { start: new Date('2026-01-01'), end: new Date('2026-02-01') },
  });
  t.equal((await fetch(url)).status, 200, url);
});

await t.test('covjson-reader reads the values of /api/v1/observations', async (t) => {
  for (const [kind, parameters, same] of QUERIES) {
    for (const f of ['CoverageJSON', 'json']) {
      await equalsObservations(t, await valuesOf(kind, { ...parameters, f }), same);
    }
  }
  const distanceOf = ({ station_id: id }: Observation): number => {
    const [x = NaN, y = NaN] = places.get(id) ?? [];
    const east = (x - POSITION.longitude) * Math.cos((POSITION.latitude * Math.PI) / 180);
    return Math.hypot(east, y - POSITION.latitude);
  };
  const nearest = new Map<string, Observation>();
  for (const one of (await observations(HOUR)).toSorted((a, b) => distanceOf(b) - distanceOf(a))) {
    nearest.set(one.parameter_code, one);
  }
  t.ok(new Set([...nearest.values()].map(({ station_id: id }) => id)).size > 1);
  t.same(await coverageLines(await valuesOf('position', NEAREST)), linesOf([...nearest.values()]));
});

async function valuesOf(
  kind: string,
  parameters: Readonly<Record<string, string>>,
): Promise<unknown> {
  const query = new URLSearchParams(parameters).toString();
  return await read(`/ogc/collections/observations/${kind}?${query}`);
}

/** Observations that have a value. */
async function observations(query: string): Promise<readonly Observation[]> {
  const { data } = await read<{ readonly data: readonly Observation[] }>(
    `/api/v1/observations${query}`,
  );
  return data.filter(({ value }) => value !== null);
}

function linesOf(all: readonly Observation[]): readonly string[] {
  return all
    .map(({ station_id: id, parameter_code: code, unit, time_start_utc: time, value }) =>
      [id, String(places.get(id)), code, unit, time, value].join(' '),
    )
    .toSorted();
}

async function equalsObservations(t: Test, document: unknown, query: string): Promise<void> {
  const expected = linesOf(await observations(query));
  t.ok(expected.length > 100, query);
  t.same(await coverageLines(document), expected, query);
}
