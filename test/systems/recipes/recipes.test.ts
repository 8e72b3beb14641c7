/**
 * Every recipe of the page, exactly as it is shown there, run against the demonstration. A recipe that is neither run nor
 * among those that cannot be does not compile.
 */
import { open, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import t from 'tap';
import type { RecipeName } from '../../../src/views/recipes.js';
import { PYTHON } from '../../../tools/system.mjs';
import { openPage } from '../support/browser.js';
import { openDuckDb } from '../../support/readers/duckdb.js';
import { CANNOT_RUN } from '../support/recipes/cannot-run.js';
import {
  closeTo,
  dailyMeans,
  DATASET,
  highestOf,
  localTime,
  meanOf,
  newestValues,
  observations,
  STATION,
  type Check,
} from '../support/recipes/recipe-check.js';
import { runProgram, startProgram } from '../support/recipes/run-program.js';
import { RECIPE_NAMES, shownRecipes } from '../support/recipes/shown-recipes.js';
import { get, getJson } from '../../support/service/requests.js';
import { startDemonstration } from '../../support/service/serve-documents.js';

/** Those that run, and what they are to have done then. */
const RUN: Readonly<Record<Exclude<RecipeName, keyof typeof CANNOT_RUN>, Check>> = {
  'curl/month.sh': async (t, { folder, file, service }) => {
    await runProgram(folder, ['bash', file]);
    const csv = await readFile(join(folder, 'station.csv'), 'utf8');
    const [head = '', ...lines] = csv.trimEnd().split('\r\n');
    const no2 = head.split(',').indexOf('NO2');
    const observed = await observations(service, `station_id=${STATION}&parameter_code=NO2`);
    const values = new Map(lines.map((line) => [line.split(',')[2], line.split(',')[no2]]));
    t.ok(observed.length > 600);
    for (const { time_start_utc: time, value } of observed) {
      if (value !== null) t.equal(Number(values.get(time)), value, time);
    }
  },

  'curl/dataset.sh': async (t, { folder, file, service }) => {
    const csv = join(folder, `${DATASET}.csv`);
    const { body: whole } = await get(service, `/api/v1/bulk/${DATASET}.csv`);
    await writeFile(csv, whole);
    await truncate(csv, 1_000_000);
    t.match(await runProgram(folder, ['bash', file]), `${DATASET}.csv: OK`);
    t.ok((await readFile(csv)).equals(whole), 'went on where the file ended');

    const { ino, mtimeMs } = await stat(csv);
    t.match(await runProgram(folder, ['bash', file]), `${DATASET}.csv: OK`);
    t.match(await stat(csv), { ino, mtimeMs }, 'nothing is downloaded again');

    await truncate(csv, 2_000_000);
    await spoilFirstByte(csv);
    t.match(await runProgram(folder, ['bash', file]), `${DATASET}.csv: FAILED`);
    await t.rejects(stat(csv), 'a part of other data is removed');
  },

  'curl/conditional.sh': async (t, { folder, file, service }) => {
    t.equal(await runProgram(folder, ['bash', file]), '200\n');
    const { body } = await get(service, '/api/v1/observations/latest');
    t.ok((await readFile(join(folder, 'latest.json'))).equals(body));
    t.equal(await runProgram(folder, ['bash', file]), '304\n');
    t.ok((await readFile(join(folder, 'latest.json'))).equals(body), 'the file stays');
  },

  'curl/changes.sh': async (t, { folder, file, service }) => {
    const { body: stream } = await get(service, '/api/v1/observations/stream');
    t.match(await runProgram(folder, ['bash', file]), /^\{"meta":/);
    t.ok((await readFile(join(folder, 'observations.ndjson'))).equals(stream));
    const [first = ''] = (await runProgram(folder, ['bash', file])).split('\n');
    t.match(JSON.parse(first), { meta: { added: 0, changed: 0, withdrawn: 0 } });
    await writeFile(join(folder, 'snapshot-id'), 'forgotten');
    await t.rejects(runProgram(folder, ['bash', file]), /410/);
    t.equal(await readFile(join(folder, 'snapshot-id'), 'utf8'), 'forgotten');
  },

  'curl/events.sh': async (t, { folder, file }) => {
    const line = await startProgram(t, folder, ['bash', file]).nextLine();
    t.match(line, /^new snapshot: \{"snapshot_id":/);
  },

  'python/daily.py': async (t, { folder, file, service }) => {
    const printed = await runProgram(folder, [PYTHON, file]);
    const days = [...printed.matchAll(/^(\S+) 00:00:00\+01:00 +(\S+) +(\S+)$/gm)];
    t.ok(days.length >= 30);
    const means = await dailyMeans(service, 'NO2', { hoursMin: 18 });
    for (const [, day = '', no2] of days) closeTo(t, [Number(no2), means.get(day)], 0.051, day);
  },

  'python/wide.py': async (t, { folder, file, service }) => {
    const printed = await runProgram(folder, [PYTHON, file]);
    const hours = [...printed.matchAll(/^(\d+) +(\S+) +(\S+)$/gm)];
    t.equal(hours.length, 24);
    const observed = await observations(service, `station_id=${STATION}&parameter_code=NO2`);
    for (const [, hour, no2] of hours) {
      const mean = meanOf(observed.filter((one) => localTime(one).hour === Number(hour)));
      closeTo(t, [Number(no2), mean], 0.051, `hour ${hour}`);
    }
  },

  'python/stream.py': async (t, { folder, file, service }) => {
    const [id, ...lines] = (await runProgram(folder, [PYTHON, file])).trimEnd().split('\n');
    t.equal(id, (await get(service, '/meta')).headers['x-snapshot-id']);
    const no2 = lines.find((line) => line.startsWith('NO2 '))?.split(' ');
    t.equal(Number(no2?.[1]), highestOf(await observations(service, 'parameter_code=NO2')));
  },

  'python/poll.py': async (t, { folder, file, service }) => {
    const impatient = `import runpy, time; time.sleep = lambda seconds: None; runpy.run_path('${file}')`;
    const { nextLine } = startProgram(t, folder, [PYTHON, '-c', impatient]);
    t.equal(await nextLine(), `new: ${await newestValues(service)} values`);
    t.equal(await nextLine(), 'nothing new');
    t.equal(await nextLine(), 'nothing new');
  },

  'r/daily.R': async (t, { folder, file, service }) => {
    const printed = await runProgram(folder, ['Rscript', file]);
    const days = [...printed.matchAll(/^\d+ +(\S+) +PM10 +(\S+)$/gm)];
    t.equal(days.length, 6);
    const means = await dailyMeans(service, 'PM10', { hoursMin: 1 });
    for (const [, day = '', pm10] of days) closeTo(t, [Number(pm10), means.get(day)], 1e-5, day);
    t.match(await readFile(join(folder, 'no2.svg'), 'utf8'), '<svg ');
  },

  'r/poll.R': async (t, { folder, file, service }) => {
    const impatient = `Sys.sleep <- function(time) NULL; source('${file}')`;
    const { nextLine } = startProgram(t, folder, ['Rscript', '-e', impatient]);
    t.equal(await nextLine(), `new: ${await newestValues(service)} values`);
    t.match(await nextLine(), /^nothing new/);
    t.match(await nextLine(), /^nothing new/);
  },

  'duckdb/files.sh': async (t, { folder, file, service }) => {
    const names = ['stations.csv', `${DATASET}.parquet`];
    const lines = (status: number) => names.map((name) => `${status} ${name}\n`).join('');
    t.equal(await runProgram(folder, ['bash', file]), lines(200));
    t.equal(await runProgram(folder, ['bash', file]), lines(304));
    for (const name of names) {
      const { body } = await get(service, `/api/v1/bulk/${name}`);
      t.ok((await readFile(join(folder, name))).equals(body), name);
    }
  },

  'duckdb/local.sql': async (t, { folder, code, service, recipes }) => {
    await writeFile(join(folder, 'files.sh'), recipes.get('duckdb/files.sh') ?? '');
    await runProgram(folder, ['bash', 'files.sh']);
    const { rows } = await openDuckDb(t);
    await rows(`SET file_search_path = '${folder}'`);
    const found = await rows(code);
    t.equal(found.length, 10);
    const means = found.map(({ mean }) => Number(mean));
    t.same(
      means,
      [...means].sort((a, b) => b - a),
    );
    const [worst] = found;
    const { body } = await getJson(service, '/api/v1/stations');
    const station = (body as readonly { station_id: string; station_name: string }[]).find(
      ({ station_name: name }) => name === worst?.['station_name'],
    );
    const expected = await dailyMeans(service, 'PM10', {
      hoursMin: 18,
      station: station?.station_id,
    });
    const [day] = [...expected].find(([, mean]) => Math.abs(mean - (means[0] ?? 0)) < 1e-9) ?? [];
    t.equal(worst?.['day'], day);
    t.ok(day);
  },

  'javascript/map.html': async (t, { code, service }) => {
    const zone = { timezoneId: 'Europe/Madrid', locale: 'en-GB' };
    const { page, troubles } = await openPage(service, zone);
    let shown = code;
    await page.route(/./, async (route) => {
      const { host, pathname } = new URL(route.request().url());
      if (pathname === '/map.html') return route.fulfill({ contentType: 'text/html', body: shown });
      if (host === new URL(service.url).host) return route.continue();
      if (host !== 'unpkg.com') return route.abort();
      const path = pathname.replace('/leaflet@1.9.4/', 'node_modules/leaflet/');
      return route.fulfill({ path });
    });
    await page.goto('/map.html');
    const markers = page.locator('.leaflet-marker-icon');
    await markers.first().waitFor();
    t.equal(await markers.count(), await newestValues(service, 'parameter_code=NO2'));
    await markers.first().dispatchEvent('mouseover');
    const [first] = await observations(
      service,
      'parameter_code=NO2',
      '/api/v1/observations/latest',
    );
    const { body } = await getJson(service, `/api/v1/stations?station_id=${first?.station_id}`);
    const [station] = body as readonly { readonly station_name: string }[];
    t.equal(
      await page.locator('.leaflet-tooltip').textContent(),
      `${station?.station_name}: ${first?.value} ug/m3, hour from 09/02/2026, 00:00:00`,
    );
    shown = code.replaceAll('NO2', 'NOTHING');
    await page.goto('/map.html');
    await page.getByText('No values of NOTHING').waitFor();
    t.equal(await page.locator('.leaflet-tile').evaluateAll((tiles) => tiles.length > 0), true);
    t.same(
      troubles.filter((text) => /invalid|Error:/i.test(text)),
      [],
    );
  },

  // `follow.test.ts` runs it in a browser, over two snapshots.
  'javascript/follow.js': async (t, { folder, file }) => {
    t.equal(await runProgram(folder, [process.execPath, '--check', file]), '');
  },

  'javascript/poll.mjs': async (t, { folder, file, service }) => {
    const impatient = `const set = setTimeout;
      globalThis.setTimeout = (then, ms, ...more) => set(then, ms === 600_000 ? 0 : ms, ...more);`;
    const preload = `data:text/javascript,${encodeURIComponent(impatient)}`;
    const { nextLine } = startProgram(t, folder, [process.execPath, '--import', preload, file]);
    t.equal(await nextLine(), `new: ${await newestValues(service, 'parameter_code=NO2')} values`);
    t.equal(await nextLine(), 'nothing new');
    t.equal(await nextLine(), 'nothing new');
  },

  'qgis/geopackage.sh': async (t, { folder, file, service }) => {
    await runProgram(folder, ['bash', file]);
    const where = `station_id = '${STATION}'`;
    const found = await runProgram(folder, ['ogrinfo', 'no2.gpkg', 'no2', '-where', where]);
    const query = `station_id=${STATION}&parameter_code=NO2`;
    const [newest] = await observations(service, query, '/api/v1/observations/latest');
    t.match(found, `no2 (Real) = ${newest?.value}`);
    t.match(found, 'POINT (-3.377778 40.479167)');
  },
};

const service = await startDemonstration(t);
const recipes = await shownRecipes(service);

await t.test('the page has every recipe, with the same code in every language', async (t) => {
  t.same([...recipes.keys()], RECIPE_NAMES);
  for (const language of ['sr-Latn', 'sr-Cyrl']) {
    t.same(await shownRecipes(service, language), recipes);
  }
});

for (const name of RECIPE_NAMES) {
  const { check, reason = 'runs' } = isRun(name) ? { check: RUN[name] } : CANNOT_RUN[name];
  await t.test(`${name}: ${reason}`, async (t) => {
    const folder = t.testdir();
    const place = { folder, file: basename(name), code: recipes.get(name) ?? '', service, recipes };
    await writeFile(join(folder, place.file), place.code);
    if (name.endsWith('.sh')) await runProgram(folder, ['shellcheck', '-s', 'bash', place.file]);
    await check(t, place);
  });
}

function isRun(name: RecipeName): name is keyof typeof RUN {
  return name in RUN;
}

async function spoilFirstByte(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.write('!', 0);
  } finally {
    await file.close();
  }
}
