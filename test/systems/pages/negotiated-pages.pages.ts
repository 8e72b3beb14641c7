/** The page of a 404, and the bare `/` in the language of the browser. */
import {
  accessibilityProblems,
  closePage,
  openPage,
  testInTab,
  VIEWS,
} from '../support/browser.js';

/** The browser says in its console that the page itself is a 404. */
const isExpected = (trouble: string): boolean => trouble.includes('404 (Not Found)');

for (const { language, theme, viewport } of VIEWS) {
  const options = { viewport, isExpected };
  testInTab(`the page of a 404 in ${language}: axe finds nothing`, options, async (t, page) => {
    for (const path of ['/nothing?', '/portal/days.csv?station_id=1&']) {
      const answer = await page.goto(`${path}language=${language}&theme=${theme}`);
      t.equal(answer?.status(), 404);
      t.equal(await page.evaluate('document.documentElement.scrollWidth'), viewport.width);
    }
    t.strictSame(await accessibilityProblems(page), []);
  });
}

const plain = { javaScriptEnabled: false, path: '/nothing?language=en&theme=dark', isExpected };
testInTab('its search finds, without scripts too', plain, async (t, page) => {
  await page.fill('#search', 'getafe');
  await page.click('.search button[type="submit"]');
  await page.waitForURL(/\/\?language=en&theme=dark&q=getafe$/);
  t.match(await page.innerText('table.stations tbody'), 'Getafe');
});

const spanish = { locale: 'es-ES', path: '/' };
testInTab('a browser in Spanish stays in Spanish', spanish, async (t, page, service) => {
  const languageOf = () => page.getAttribute('html', 'lang');
  t.equal(await languageOf(), 'es');
  t.equal(new URL(page.url()).search, '', 'the address stays as it is');
  const heading = await page.innerText('.table-head h2');

  await t.test('the slider of hours', async (t) => {
    const listed = page.waitForResponse((one) => one.url().includes('hour='));
    await page.locator('.map-hours input[type="range"]').press('ArrowLeft');
    t.equal((await listed).headers()['content-language'], 'es');
    t.match(page.url(), /language=es/);
    const { page: other } = await openPage(service);
    await other.goto(page.url());
    t.equal(await other.innerText('.table-head h2'), heading, 'in a browser in English too');
    await closePage(other);
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
    await page.click('.switch a[hreflang="en"]');
    await page.waitForURL(/language=en/);
    await page.click('.brand');
    await page.waitForLoadState();
    t.equal(await languageOf(), 'en');
  });
});
