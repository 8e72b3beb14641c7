/** Charts as pictures in a real browser, and the panel's comparison, month by hours and sharing. */
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { LANGUAGES } from '../../../src/texts/texts.js';
import { THEMES } from '../../../src/views/pages/page.js';
import { chartDocument, HOSTILE } from '../../support/documents/chart-document.js';
import { objectsOf } from '../../support/documents/documents.js';
import { monthDocument } from '../../support/documents/month-document.js';
import { accessibilityProblems, lazily, testInTab, VIEWS } from '../support/browser.js';
import { differenceOf, readPng } from '../../support/readers/png.js';
import { get } from '../../support/service/requests.js';
import { startServing } from '../../support/service/serve-documents.js';
import { makeRoot } from '../../support/service/service.js';

interface Drawn {
  readonly name: string;
  readonly isText: boolean;
  readonly contrast: number;
}

/** Contrast of all texts and lines of a picture with its paper (WCAG 2.2, contrast ratio). */
const CONTRASTS = `(() => {
  const luminance = (color) => color.match(/\\d+/g).slice(0, 3)
    .map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  const paper = luminance(getComputedStyle(document.querySelector('.paper')).fill);
  return [...document.querySelectorAll('text, .line, .dots, .arrow')].map((part) => {
    const isText = part.tagName === 'text';
    const { fill, stroke } = getComputedStyle(part);
    const [dark, light] = [luminance(isText ? fill : stroke), paper].sort((a, b) => a - b);
    return {
      name: part.textContent || part.getAttribute('class'),
      isText,
      contrast: (light + 0.05) / (dark + 0.05),
    };
  });
})()`;

const CHART = '/portal/chart.svg?station_id=1&component_id=1&language=en';

const service = lazily(() => startServing(t, chartDocument(), { env: { DEFAULT_LANGUAGE: 'en' } }));

const month = { service, path: `${CHART}&compare=2&window=30d` };
testInTab('it is XML of its own, styles included', month, async (t, page) => {
  t.equal(await page.evaluate('document.documentElement.tagName'), 'svg', 'and no parser error');
  t.equal(await page.evaluate(`document.querySelectorAll('parsererror, script').length`), 0);
  const title: unknown = await page.evaluate(`document.querySelector('title').textContent`);
  t.match(title, HOSTILE.replace('\u0001', '\uFFFD'));
  const fill = `getComputedStyle(document.querySelector('.paper')).fill`;
  t.equal(await page.evaluate(fill), 'rgb(255, 255, 255)', 'the policy lets its styles be');
});

