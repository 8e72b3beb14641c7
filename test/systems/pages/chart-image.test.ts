/** Charts as pictures, and what the panel of a station has beside its chart: comparing, a month by hours, sharing. */
import t, { type Test } from 'tap';
import type { Page } from 'playwright-core';
import { LANGUAGES } from '../../../src/snapshot/domain/model.js';
import { THEMES } from '../../../src/views/pages/page.js';
import { snapshotDocument } from '../../support/documents/documents.js';
import {
  accessibilityProblems,
  openPage,
  startBrowser,
  type OpenedPage,
} from '../support/browser.js';
import { get } from '../../support/service/requests.js';
import { startServing } from '../../support/service/serve-documents.js';

const HOUR_MS = 3_600_000;
const GENERATED_AT_MS = Date.UTC(2026, 3, 5);
const HOSTILE = `<script>alert(1)</script> "O'Hara" & ]]> =1+1 \u0001 😀`;

/** Ten days over a change of clocks; the first station misses some hours, the third measures nothing of component 1. */
function document() {
  const stations = [HOSTILE, 'Шабац', 'Kikinda'].map((name, index) => ({
    ...{ station_id: index + 1, station_name: name, station_code: `RS${index + 1}` },
    ...{ organization_id: 1, network_id: 1, longitude: 19.2 + index, latitude: 44.3 },
    component_ids: index === 2 ? [2] : [1, 2],
  }));
  const measurements = [1, 2].flatMap((id) =>
    Array.from({ length: 240 }, (_, index) => index + 1)
      .filter((age) => id === 2 || age < 5 || age > 8)
      .flatMap((age) => {
        const start = new Date(GENERATED_AT_MS - age * HOUR_MS).toISOString();
        const at = { station_id: id, date: start.slice(0, 10), time: start.slice(11, 16) };
        return [
          { ...at, component_id: 1, value: Math.round(30 + 20 * Math.sin(age / 6) + 5 * id) },
          { ...at, component_id: 2, value: (age * 7 * id) % 360 },
        ];
      }),
  );
  return snapshotDocument({
    generated_at: new Date(GENERATED_AT_MS).toISOString(),
    components: [
      { component_id: 1, short_name: 'PM10', unit: 'ug/m3' },
      { component_id: 2, short_name: 'WD', unit: 'deg' },
    ],
    stations,
    measurements,
  });
}

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

