/** Every recipe of the page, run as shown; of programs that cannot run here, the requests. Output agrees with the API. */
import { readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { unzipSync } from 'fflate';
import t, { type Test } from 'tap';
import type { RecipeName } from '../../../src/views/recipe-texts.js';
import { fetchedPackage, PYTHON } from '../../../tools/system.mjs';
import { openPage, untilTrue } from '../support/browser.js';
import { coverageLines } from '../support/coverage-lines.js';
import { convertByOffice } from '../support/office.js';
import { openDuckDb } from '../../support/readers/duckdb.js';
import { mcpResult, startMcpServer } from '../support/mcp.js';
import { RECIPE_NAMES, runProgram, shownRecipes, startProgram } from '../support/recipes.js';
import { get, getJson } from '../../support/service/requests.js';
import { served } from '../../support/service/serve-archive.js';
import { startDemonstration } from '../../support/service/serve-documents.js';
import { eventually, type Service } from '../../support/service/service.js';
import { storeArchive, type StoredArchive } from '../../support/stores/stored-archive.js';

interface Place {
  readonly folder: string;
  readonly file: string;
  readonly code: string;
  readonly service: Service;
  /** Three months in three years, of the station that recipes name and of the next one. */
  readonly archive: StoredArchive;
  readonly recipes: ReadonlyMap<RecipeName, string>;
}

interface InfinityQuery {
  readonly url: string;
  readonly url_options: { readonly params?: readonly Readonly<{ key: string; value: string }>[] };
  readonly columns: readonly { readonly selector: string }[];
}

type Values = Readonly<Record<string, string | number | boolean>>;

interface GrafanaPanel {
  readonly targets: readonly InfinityQuery[];
}

type Nearest = Readonly<{ parameter_code: string }>;
type Check = (t: Test, place: Place) => Promise<void>;
const DATASET = 'observations_hourly_preliminary_last30days';
const SERIES = 'station_id=28005002&parameter_code=NO2';
const HOME = { latitude: 40.48, longitude: -3.38 };
const SCRIPTABLE = `const [config, Font] = [{ runsInApp: false }, { systemFont() {}, boldSystemFont() {} }];
  const Location = { setAccuracyToThreeKilometers() {}, current: async () => (${JSON.stringify(HOME)}) };
  class Request { constructor(url) { this.url = url; } loadJSON = async () => (await fetch(this.url)).json(); }
  class ListWidget { texts = []; addText(text) { this.texts.push(text); return {}; } }
  const Script = { setWidget({ texts }) { console.log(texts.join('\\n')); }, complete() {} };`;
const ARCHIVED = { months: ['2024-12', '2025-07', '2026-01'], first: 28005002, stations: 2 };
const GRAFANA_VARIABLES = {
  station: '28005002',
  parameter: 'NO2',
  '__from:date:iso': '2026-02-01T00:00:00.000Z',
  '__to:date:iso': '2026-02-03T00:00:00.000Z',
};

/** Values of observations; null where it is missing. */
async function valuesOf(service: Service, query: string) {
  const { body } = await getJson(service, `/api/v1/observations${query}`);
  const { data } = body as { readonly data: readonly { readonly value: number | null }[] };
  return data.map(({ value }) => value);
}

const highest = (values: readonly (number | null)[]): number =>
  Math.max(...values.flatMap((value) => value ?? []));

/** A program that polls: it reports what is new once, and then nothing. */
const polls =
  (command: (file: string) => readonly [string, ...string[]], query = ''): Check =>
  async (t, { folder, file, service }) => {
    const { headers } = await get(service, `/api/v1/observations/latest${query}`);
    const { nextLine } = startProgram(t, folder, command(file));
    t.equal(await nextLine(), `new: ${String(headers['x-record-count'])} values`);
    for (let poll = 0; poll < 2; poll += 1) t.match(await nextLine(), /^nothing new/);
  };

/** A program that prints such lines, and draws a picture if one is named. */
const prints =
  (program: string, line: RegExp, count: number, picture?: string): Check =>
  async (t, { folder, file }) => {
    const printed = await runProgram(folder, [program, file]);
    t.ok([...printed.matchAll(line)].length >= count, printed);
    if (picture !== undefined) t.match(await readFile(join(folder, picture), 'utf8'), '<svg ');
  };

/** A program that prints a line with the mean of each year, and draws a picture if one is named. */
/** SQL for the mean of all hours of a year. */
const YEAR_MEAN = 'sum(coalesce(sum, mean * hours)) / sum(hours)';

const printsYears =
  (program: string, picture?: string): Check =>
  async (t, { folder, file, archive }) => {
    const printed = await runProgram(folder, [program, file]);
    if (picture !== undefined) t.match(await readFile(join(folder, picture), 'utf8'), '<svg ');
    const years = await archive.database.rows(
      `SELECT parameter_code || ' +' || unit || ' +' || year(date) || ' +' ||
        format('{:.1f}', ${YEAR_MEAN}) AS line
      FROM daily WHERE station_id = '28005002' AND year(date) < 2026 GROUP BY parameter_code, unit, year(date)`,
    );
    t.ok(years.length >= 6);
    for (const { line } of years) t.match(printed, new RegExp(`^ *${line as string}\\b`, 'm'));
  };

const YEAR = '/api/v1/daily.csv?station_id=28005002&from=2026-01-01&to=2027-01-01';

/** Requests in the configuration of a program that is not here, with the values of its variables. */
const asks =
  (addresses: (code: string, url: string) => readonly string[]): Check =>
  async (t, { code, service }) => {
    const asked = addresses(code, service.url);
    t.ok(asked.length > 0);
    for (const address of asked) {
      t.ok(address.startsWith(`${service.url}/`), address);
      const answer = await fetch(address);
      t.equal(answer.status, 200, address);
      t.ok((await answer.text()).length > 100, address);
    }
  };

/** Opens the page of a recipe in a browser, which finds the libraries of its CDN on this machine. */
async function openRecipe(service: Service, code: string) {
  const opened = await openPage(service);
  await opened.page.route(/./, async (route) => {
    const { host, pathname } = new URL(route.request().url());
    if (pathname === '/recipe.html') return route.fulfill({ contentType: 'text/html', body: code });
    if (host === new URL(service.url).host) return route.continue();
    const [, name = '', file = ''] = /^\/(.+@[\d.]+)\/(.+)$/.exec(pathname) ?? [];
    if (host !== 'unpkg.com' || file === '') return route.abort();
    const folder = name.startsWith('leaflet@') ? 'node_modules/leaflet' : fetchedPackage(name);
    return route.fulfill({ path: join(folder, file) });
  });
  await opened.page.goto('/recipe.html');
  return opened;
}

/** Requests of Grafana's plugin Infinity, with values of the dashboard's variables; answers have the columns. */
async function asksInfinity(t: Test, queries: readonly InfinityQuery[]): Promise<void> {
  t.ok(queries.length > 0);
  for (const { url, url_options: options, columns } of queries) {
    const query = (options.params ?? []).map(({ key, value }): [string, string] => [key, value]);
    const answer = await fetch(`${url}?${new URLSearchParams(query).toString()}`);
    const [head = '', ...rows] = (await answer.text()).trimEnd().split('\r\n');
    t.ok(answer.ok && rows.length > 5, url);
    const selectors = columns.map(({ selector }) => selector);
    t.strictSame(missingIn(head, selectors), [], url);
  }
}

/** Columns that the first line of a CSV lacks. */
const missingIn = (head: string, columns: readonly string[]): readonly string[] =>
  columns.filter((column) => !head.split(',').includes(column));

const withVariables = (code: string): string =>
  Object.entries(GRAFANA_VARIABLES).reduce(
    (text, [name, value]) => text.replaceAll(`\${${name}}`, value),
    code,
  );

const CHECKS: Readonly<Record<RecipeName, Check>> = {
  'curl/month.sh': async (t, { folder, file, service }) => {
    await runProgram(folder, ['bash', file]);
    const csv = await readFile(join(folder, 'station.csv'), 'utf8');
    const target = '/api/v1/observations.csv?layout=wide&station_id=28005002';
    t.equal(csv, (await get(service, target)).body.toString());
  },
  'curl/dataset.sh': async (t, { folder, file, service }) => {
    const csv = join(folder, `${DATASET}.csv`);
    const { body: whole } = await get(service, `/api/v1/bulk/${DATASET}.csv`);
    await writeFile(csv, whole.subarray(0, 1_000_000));
    t.match(await runProgram(folder, ['bash', file]), `${DATASET}.csv: OK`);
    t.ok((await readFile(csv)).equals(whole), 'went on where the file ended');
    const { ino, mtimeMs } = await stat(csv);
    t.match(await runProgram(folder, ['bash', file]), `${DATASET}.csv: OK`);
    t.match(await stat(csv), { ino, mtimeMs }, 'nothing is downloaded again');
    await writeFile(csv, `!${whole.toString('latin1', 1)}`, 'latin1');
    await truncate(csv, 2_000_000);
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
  'python/daily.py': prints(PYTHON, /^\S+ 00:00:00\+01:00 +\S+ +\S+$/gm, 30),
  'python/wide.py': prints(PYTHON, /^\d+ +\S+ +\S+$/gm, 24),
  'python/years.py': printsYears(PYTHON),
  'python/stream.py': async (t, { folder, file, service }) => {
    const [id, ...lines] = (await runProgram(folder, [PYTHON, file])).trimEnd().split('\n');
    t.equal(id, (await get(service, '/meta')).headers['x-snapshot-id']);
    const [, no2] = lines.find((line) => line.startsWith('NO2 '))?.split(' ') ?? [];
    t.equal(Number(no2), highest(await valuesOf(service, '?parameter_code=NO2')));
  },
  'python/poll.py': polls((file) => {
    const hasty = 'import runpy, time; time.sleep = lambda seconds: None';
    return [PYTHON, '-c', `${hasty}; runpy.run_path('${file}')`];
  }),
  // polars is in no package of Debian: a module replaces it.
  'polars/weekends.py': async (t, { folder, file }) => {
    const words = [PYTHON, resolve('test/systems/support/without-polars.py'), file] as const;
    const [hours = '', stations = '', end] = (await runProgram(folder, words)).split('\n');
    t.equal(end, 'a table');
    for (const line of [hours, stations]) {
      const [url = '', ...columns] = line.split(' ');
      t.ok(columns.length > 1, line);
      const [head = '', ...rows] = (await (await fetch(url)).text()).trimEnd().split('\r\n');
      t.ok(rows.length >= 20, url);
      t.strictSame(missingIn(head, columns), []);
    }
  },
  'r/daily.R': prints('Rscript', /^\d+ +\S+ +PM10 +\S+$/gm, 6, 'no2.svg'),
  'r/years.R': printsYears('Rscript', 'years.svg'),
  // openair is in no package of Debian: functions replace it, and check what it demands of a table.
  'r/openair.R': async (t, { folder, file, service }) => {
    const without = resolve('test/systems/support/without-openair.R');
    const printed = await runProgram(folder, ['Rscript', without, file]);
    const [site, first, last, ...sums] = printed.trimEnd().split('\n');
    t.strictSame([site, first], ['Alcalá de Henares', '2026-01-10T00:00:00Z']);
    t.equal(last, '2026-02-08T23:00:00Z');
    const sumOf = async (code: string): Promise<number> =>
      (await valuesOf(service, `?station_id=28005002&parameter_code=${code}`)).reduce(
        (sum: number, value) => sum + (value ?? 0),
        0,
      );
    const expected = await Promise.all(['WS', 'WD', 'NO2'].map(sumOf));
    // R prints seven digits.
    t.strictSame(
      sums.map(Number),
      expected.map((sum) => Number(sum.toPrecision(7))),
    );
  },
  // edr4r is in no package of Debian: functions replace it, and print its requests.
  'r/edr4r.R': async (t, { folder, file }) => {
    const without = resolve('test/systems/support/without-edr4r.R');
    const printed = await runProgram(folder, ['Rscript', without, file]);
    const asked = [...printed.matchAll(/^GET (\S+)/gm)].map(([, address = '']) => address);
    t.equal(asked.length, 2);
    for (const address of asked) {
      const answer = await fetch(address);
      t.equal(answer.headers.get('content-type'), 'application/prs.coverage+json', address);
      t.ok((await coverageLines(await answer.json())).length > 20, address);
    }
    t.match(printed, /^\d+ +NO2 2026-02-08 +[\d.]+$/m);
    t.match(printed, /^\d+ +28005002 +[\d.]+$/m);
  },
  'r/poll.R': polls((file) => {
    return ['Rscript', '-e', `Sys.sleep <- function(time) NULL; source('${file}')`];
  }),
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
  'duckdb/local.sql': async (t, { folder, code, recipes }) => {
    await writeFile(join(folder, 'files.sh'), recipes.get('duckdb/files.sh') ?? '');
    await runProgram(folder, ['bash', 'files.sh']);
    const { rows } = await openDuckDb(t);
    await rows(`SET file_search_path = '${folder}'`);
    t.equal((await rows(code)).length, 10);
  },
  'python/files.py': prints(PYTHON, /^ *28\d{6} .* \d+\.\d +\d+$/gm, 10),
  'r/files.R': prints('Rscript', /^ *28\d{6} .* \d+\.\d+$/gm, 10),
  // DuckDB loads what reads addresses from the internet: here it reads files in their place.
  'duckdb/remote.sql': async (t, { folder, code, service }) => {
    const index = await get(service, '/api/v1/bulk');
    await writeFile(join(folder, 'index.json'), index.body);
    const { rows } = await openDuckDb(t);
    const [set = '', question = ''] = code
      .replace(`'${service.url}/api/v1/bulk'`, `'${join(folder, 'index.json')}'`)
      .split(/(?<=;\n)/);
    await rows(set);
    const [{ address } = {}] = await rows(`SELECT getvariable('file') AS address`);
    const path = join(folder, `${DATASET}.parquet`);
    await writeFile(path, Buffer.from(await (await fetch(address as string)).arrayBuffer()));
    t.match(address, new RegExp(`/[0-9a-f]{64}/${DATASET}.parquet$`));
    await rows(`SET VARIABLE file = '${path}'`);
    const found = await rows(question);
    const no2 = found.find(({ parameter_code: name }) => name === 'NO2');
    t.equal(no2?.['highest'], highest(await valuesOf(service, `?${SERIES}`)));
  },
  'duckdb/years.sql': async (t, { code, service, archive }) => {
    const [, address = ''] = /^-- curl .* (http\S+)$/m.exec(code) ?? [];
    const views = await (await fetch(address)).text();
    const { rows } = await openDuckDb(t);
    const folder = join(service.published, 'archive/');
    await rows(views.replaceAll(`${service.url}/api/v1/archive/`, folder));
    const expected = await archive.database.rows(
      `SELECT parameter_code, unit, year(date) AS year, round(${YEAR_MEAN}, 1) AS mean,
        max(maximum) AS highest, sum(hours) AS hours FROM daily WHERE station_id = '28005002' GROUP BY ALL ORDER BY ALL`,
    );
    t.ok(expected.length >= 9);
    t.same(await rows(code), expected);
  },
  'javascript/map.html': async (t, { code, service }) => {
    const { page, troubles } = await openRecipe(service, code);
    const markers = page.locator('.leaflet-marker-icon');
    await markers.first().waitFor();
    const newest = await valuesOf(service, '/latest?parameter_code=NO2');
    t.equal(await markers.count(), newest.length);
    await markers.first().dispatchEvent('mouseover');
    const shown = await page.locator('.leaflet-tooltip').textContent();
    t.match(shown, `: ${newest[0]} ug/m3, hour from `);
    t.notMatch(troubles.join('\n'), /invalid|Error:/i);
    await page.context().close();
  },
  'leaflet/ogc.html': async (t, { code, service }) => {
    const { page, troubles } = await openRecipe(service, code);
    const markers = page.locator('.leaflet-marker-icon');
    const { headers } = await get(service, '/ogc/collections/stations/items');
    const count = Number(headers['x-record-count']);
    await eventually('all markers', async () => (await markers.count()) === count);
    await markers.first().dispatchEvent('click');
    const shown = await page.locator('.leaflet-popup-content').textContent();
    t.match(shown, `of 30 days: ${highest(await valuesOf(service, `?${SERIES}`))} ug/m3`);
    t.notMatch(troubles.join('\n'), /invalid|Error:/i);
    await page.context().close();
  },
  'openlayers/ogc.html': async (t, { code, service }) => {
    const { page, troubles } = await openRecipe(service, code);
    const { headers } = await get(service, '/ogc/collections/latest/items');
    await untilTrue(page, `source.getFeatures().length === ${Number(headers['x-record-count'])}`);
    // Text is white, and circles are red or blue.
    await untilTrue(
      page,
      `[...map.getViewport().querySelectorAll('canvas')].some((canvas) => {
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        return data.some((red, at) => at % 4 === 0 && [0xb2, 0x21].includes(red) && data[at + 3] === 255);
      })`,
    );
    t.notMatch(troubles.join('\n'), /invalid|Error:/i);
    await page.context().close();
  },
  'observable-plot/hours.html': async (t, { code, service }) => {
    const { page, troubles } = await openRecipe(service, code);
    const cells = page.locator('svg g[aria-label="cell"] rect');
    await cells.first().waitFor();
    const values = (await valuesOf(service, `?${SERIES}`)).filter((value) => value !== null);
    t.equal(await cells.count(), values.length, 'a cell for each value');
    t.match(await page.locator('figure').textContent(), /NO2 \(ug\/m3\)[^]*Jan/);
    t.notMatch(troubles.join('\n'), /warning|error/i);
    await page.context().close();
  },
  // `follow.test.ts` runs it in a browser, over two snapshots.
  'javascript/follow.js': async (t, { folder, file }) => {
    t.equal(await runProgram(folder, [process.execPath, '--check', file]), '');
  },
  'javascript/poll.mjs': polls((file) => {
    const impatient = `const set = setTimeout;
      globalThis.setTimeout = (then, ms, ...more) => set(then, ms === 600_000 ? 0 : ms, ...more);`;
    const preload = `data:text/javascript,${encodeURIComponent(impatient)}`;
    return [process.execPath, '--import', preload, file];
  }, '?parameter_code=NO2'),
  'qgis/geopackage.sh': async (t, { folder, file, service }) => {
    await runProgram(folder, ['bash', file]);
    const where = `station_id = '28005002'`;
    const found = await runProgram(folder, ['ogrinfo', 'no2.gpkg', 'no2', '-where', where]);
    const [newest] = await valuesOf(service, `/latest?${SERIES}`);
    t.match(found, `no2 (Real) = ${newest}`);
    t.match(found, 'POINT (-3.377778 40.479167)');
  },
  // GDAL opens the program's layers.
  'qgis/ogc.py': async (t, { folder, file }) => {
    const words = [PYTHON, resolve('test/systems/support/without-qgis.py'), file] as const;
    const printed = await runProgram(folder, words);
    const layers = [...printed.matchAll(/^OAPIF url='(\S+)' typename='(\w+)'/gm)];
    const [, where = ''] = /^where (.*)$/m.exec(printed) ?? [];
    t.equal(layers.length, 2);
    for (const [, url = '', name = ''] of layers) {
      const condition = name === 'latest' ? ['-where', where] : [];
      const command = ['ogrinfo', '-ro', '-so', ...condition, `OAPIF:${url}`, name] as const;
      t.match(await runProgram(folder, command), /Feature Count: [1-9]/);
    }
  },
  'gdal/ogc.sh': async (t, { folder, file, service }) => {
    t.match(await runProgram(folder, ['bash', file]), /^\d+: latest/m);
    for (const name of ['stations', 'latest']) {
      const { headers } = await get(service, `/ogc/collections/${name}/items`);
      const found = await runProgram(folder, ['ogrinfo', '-so', 'air.gpkg', name]);
      t.match(found, `Feature Count: ${String(headers['x-record-count'])}\n`);
    }
    const box = 'parameter_code=NO2&bbox=-3.5,40.3,-3.3,40.6';
    const { headers } = await get(service, `/api/v1/observations/latest?${box}`);
    const lines = (await readFile(join(folder, 'near.csv'), 'utf8')).trimEnd().split('\n');
    t.equal(lines.length - 1, Number(headers['x-record-count']));
    t.match(lines[1], /^-3\.\d+,40\.\d+,28\d{6}:NO2,/);
  },
  'qgis/layers.py': async (t, { folder, file }) => {
    const words = [PYTHON, resolve('test/systems/support/without-qgis.py'), file] as const;
    const printed = await runProgram(folder, words);
    const layers = printed.trimEnd().split('\n');
    t.equal(layers.length, 3);
    for (const layer of layers.slice(0, 2)) {
      const [provider = '', source = ''] = layer.split(' ');
      t.equal(provider, 'ogr');
      t.match(await runProgram(folder, ['ogrinfo', '-so', '-al', source]), /Feature Count: [1-9]/);
    }
  },
  'excel/month.pq': asks((code, url) => {
    const text = (name: string) => new RegExp(`${name} = "([^"]*)"`).exec(code)?.[1] ?? '';
    const query = new URLSearchParams({ station_id: text('station_id'), layout: text('layout') });
    return [`${url}/${text('RelativePath')}?${query.toString()}`];
  }),
  'excel/year.pq': async (t, { code, service }) => {
    const [, path = '', fields = ''] =
      /RelativePath = "([^"]*)",\s+Query = \[([^\]]*)\]/.exec(code) ?? [];
    const query = fields.replaceAll(/ = "([^"]*)"(?:, )?/g, '=$1&');
    const { body } = await get(service, `/${path}?${query}`);
    t.equal(body.toString(), (await get(service, YEAR)).body.toString());
    const [, names = ''] = /Names = \{([^}]*)\}/.exec(code) ?? [];
    const head = body.toString().split('\r\n', 1)[0]?.split(',') ?? [];
    for (const name of JSON.parse(`[${names}]`) as string[]) t.ok(head.includes(name), name);
  },
  'libreoffice/year.sh': async (t, { folder, file, service }) => {
    await runProgram(folder, ['bash', file]);
    const workbook = await readFile(join(folder, 'year.xlsx'));
    const shown = await convertByOffice(folder, { 'year.xlsx': workbook });
    // A workbook has numbers of 15 digits, of which the last one may differ, and days as numbers.
    const rounded = (csv = ''): string =>
      csv.replaceAll(/\b\d+\.\d+/g, (text) => String(Number(Number(text).toPrecision(12))));
    t.equal(
      rounded(shown['year.xlsx']),
      rounded((await get(service, YEAR)).body.toString()).replaceAll('\r\n', '\n'),
    );
    const texts = String(Buffer.from(unzipSync(workbook)['xl/sharedStrings.xml'] ?? []));
    t.match(texts, />2026-01-01T/);
    t.notMatch(texts, />2026-01-01</);
  },
  'grafana/datasource.yaml': async (t, { code, service }) => {
    t.match(code, service.url);
  },
  'grafana/panel.json': async (t, { code }) => {
    await asksInfinity(t, (JSON.parse(withVariables(code)) as GrafanaPanel).targets);
  },
  'grafana/dashboard.json': async (t, { code }) => {
    const { panels, templating } = JSON.parse(withVariables(code)) as {
      readonly panels: readonly GrafanaPanel[];
      readonly templating: {
        readonly list: readonly { readonly query: { readonly infinityQuery: InfinityQuery } }[];
      };
    };
    await asksInfinity(t, [
      ...panels.flatMap(({ targets }) => targets),
      ...templating.list.map(({ query }) => query.infinityQuery),
    ]);
  },
  'home-assistant/rest.yaml': asks((code) =>
    [...code.matchAll(/resource: "?([^"\s]+)/g)].map(([, address = '']) => address),
  ),
  'mcp/server.mjs': async (t, { folder, file, code, service }) => {
    t.ok(code.split('\n').length <= 101, 'at most 100 lines');
    const { sendLine, request, notify, call, toolNames } = startMcpServer(t, folder, file);
    const initialize = (protocolVersion: string) =>
      request('initialize', {
        protocolVersion,
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      });
    for (const [asked = '', agreed] of [
      ['2024-11-05', '2024-11-05'],
      ['2025-11-25', '2025-11-25'],
      ['1999-01-01', '2025-11-25'],
    ]) {
      const result = { protocolVersion: agreed, capabilities: { tools: {} } };
      t.match(await initialize(asked), { jsonrpc: '2.0', result });
    }
    notify('notifications/initialized'); // has no answer: the next one is of the next request
    const near = { lat: 40.48, lon: -3.38, radius_m: 9000 };
    const station = { station_id: '28005002', parameter_code: 'NO2,PM10' };
    const calls: Readonly<Record<string, readonly [path: string, values: Values]>> = {
      list_stations: ['stations', near],
      list_parameters: ['parameters', {}],
      newest_values: ['observations/latest', { ...near, nearest: true, parameter_code: 'NO2' }],
      hourly_values: ['observations.csv', { ...station, from: '2026-02-08' }],
      daily_values: ['daily.csv', { ...station, from: '2026-01-01' }],
    };
    t.strictSame(await toolNames(), Object.keys(calls));
    for (const [name, [path, values]] of Object.entries(calls)) {
      const query = new URLSearchParams({ layout: 'wide' });
      for (const [key, value] of Object.entries(values)) query.set(key, String(value));
      const target = `/api/v1/${path}?${query.toString()}`;
      const answer = await fetch(service.url + target);
      const expected = await answer.text();
      t.ok(answer.ok && expected.length > 100, target);
      t.match(await call(name, values), mcpResult(expected, false), name);
    }
    for (const [name, values, problem] of [
      ['hourly_values', {}, 'station_id is required.'],
      ['hourly_values', undefined, 'station_id is required.'],
      ['hourly_values', { station_id: 28005002 }, 'station_id must be a string.'],
      ['list_stations', { constructor: 'x' }, 'There is no argument constructor.'],
      ['list_stations', { lat: 95, lon: 1 }, /^400 .*Invalid position/],
      ['hourly_values', { station_id: '28005002,28006004' }, /^\d{6} characters: select fewer/],
    ] as const) {
      t.match(await call(name, values), mcpResult(problem, true), String(problem));
    }
    t.match(await call('toString'), { error: { code: -32602 } }, 'an unknown tool');
    t.match(await request('tools/nothing'), { error: { code: -32601 } });
    t.match(await sendLine('{"jsonrpc": "2.0"'), { id: null, error: { code: -32700 } });
    t.match(await sendLine('null'), { id: null, error: { code: -32600 } });
    const ping = { jsonrpc: '2.0', id: 'a', method: 'ping' };
    t.strictSame(await sendLine(JSON.stringify([ping, { ...ping, id: undefined }])), [
      { jsonrpc: '2.0', id: 'a', result: {} },
    ]);
  },
  'home-assistant/nearest.yaml': async (t, { code }) => {
    const [, template = ''] = /resource_template: "(.*)"/.exec(code) ?? [];
    const position = /\{\{ state_attr\('zone\.home', '(latitude|longitude)'\) \}\}/g;
    const address = template.replaceAll(
      position,
      (_, name) => `${HOME[name as keyof typeof HOME]}`,
    );
    const { data } = (await (await fetch(address)).json()) as { readonly data: readonly Nearest[] };
    const attributes = /parameter_code=='(\w+)'\)\]\s+json_attributes: \[(.*)\]/g;
    const read = [...code.matchAll(attributes)].map(([, parameter = '', names = '']) => {
      return [parameter, names.split(', ')] as const;
    });
    t.same(
      read.map(([parameter]) => parameter),
      data.map((record) => record.parameter_code),
    );
    for (const [at, [, names]] of read.entries()) t.hasProps(data[at] ?? {}, [...names, 'value']);
  },
  // The program in Node, with what Scriptable gives it.
  'scriptable/nearest.js': async (t, { folder, code, service }) => {
    await writeFile(join(folder, 'widget.mjs'), `${SCRIPTABLE}\n${code}`);
    const shown = await runProgram(folder, [process.execPath, 'widget.mjs']);
    const { latitude, longitude } = HOME;
    const query = `?nearest=true&lat=${latitude}&lon=${longitude}&parameter_code=NO2,PM10`;
    const [no2, pm10] = await valuesOf(service, `/latest${query}`);
    t.match(
      shown,
      new RegExp(`^NO2 ${no2} ug/m3\\n\\d+\\.\\d km, .*\\nPM10 ${pm10} ug/m3\\n.* km, .*\\n$`),
    );
  },
};

const service = await startDemonstration(t);
const archive = await storeArchive(t, service.published, ARCHIVED);
await served(service, archive);
const recipes = await shownRecipes(service);

await t.test('the page has every recipe, in every language', async (t) => {
  t.same([...recipes.keys()], RECIPE_NAMES);
  for (const language of ['sr-Latn', 'sr-Cyrl']) {
    t.same(await shownRecipes(service, language), recipes);
  }
});

for (const name of RECIPE_NAMES) {
  await t.test(name, async (t) => {
    const folder = t.testdir();
    const code = recipes.get(name) ?? '';
    const place = { folder, file: basename(name), code, service, archive, recipes };
    await writeFile(join(folder, place.file), place.code);
    if (name.endsWith('.sh')) await runProgram(folder, ['shellcheck', '-s', 'bash', place.file]);
    await CHECKS[name](t, place);
  });
}
