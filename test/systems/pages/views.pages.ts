/** Pages of all stations, of recipes and of a 404: what leads to them and from them, axe, and languages. */
import { parse } from 'csv-parse/sync';
import {
  accessibilityProblems,
  DESKTOP,
  PHONE,
  picture,
  testInTab,
  VIEWS,
} from '../support/browser.js';
import { get } from '../../support/service/requests.js';

/** The browser says in its console that the page itself is a 404. */
const isExpected = (trouble: string): boolean => trouble.includes('404 (Not Found)');

for (const { language, theme, viewport } of VIEWS) {
  for (const path of ['/overview?', '/episode?component_id=8&', '/api-docs/recipes?']) {
    const options = { viewport, path: `${path}language=${language}&theme=${theme}` };
    testInTab(`axe finds nothing in ${options.path}`, options, async (t, page) => {
      t.strictSame(await accessibilityProblems(page), []);
      t.equal(await page.evaluate('document.documentElement.scrollWidth'), viewport.width);
    });
  }
  const missing = { viewport, isExpected };
  testInTab(`the page of a 404 in ${language}: axe finds nothing`, missing, async (t, page) => {
    for (const path of ['/nothing?', '/portal/days.csv?station_id=1&']) {
      await page.goto(`${path}language=${language}&theme=${theme}`);
      t.equal(await page.evaluate('document.documentElement.scrollWidth'), viewport.width);
    }
    t.strictSame(await accessibilityProblems(page), []);
  });
}

for (const viewport of [PHONE, DESKTOP]) {
  for (const [name, path] of [
    ['landing', '/ogc'],
    ['features', '/ogc/collections/latest/items?limit=30'],
    [
      'values',
      '/ogc/collections/observations/position?coords=POINT(-3.36%2040.48)&datetime=2026-02-08',
    ],
  ] as const) {
    testInTab(`axe finds nothing in ${path}`, { viewport, path }, async (t, page) => {
      await picture(page, `ogc-${name}-${viewport.width}`);
      t.strictSame(await accessibilityProblems(page), []);
      t.equal(await page.evaluate('document.documentElement.scrollWidth'), viewport.width);
    });
  }
}

const panel = { viewport: PHONE, path: '/?language=en&station_id=28065014&component_id=8' };
testInTab('a click on a component shows its chart on a telephone', panel, async (t, page) => {
  await page.click('.cards a:has-text("O₃")');
  await page.locator('#chart-heading:has-text("O₃")').waitFor();
  const box = await page.locator('.newest-value').boundingBox();
  t.ok(box && box.y > 0 && box.y < PHONE.height, 'its value is on the screen');
  await page.click('.meanings summary');
  t.match(await page.innerText('.meanings'), /sunshine makes[^]*busy road[^]*above sea level/);
});

const onPhone = { viewport: PHONE, path: '/?language=en&component_id=10' };
testInTab('the worst hour of the week is two actions away', onPhone, async (t, page, service) => {
  await page.click('.menu summary');
  await page.click('.main-navigation a:has-text("Week")');
  const { body } = await get(service, '/portal/episode.csv?component_id=10');
  const days = parse<Readonly<Record<string, string>>>(body, { columns: true });
  const most = Math.max(...days.map((day) => Number(day['highest'])));
  const worst = days.find((day) => Number(day['highest']) === most);
  const name = worst?.['station_name'] ?? '';
  t.match(await page.innerText('.facts'), `The highest hour: ${most} µg/m³ at ${name}, `);
  await page.locator('.facts a').first().click();
  await page.locator('#station-name', { hasText: name }).waitFor();
  const from = new URL(page.url()).searchParams.get('from') ?? '';
  t.ok(Date.parse(from) <= Date.parse(worst?.['highest_hour_utc'] ?? ''), 'of that day');
  t.equal(await page.locator('.values tbody tr').count(), Number(worst?.['hours_with_value']));
});

const plain = { javaScriptEnabled: false, path: '/nothing?language=en&theme=dark', isExpected };
testInTab('the search of a 404 finds, without scripts too', plain, async (t, page) => {
  await page.fill('#search', 'getafe');
  await page.click('.search button[type="submit"]');
  await page.waitForURL(/\/\?language=en&theme=dark&q=getafe$/);
  t.match(await page.innerText('table.stations tbody'), 'Getafe');
});

const spanish = { locale: 'es-ES', path: '/' };
testInTab('a browser in Spanish stays in Spanish', spanish, async (t, page) => {
  const languageOf = () => page.getAttribute('html', 'lang');
  t.equal(await languageOf(), 'es');
  t.equal(new URL(page.url()).search, '', 'the address stays as it is');

  const listed = page.waitForResponse((one) => one.url().includes('hour='));
  // Its address has the language from then on, by which it is loaded anew.
  const loaded = page.waitForEvent('load');
  await page.locator('.map-hours input[type="range"]').press('ArrowLeft');
  t.equal((await listed).headers()['content-language'], 'es');
  await loaded;
  t.match(page.url(), /language=es.*hour=/);

  // A panel that is closed again.
  await page.goto('/');
  await page.click('table.stations tbody a');
  await page.locator('#station:modal #station-name').waitFor();
  t.match(page.url(), /language=es/);
  await page.keyboard.press('Escape');
  await page.waitForURL((url) => !url.searchParams.has('station_id'));
  await page.reload();
  t.equal(await languageOf(), 'es');
});
