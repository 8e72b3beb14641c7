/** Charts as pictures in a real browser, the times of a chart in a panel, and a panel without scripts. */
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { LANGUAGES } from '../../../src/texts/texts.js';
import { chartDocument, HOSTILE } from '../../support/documents/chart-document.js';
import { objectsOf } from '../../support/documents/documents.js';
import { monthDocument } from '../../support/documents/month-document.js';
import { accessibilityProblems, lazily, testInTab } from '../support/browser.js';
import { differenceOf, readPng } from '../../support/readers/png.js';
import { get } from '../../support/service/requests.js';
import { startServing } from '../../support/service/serve-documents.js';
import { makeRoot } from '../../support/service/service.js';

const CHART = '/portal/chart.svg?station_id=1&component_id=1&language=en';

const service = lazily(() => startServing(t, chartDocument(), { env: { DEFAULT_LANGUAGE: 'en' } }));

const inDark = { service, path: `${CHART}&compare=2&window=7d&theme=dark` };
testInTab('it is XML of its own, styles included', inDark, async (t, page) => {
  t.equal(await page.evaluate('document.documentElement.tagName'), 'svg', 'and no parser error');
  t.equal(await page.evaluate(`document.querySelectorAll('parsererror, script').length`), 0);
  const title = await page.evaluate(`document.querySelector('title').textContent`);
  t.match(title, HOSTILE.replace('\u0001', '\uFFFD'));
  t.match(await page.evaluate(`document.querySelector('desc').textContent`), 'Source: ');
  const fill = `getComputedStyle(document.querySelector('.paper')).fill`;
  t.equal(await page.evaluate(fill), 'rgb(23, 32, 37)', 'the policy lets its styles be');
  t.same(await accessibilityProblems(page), []);
});

/** Texts of a picture that stick out, are cut or cover another, and its credit. */
const TEXTS = `(() => {
  const texts = [...document.querySelectorAll('text')].map((text) => ({
    said: text.textContent, kind: text.getAttribute('class'), box: text.getBoundingClientRect() }));
  const cover = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const faults = texts.filter(({ box, kind, said }) =>
    box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight ||
    (said.endsWith('…') && kind !== 'head') ||
    texts.some((other) => other.box !== box && cover(other.box, box)));
  const said = (kind) => texts.filter((text) => text.kind === kind).map((text) => text.said).join(' ');
  return {
    faults: faults.map((text) => text.said),
    credit: said('credit'),
    notice: said('notice'),
    curves: document.querySelectorAll('.curve .line').length,
    names: document.querySelector('.curve .usual') === null ? undefined : said('line-name'),
  };
})()`;

/** Names and a licence that no picture has room for, and hours that were a notice of their own. */
const longNames = lazily(async () => {
  const folder = join(await makeRoot(t), 'texts');
  await cp('data/demo/texts', folder, { recursive: true });
  const operator = {
    name: { en: 'Agency for the Protection of the Environment and of the Air '.repeat(4) },
    license: {
      name: { en: `Licence of ${'data '.repeat(40)}(ODL 2.0)` },
      url: 'https://a.example',
    },
  };
  await writeFile(join(folder, 'operator.json'), JSON.stringify(operator));
  const document = monthDocument('long-names');
  const stations = objectsOf(document, 'stations').map((one) => ({
    ...one,
    station_name: `${String(one['station_name'])} ${'Luftmessstelle'.repeat(8)}`,
  }));
  return await startServing(t, { ...document, stations }, { env: { TEXTS_DIR: folder } });
});

const SIZES = ['280 170', '320 200', '600 300', '280 600', '800 400'];
const PERIODS = ['', '&window=30d', '&from=2026-01-10T22:00Z&to=2026-03-07T05:00Z'];

