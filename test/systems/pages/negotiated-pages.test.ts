/** The page of a 404, and the bare `/` in the language of the browser: in a real browser, against the demonstration. */
import { resolve } from 'node:path';
import t from 'tap';
import { THEMES } from '../../../src/views/pages/page.js';
import { accessibilityProblems, openPage, startBrowser } from '../support/browser.js';
import { startDemonstration } from '../../support/service/serve-documents.js';

const service = await startDemonstration(t, {
  env: { DEFAULT_LANGUAGE: 'sr-Latn', TEXTS_DIR: resolve('data/demo/texts') },
});
const browser = await startBrowser(t);

const PHONE = { width: 390, height: 844 };

/** The browser says in its console that the page itself is a 404. */
const isOther = (trouble: string): boolean => !trouble.includes('404 (Not Found)');

await t.test(
  'axe finds nothing in the page of a 404, and it is as wide as a telephone',
  async (t) => {
    for (const path of ['/nothing?', '/portal/days.csv?station_id=1&']) {
      for (const language of ['sr-Latn', 'sr-Cyrl', 'en', 'es']) {
        for (const theme of THEMES) {
          const { page, troubles } = await openPage(browser, service, { viewport: PHONE });
          const answer = await page.goto(`${path}language=${language}&theme=${theme}`);
          t.equal(answer?.status(), 404);
          t.strictSame(await accessibilityProblems(page), [], `${path} ${language}, ${theme}`);
          t.equal(await page.evaluate('document.documentElement.scrollWidth'), PHONE.width);
          t.strictSame(troubles.filter(isOther), []);
          await page.context().close();
        }
      }
    }
  },
);

await t.test('its search finds, with and without scripts', async (t) => {
  for (const javaScriptEnabled of [true, false]) {
    const { page } = await openPage(browser, service, { javaScriptEnabled });
    await page.goto('/nothing?language=en&theme=dark');
    await page.fill('#search', 'getafe');
    await page.click('.search button[type="submit"]');
    await page.waitForURL(/q=getafe/);
    t.match(page.url(), /\/\?language=en&theme=dark&q=getafe$/);
    t.match(await page.innerText('table.stations tbody'), 'Getafe');
  }
});

await t.test('a browser in Spanish stays in Spanish, whatever is clicked', async (t) => {
  const { page, troubles } = await openPage(browser, service, { locale: 'es-ES' });
  const languageOf = () => page.getAttribute('html', 'lang');
  await page.goto('/');
  t.equal(await languageOf(), 'es');
  t.equal(new URL(page.url()).search, '', 'the address stays as it is');
  const heading = await page.innerText('.table-head h2');

  await t.test('the slider of hours', async (t) => {
    const range = page.locator('.map-hours input[type="range"]');
    const listed = page.waitForResponse((one) => one.url().includes('hour='));
    await range.focus();
    await page.keyboard.press('ArrowLeft');
    t.equal((await listed).headers()['content-language'], 'es');
    t.match(page.url(), /language=es/);
    await page.reload();
    t.equal(await languageOf(), 'es');
    t.equal(await page.innerText('.table-head h2'), heading);
  });

  await t.test('a panel that is closed again', async (t) => {
    await page.goto('/');
    await page.click('table.stations tbody a');
    await page.locator('#station:modal #station-name').waitFor();
    t.match(page.url(), /language=es/);
    await page.keyboard.press('Escape');
    await page.waitForURL((url) => !url.searchParams.has('station_id'));
    await page.reload();
    t.equal(await languageOf(), 'es');
  });

  await t.test('the language of the operator can be chosen, and is kept', async (t) => {
    await page.goto('/');
    await page.click('.switch a[hreflang="sr-Latn"]');
    await page.waitForURL(/language=sr-Latn/);
    t.equal(await languageOf(), 'sr-Latn');
    await page.click('.brand');
    await page.waitForLoadState();
    t.equal(await languageOf(), 'sr-Latn');
  });
  t.strictSame(troubles, []);
});