testInTab('it says what it shows, and can be read', { service }, async (t, page) => {
  for (const theme of THEMES) {
    for (const query of ['', '&compare=2&window=7d', '&component_id=2', '&width=100&height=100']) {
      const path = `${CHART}&theme=${theme}${query}`;
      await page.goto(path);
      if (theme === 'dark') t.same(await accessibilityProblems(page), [], path);
      t.match(await page.evaluate(`document.querySelector('title').textContent`), /\S, \S/);
      t.match(await page.evaluate(`document.querySelector('desc').textContent`), 'Source: ');
      const drawn = await page.evaluate<readonly Drawn[]>(CONTRASTS);
      t.ok(drawn.length > 3, path);
      // WCAG 2.2, 1.4.3 and 1.4.11: texts, and what has to be seen to understand the picture.
      for (const { name, isText, contrast } of drawn) {
        t.ok(contrast >= (isText ? 4.5 : 3), `${path}: ${name} ${contrast}`);
      }
    }
  }
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

for (const [whose, options, station, license] of [
  ['of the demonstration', {}, 'station_id=28065014&component_id=8', 'CC BY 4.0'],
  ['of long names', { service: longNames }, 'station_id=1&component_id=1', 'ODL 2.0'],
] as const) {
  testInTab(`a picture ${whose} says what it must at any size`, options, async (t, page) => {
    for (const [width, height] of [
      [280, 170],
      [320, 200],
      [600, 300],
      [280, 600],
      [800, 400],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const language of [...LANGUAGES, 'es']) {
        for (const period of ['', '&window=30d', '&from=2026-01-10T22:00Z&to=2026-03-07T05:00Z']) {
          const query = `${station}&width=${width}&height=${height}&language=${language}${period}`;
          await page.goto(`/portal/chart.svg?${query}`);
          const said = await page.evaluate<Readonly<Record<string, unknown>>>(TEXTS);
          t.same(said['faults'], [], query);
          t.match(said['credit'], license, query);
          t.match(said['credit'], /preliminar|прелиминар|provisional/i, query);
          t.match(said['notice'], /not current|nisu aktuelni|нису актуелни|no actuales/i, query);
          t.match(said['names'] ?? 'usual', /usual|uobičajeno|уобичајено|habitual/, query);
          if (height > 200) t.ok(said['names'], query);
          // With a notice of missing hours the newest value is in their place.
          if (height > 200 || (height > 170 && !period.includes('from')))
            t.ok(said['curves'], query);
        }
      }
    }
  });
}

const asPng = { service, viewport: { width: 640, height: 340 } };
testInTab('as PNG it looks as the browser draws it', asPng, async (t, page, service) => {
  for (const query of [
    '&component_id=1&language=sr-Cyrl&theme=dark',
    '&component_id=1&language=en&compare=2&window=7d&theme=light',
    '&component_id=1&language=en&compare=2&window=7d&theme=dark',
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

const plain = {
  service,
  path: '/?language=en&theme=dark&station_id=2&component_id=1&window=7d',
  javaScriptEnabled: false,
};
testInTab('without scripts a station is compared, and shared', plain, async (t, page, service) => {
  t.same(await page.locator('.compare a').allTextContents(), [HOSTILE]);
  await page.click('.compare a');
  const query = new URL(page.url()).searchParams;
  t.same(Object.fromEntries(query), {
    language: 'en',
    theme: 'dark',
    station_id: '2',
    component_id: '1',
    window: '7d',
    compare: '1',
  });
  t.equal(await page.locator('.plot .line').count(), 2);
  await page.click('.share summary');
  const link = await page.inputValue('#share-page');
  t.equal(link, `${service.url}/?${String(query)}`);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.click('.share a[href*="chart.png"]'),
  ]);
  t.equal(download.suggestedFilename(), 'chart-2-1-7d.png');
  const code = await page.inputValue('#share-image');
  // As another site shows it.
  await page.setContent(code);
  // A character that XML cannot hold is replaced.
  const name = HOSTILE.replace('\u0001', '\ufffd');
  t.equal(await page.getAttribute('img', 'alt'), `PM₁₀, Шабац / ${name}, 7 days`);
  const source = (await page.getAttribute('img', 'src')) ?? '';
  t.ok(source.startsWith(`${service.url}/portal/chart.svg?`), source);
  const shown = await get(service, source.slice(service.url.length));
  t.match(shown.body.toString(), '.paper{fill:#172025}', 'the theme is kept');
  t.match(shown.body.toString(), /<g class="s2"><path class="line/, 'and the comparison');
});

const week = { service, path: '/?language=en&station_id=1&component_id=1&window=7d' };
testInTab('with scripts keyboard and pointer read both values', week, async (t, page) => {
  await page.click('#compare-2');
  await page.waitForSelector('.plot .s2 .line');
  t.equal(await page.evaluate('document.activeElement.id'), 'compare-2', 'keeps the focus');
  t.match(page.url(), 'compare=2');
  await page.locator('.plot').focus();
  await page.keyboard.press('End');
  t.match(await page.innerText('.readout'), /😀 \d+ · Шабац \d+ µg\/m³$/);
  await page.locator('.calendar td.gap').last().hover();
  t.match(await page.innerText('.calendar-readout'), /^\w+ \d+ \w+, \d\d:00: – µg\/m³$/);
  await page.click('#compare-2');
  await page.waitForSelector('.plot .s2', { state: 'detached' });
  t.notMatch(page.url(), 'compare');
  await page.click('.close');
  await page.waitForSelector('#station:not([open])', { state: 'attached' });
});

testInTab('times of a chart are apart and within the panel', { service }, async (t, page) => {
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
  for (const [at, window] of ['1d', '7d', '14d', '30d'].entries()) {
    const query = `language=${LANGUAGES[at % 3]}&station_id=1&component_id=1&compare=2&window=${window}`;
    await page.goto(`/?${query}`);
    for (const width of [320, 390, 639, 640, 1024, 1100, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      t.equal(await page.evaluate(isBeside), width >= 1100, `numbers beside it at ${width} pixels`);
      t.same(await page.evaluate(covering), [], `${query} at ${width} pixels`);
    }
  }
});

const skipped = { ...plain, path: '/?language=en&station_id=1&component_id=1' };
testInTab('the month shows the hour that clocks skipped', skipped, async (t, page) => {
  const row = page.locator('.calendar tbody tr', { hasText: '29 Mar' });
  t.equal(await row.locator('td').nth(2).getAttribute('class'), 'skipped');
  t.equal(await page.locator('.calendar .skipped').count(), 1);
  t.match(await row.locator('td').nth(3).innerText(), /^\d+$/);
  t.equal(await page.locator('.calendar thead th').count(), 26);
});

for (const [at, { language, theme, viewport }] of VIEWS.entries()) {
  const query = `language=${language}&theme=${theme}&component_id=${1 + (at % 2)}&window=7d`;
  const home = { service, viewport, path: `/?${query}` };
  testInTab(`axe finds nothing in the panel, ${query}`, home, async (t, page) => {
    await page.click('table.stations [data-station="1"]');
    await page.waitForSelector('#station:modal');
    await page.click('#compare-2');
    await page.waitForSelector('#station:modal .plot .s2');
    await page.click('.share summary');
    t.same(await accessibilityProblems(page), []);
    const fits = `document.querySelector('#station').scrollWidth <= document.querySelector('#station').clientWidth`;
    t.ok(await page.evaluate<boolean>(fits), 'nothing sticks out');
  });

  const path = `/?language=${language}&theme=${theme}&station_id=1&component_id=2&compare=2&window=7d`;
  // Scripts of the page are not loaded, so that axe can still run.
  const isExpected = (trouble: string): boolean => trouble.includes('ERR_FAILED');
  const unscripted = { service, viewport, isExpected };
  testInTab(`nor without scripts, ${query}`, unscripted, async (t, page) => {
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.goto(path);
    await page.click('.share summary');
    t.equal(await page.locator('#station:not(:modal) .plot .s2 .dots').count(), 1);
    t.equal(await page.locator('.marker.wind .arrow').count(), 2);
    t.same(await accessibilityProblems(page, ['.calendar tbody tr:nth-child(n + 3)']), []);
  });
}