void t.test('charts as pictures', async (t) => {
  const service = await startServing(t, document(), { env: { DEFAULT_LANGUAGE: 'en' } });
  const chart = async (query: string): Promise<string> => {
    const { status, headers, body } = await get(service, `${CHART}${query}`);
    t.equal(status, 200, query);
    t.equal(headers['content-type'], 'image/svg+xml');
    return body.toString();
  };
  const sizeOf = (svg: string) =>
    /^<svg [^>]*width="(\d+)" height="(\d+)"/.exec(svg)?.slice(1).map(Number);
  const count = (svg: string, text: string): number => svg.split(text).length - 1;

  await t.test('any site may show one, and caches know it by its tag', async (t) => {
    const { headers } = await get(service, CHART);
    t.equal(headers['cross-origin-resource-policy'], 'cross-origin');
    t.equal(headers['access-control-allow-origin'], '*');
    t.equal(headers['cache-control'], 'public, max-age=60, stale-while-revalidate=600');
    t.equal(headers['vary'], 'Accept-Encoding');
    t.match(headers['content-security-policy'], /^default-src 'none'; style-src 'sha256-/);
    const tag = { 'If-None-Match': headers.etag ?? '' };
    t.equal((await get(service, CHART, { headers: tag })).status, 304);
    t.equal(
      (await get(service, CHART, { headers: { Host: 'other.example' } })).headers.etag,
      headers.etag,
    );
  });

  await t.test('sizes are moved to what is drawn; what is no size counts as none', async (t) => {
    for (const [query, size] of [
      ['', [800, 400]],
      ['&width=99&height=2001', [100, 2000]],
      ['&width=-5&height=640', [100, 640]],
      ['&width=1e3&height=abc', [800, 400]],
      ['&width=99999999999999999999', [2000, 400]],
    ] as const) {
      t.same(sizeOf(await chart(query)), size, query);
    }
  });

  await t.test('bad values count as none, and a station that is not there is 404', async (t) => {
    const plain = await chart('');
    for (const query of [
      '&window=2d&theme=blue&compare=77&width=wide',
      '&compare=1',
      '&compare=9',
      '&compare=3',
      '&component_id=99',
      '&theme=light&window=1d&width=800',
    ]) {
      t.equal(await chart(query), plain, query);
    }
    t.equal((await get(service, `${CHART}&language=xx`)).headers['content-language'], 'en');
    for (const path of [
      '/portal/chart.svg',
      '/portal/chart.svg?station_id=9',
      '/portal/chart.svg?station_id=x',
    ]) {
      const { status, body } = await get(service, path);
      t.equal(status, 404, path);
      t.match(body.toString(), 'No public data found');
    }
  });

  await t.test(
    'language, theme and window change it, and it says whose data they are',
    async (t) => {
      const svg = await chart('');
      t.match(svg, 'Source: Agencija za zaštitu životne sredine, preliminary hourly data');
      t.match(svg, '24 hours until 5 April 2026 at 02:00 (Europe/Belgrade)');
      t.match(svg, '4 of 24 hours without a value');
      t.equal(count(svg, '<rect class="gap"'), 1);
      t.match(await chart('&language=sr-Latn'), 'Izvor: ');
      t.match(await chart('&language=sr-Cyrl'), 'Извор: ');
      t.match(svg, '.paper{fill:#ffffff}');
      t.match(await chart('&theme=dark'), '.paper{fill:#172025}');
      t.match(await chart('&window=7d'), '7 days until');
    },
  );

  await t.test('a second station is told apart without colour', async (t) => {
    const svg = await chart('&compare=2&window=7d');
    t.equal(count(svg, '<path class="line"'), 2 + 2, 'in the plot and in the legend');
    for (const letter of ['A', 'B']) t.equal(count(svg, `>${letter}</text>`), 2);
    t.match(svg, 'stroke-dasharray:5 4');
    t.match(svg, 'Шабац');
  });

  await t.test('wind direction is drawn as direction', async (t) => {
    const day = await chart('&component_id=2');
    t.equal(count(day, '<path class="arrow"'), 20, 'an arrow for each hour with a value');
    t.notMatch(day, '<path class="line"');
    for (const point of ['N', 'E', 'S', 'W']) t.match(day, `dy="4">${point}</text>`);
    // The last hour: 7 degrees, from the north, drawn towards the south.
    t.match(day, 'rotate(187)');
    const week = await chart('&component_id=2&window=7d');
    t.equal(/<path class="dots[^"]*" d="([^"]*)"/.exec(week)?.[1]?.split('M').length, 1 + 164);
    const { body } = await get(
      service,
      '/portal/station-modal?station_id=1&component_id=2&window=7d',
    );
    t.notMatch(body.toString(), /<path class="line/);
    t.match(body.toString(), 'Mostly from');
    // On the map too: an arrow, and no highest or lowest of what has neither.
    const portal = (await get(service, '/?component_id=2')).body.toString();
    t.match(
      portal,
      /: 7 ° N, [^<]*<\/title><circle[^>]*><path class="arrow" transform="rotate\(187\)"/,
    );
    t.match(portal, '<span class="point">N</span> 7<');
    t.match(portal, '<dt>Mostly from</dt><dd><b>N</b></dd>');
    t.notMatch(portal, '<dt>Highest</dt>');
  });

  const browser = await startBrowser(t);
  /** Of every page that was opened. */
  const opened: OpenedPage[] = [];
  const open = async (t: Test, path: string, options = {}): Promise<Page> => {
    const one = await openPage(browser, service, {
      viewport: { width: 1440, height: 900 },
      ...options,
    });
    opened.push(one);
    t.teardown(() => one.page.context().close());
    await one.page.goto(path);
    return one.page;
  };

  await t.test('it is XML of its own, styles included, whatever a name holds', async (t) => {
    const page = await open(t, `${CHART}&compare=2&window=30d`);
    t.equal(await page.evaluate('document.documentElement.tagName'), 'svg', 'and no parser error');
    t.equal(await page.evaluate(`document.querySelectorAll('parsererror, script').length`), 0);
    const title: unknown = await page.evaluate(`document.querySelector('title').textContent`);
    t.match(title, HOSTILE.replace('\u0001', '\uFFFD'));
    const fill = `getComputedStyle(document.querySelector('.paper')).fill`;
    t.equal(await page.evaluate(fill), 'rgb(255, 255, 255)', 'the policy lets its styles be');
  });

  await t.test('it says what it shows, and can be read in both themes', async (t) => {
    const page = await open(t, CHART);
    for (const theme of THEMES) {
      for (const query of [
        '',
        '&compare=2&window=7d',
        '&component_id=2',
        '&width=100&height=100',
      ]) {
        const path = `${CHART}&theme=${theme}${query}`;
        await page.goto(path);
        t.same(await accessibilityProblems(page), [], path);
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

  await t.test(
    'without scripts a station is compared, and its picture is there to copy',
    async (t) => {
      const path = '/?language=en&theme=dark&station_id=2&component_id=1&window=7d';
      const page = await open(t, path, { javaScriptEnabled: false });
      t.same(await page.locator('#compare option').allInnerTexts(), [
        'no other station',
        HOSTILE.replace('\u0001', '\u0001'),
      ]);
      await page.selectOption('#compare', '1');
      await page.click('.compare button');
      const query = new URL(page.url()).searchParams;
      t.same(Object.fromEntries(query), {
        ...{ language: 'en', theme: 'dark', station_id: '2', component_id: '1' },
        ...{ window: '7d', compare: '1' },
      });
      t.equal(await page.locator('.plot .line').count(), 2);
      await page.click('.share summary');
      const link = await page.inputValue('#share-page');
      t.equal(link, `${service.url}/?${String(query)}`);
      const code = await page.inputValue('#share-image');
      // As another site shows it.
      await page.setContent(code);
      t.equal(await page.getAttribute('img', 'alt'), `PM₁₀, Шабац / ${HOSTILE}, 7 days`);
      const source = (await page.getAttribute('img', 'src')) ?? '';
      t.ok(source.startsWith(`${service.url}/portal/chart.svg?`), source);
      const shown = await get(service, source.slice(service.url.length));
      t.match(shown.body.toString(), '.paper{fill:#172025}', 'the theme is kept');
      t.match(shown.body.toString(), '>B</text>', 'and the comparison');
    },
  );

  await t.test(
    'absolute links follow the host, and a page without a station does not',
    async (t) => {
      const from = (path: string, host: string) => get(service, path, { headers: { Host: host } });
      const [one, other] = await Promise.all(
        ['one.example', 'other.example'].map((host) => from('/?station_id=1', host)),
      );
      t.match(one?.body.toString(), 'value="http://one.example/?');
      t.match(other?.body.toString(), 'value="http://other.example/?');
      t.not(one?.headers.etag, other?.headers.etag);
      t.equal(one?.headers['vary'], 'Accept-Encoding, Host');
      const plain = await from('/', 'one.example');
      t.equal(plain.headers['vary'], 'Accept-Encoding');
      t.equal(plain.headers.etag, (await from('/', 'other.example')).headers.etag);
    },
  );

  await t.test(
    'with scripts the panel follows, and keyboard and pointer read both values',
    async (t) => {
      const page = await open(t, '/?language=en&station_id=1&component_id=1&window=7d');
      await page.selectOption('#compare', '2');
      await page.click('.compare button');
      await page.waitForSelector('.plot .b .line');
      t.equal(await page.evaluate('document.activeElement.id'), 'compare', 'keeps the focus');
      t.match(page.url(), 'compare=2');
      await page.locator('.plot').focus();
      await page.keyboard.press('End');
      t.match(await page.innerText('.readout'), /A \d+ · B \d+ µg\/m³$/);
      await page.locator('.calendar td.gap').last().hover();
      t.match(await page.innerText('.calendar-readout'), /^\w+ \d+ \w+, \d\d:00: – µg\/m³$/);
      await page.click('.compare a');
      await page.waitForSelector('.plot .b', { state: 'detached' });
      t.notMatch(page.url(), 'compare');
      await page.click('.close');
      await page.waitForSelector('#station:not([open])', { state: 'attached' });
    },
  );

  await t.test('the month is a table that shows the hour that clocks skipped', async (t) => {
    const page = await open(t, '/?language=en&station_id=1&component_id=1', {
      javaScriptEnabled: false,
    });
    const row = page.locator('.calendar tbody tr', { hasText: '29 Mar' });
    t.equal(await row.locator('td').nth(2).getAttribute('class'), 'skipped');
    t.equal(await page.locator('.calendar .skipped').count(), 1);
    t.match(await row.locator('td').nth(3).innerText(), /^\d+$/);
    t.equal(await page.locator('.calendar thead th').count(), 26);
  });

  await t.test('axe finds nothing in the panel, compared and shared', async (t) => {
    for (const [width, component, language, theme] of [
      [390, 1, 'en', 'light'],
      [1440, 2, 'sr-Cyrl', 'dark'],
    ] as const) {
      const path = `/?language=${language}&theme=${theme}&station_id=1&component_id=${component}`;
      const viewport = { width, height: 900 };
      const page = await open(t, `${path}&compare=2&window=7d`, { viewport });
      await page.waitForSelector('#station:modal');
      await page.click('.share summary');
      t.same(await accessibilityProblems(page), [], path);
      const fits = `document.querySelector('#station').scrollWidth <= document.querySelector('#station').clientWidth`;
      t.ok(await page.evaluate<boolean>(fits), 'nothing sticks out');
    }
  });

  await t.test('axe finds nothing without scripts, in any language and theme', async (t) => {
    const { page } = await openPage(browser, service, { viewport: { width: 390, height: 900 } });
    // Those of the page are not loaded, so that axe can still run.
    await page.route('**/assets/*.js', (route) => route.abort());
    for (const language of LANGUAGES) {
      for (const theme of THEMES) {
        const path = `/?language=${language}&theme=${theme}&station_id=1&component_id=2&compare=2`;
        await page.goto(`${path}&window=7d`);
        await page.click('.share summary');
        t.equal(await page.locator('#station:not(:modal) .plot .b .dots').count(), 1);
        t.equal(await page.locator('.marker.wind .arrow').count(), 2);
        const alike = ['.calendar tbody tr:nth-child(n + 3)'];
        t.same(await accessibilityProblems(page, alike), [], path);
      }
    }
    await page.context().close();
  });

  await t.test('no page complained, and none called another host', (t) => {
    for (const { page, troubles } of opened) t.same(troubles, [], page.url());
    t.end();
  });
});