testInTab('a picture says what it must at any size', { service: longNames }, async (t, page) => {
  for (const [at, size] of SIZES.entries()) {
    const [width = NaN, height = NaN] = size.split(' ').map(Number);
    await page.setViewportSize({ width, height });
    for (const [index, period] of PERIODS.entries()) {
      const language = [...LANGUAGES, 'es'][(at + index) % 4] ?? '';
      const query = `station_id=1&component_id=1&width=${width}&height=${height}&language=${language}`;
      await page.goto(`/portal/chart.svg?${query}${period}`);
      const said = await page.evaluate<Readonly<Record<string, unknown>>>(TEXTS);
      t.same(said['faults'], [], query);
      t.match(said['credit'], /preliminar|прелиминар|provisional/i, query);
      t.match(said['credit'], 'ODL 2.0', query);
      t.match(said['notice'], /not current|nisu aktuelni|нису актуелни|no actuales/i, query);
      t.match(said['names'] ?? 'usual', /usual|uobičajeno|уобичајено|habitual/, query);
      if (height > 200) t.ok(said['names'], query);
      // With a notice of missing hours the newest value is in their place.
      if (height > 200 || (height > 170 && !period.includes('from'))) t.ok(said['curves'], query);
    }
  }
});

const asPng = { service, viewport: { width: 640, height: 340 } };
testInTab('as PNG it looks as the browser draws it', asPng, async (t, page, service) => {
  for (const query of [
    '&component_id=1&language=sr-Cyrl&compare=2&window=7d&theme=dark',
    '&component_id=2&language=sr-Latn&theme=light',
  ]) {
    const size = `?station_id=1&width=640&height=340${query}`;
    const { body } = await get(service, `/portal/chart.png${size}`);
    const svg = (await get(service, `/portal/chart.svg${size}`)).body.toString();
    // In the same font, whatever the system's is.
    const inFont = svg.replace(/font-family:[^}]*/, 'font-family:DejaVu Sans');
    await page.setContent(`<style>body{margin:0}svg{display:block}</style>${inFont}`);
    const drawn = readPng(await page.screenshot());
    const difference = differenceOf(readPng(body), drawn);
    // Without its text it would be 6, with none of it bold 1.6.
    t.ok(difference < 1, `${query}: ${difference}`);
  }
});

testInTab('times of a chart are apart, and a pointer reads a gap', { service }, async (t, page) => {
  const covering = `(() => {
      const panel = document.querySelector('.panel').getBoundingClientRect();
      const texts = [...document.querySelectorAll('.plot .tick text, .plot > .rule-label')]
        .filter((text) => text.getClientRects().length > 0)
        .map((text) => ({ said: text.textContent, box: text.getBoundingClientRect() }));
      const cover = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom - 1 && b.top < a.bottom - 1;
      return [
        ...(document.querySelectorAll('.plot .tick text').length === 0 ? ['no times'] : []),
        ...texts.flatMap((a, at) => texts.slice(at + 1).filter((b) => cover(a.box, b.box))
          .map((b) => a.said + ' and ' + b.said)),
        ...texts.filter(({ box }) => box.left < panel.left || box.right > panel.right)
          .map(({ said }) => said + ' sticks out'),
      ];
    })()`;
  const isBeside = `document.querySelector('.newest').getBoundingClientRect().right <=
    document.querySelector('.chart').getBoundingClientRect().left`;
  for (const [at, window] of ['1d', '7d', '30d'].entries()) {
    const query = `language=${LANGUAGES[at % 3]}&station_id=1&component_id=1&compare=2&window=${window}`;
    await page.goto(`/?${query}`);
    for (const width of [320, 390, 639, 640, 1024, 1100, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      t.equal(await page.evaluate(isBeside), width >= 1100, `numbers beside it at ${width} pixels`);
      t.same(await page.evaluate(covering), [], `${query} at ${width} pixels`);
    }
  }
  await page.locator('.calendar td.gap').last().hover();
  t.match(await page.innerText('.calendar-readout'), /^\w+ \d+ \w+, \d\d:00: – µg\/m³$/);
});

// Scripts of the page are not loaded, so that axe can still run.
const unscripted = { service, isExpected: (trouble: string) => trouble.includes('ERR_FAILED') };
testInTab('axe finds nothing in the page without scripts', unscripted, async (t, page) => {
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.goto('/?language=en&theme=dark&station_id=1&component_id=2&compare=2&window=7d');
  await page.click('.share summary');
  t.equal(await page.locator('#station:not(:modal) .plot .s2 .dots').count(), 1);
  t.equal(await page.locator('.marker.wind .arrow').count(), 2);
  t.same(await accessibilityProblems(page, ['.calendar tbody tr:nth-child(n + 3)']), []);
});
