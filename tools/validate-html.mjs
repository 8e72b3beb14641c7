/**
 * Validates every kind of page, and charts as images, with the Nu Html Checker: `npm run validate:html`.
 *
 * Serves the demonstration data, stores each page in every language and theme in a temporary directory, and runs the
 * checker of the npm package `vnu-jar` there, which npx downloads (32 MB) and which needs Java 11 or later. It prints
 * nothing and exits with 0 where there is neither an error nor a warning.
 */
import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withDemonstration } from './demonstration.mjs';

/** Pages for missing content, as browsers see a 404. */
const NOT_FOUND_PATHS = ['/nothing', '/portal/days.csv?station_id=nothing'];

const CHECKER = 'vnu-jar@26.9.27';

// The languages of the demonstration: those of the service, and that of its own texts.
process.env['TEXTS_DIR'] = 'data/demo/texts';
const { LANGUAGES } = await import('../dist/texts/texts.js');
const { DOCUMENTATION_PAGES, LEGAL_PAGES, RECIPES_PATH, THEMES } =
  await import('../dist/views/pages/page.js');

await withDemonstration(async (url, directory) => {
  const pages = join(directory, 'pages');
  await mkdir(pages);
  for (const path of await paths(url)) {
    for (const language of LANGUAGES) {
      for (const theme of ['', ...THEMES]) await store(pages, url, path, { language, theme });
    }
  }
  const checker = ['--yes', `--package=${CHECKER}`, 'vnu', '--skip-non-html', '--also-check-svg'];
  const { status } = spawnSync('npx', [...checker, pages], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
});

async function paths(url) {
  const portal = await (await fetch(url)).text();
  const [station, other] = [...portal.matchAll(/data-station="(\d+)"/g)].map(([, id]) => id);
  const components = await (await fetch(new URL('/components', url))).json();
  const { generated_at: newest } = await (await fetch(new URL('/meta', url))).json();
  const day = (ago) => new Date(Date.parse(newest) - ago * 86_400_000).toISOString().slice(0, 10);
  const { component_id: direction } = components.find(({ unit }) => unit === 'deg');
  const panels = [
    ...['1h', '7d'].map((window) => `station_id=${station}&window=${window}`),
    `station_id=${station}&from=${day(10)}&to=${day(7)}`,
    `station_id=${station}&from=2020-01-01&to=2020-01-02`,
    ...['1d', '30d'].flatMap((window) => [
      `station_id=${station}&window=${window}&compare=${other}`,
      `station_id=${station}&window=${window}&compare=${other}&component_id=${direction}`,
    ]),
  ];
  return [
    '/',
    '/?q=nowhere',
    '/?sort=value',
    `/?component_id=${direction}`,
    ...['/overview', '/episode'].flatMap((path) => [path, `${path}?component_id=${direction}`]),
    '/portal/station-modal',
    ...['/?', '/portal/station-modal?', '/portal/chart.svg?'].flatMap((path) =>
      panels.map((query) => path + query),
    ),
    ...LEGAL_PAGES.map((name) => `/legal/${name}`),
    ...DOCUMENTATION_PAGES.map((name) => `/${name}`),
    RECIPES_PATH,
    ...NOT_FOUND_PATHS,
  ];
}

/** Stores an answer as a file: a panel, a part of a page, in an empty page; a chart as a document of its own. */
async function store(pages, url, path, style) {
  const address = new URL(path, url);
  for (const [name, value] of Object.entries(style)) {
    if (value !== '') address.searchParams.set(name, value);
  }
  const response = await fetch(address, { headers: { Accept: 'text/html' } });
  const status = NOT_FOUND_PATHS.includes(path) ? 404 : 200;
  if (response.status !== status) throw new Error(`${address}: ${response.status}`);
  const html = await response.text();
  const name = (address.pathname + address.search).replaceAll(/[^\w-]+/g, '_');
  if (html.startsWith('<svg')) {
    await writeFile(join(pages, `${name}.svg`), html);
    return;
  }
  const page = html.startsWith('<!doctype')
    ? html
    : `<!doctype html><html lang="${style.language}"><title>Panel</title><h1>Panel</h1>${html}</html>`;
  await writeFile(join(pages, `${name}.html`), page);
}
