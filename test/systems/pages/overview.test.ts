/** Every station by every component on one page, and a station on paper: in a real browser, against the demonstration. */
import t from 'tap';
import { LANGUAGES } from '../../../src/texts/texts.js';
import { THEMES } from '../../../src/views/pages/page.js';
import { accessibilityProblems, openPage, startBrowser } from '../support/browser.js';
import { getJson } from '../../support/service/requests.js';
import { startDemonstration } from '../../support/service/serve-documents.js';

const service = await startDemonstration(t, { env: { DEFAULT_LANGUAGE: 'en' } });
const browser = await startBrowser(t);
const GETAFE = 28065014;

interface Latest {
  readonly data: readonly {
    readonly station_id: string;
    readonly time_start_utc: string;
    readonly value: number | null;
  }[];
}

await t.test('the table has the newest values of the API', async (t) => {
  const { page, troubles } = await openPage(browser, service, { javaScriptEnabled: false });
  await page.goto('/overview');
  const { body } = await getJson(service, '/api/v1/observations/latest');
  // Older than a day is not current.
  const newest = (body as Latest).data.filter(
    ({ value, time_start_utc }) => value !== null && time_start_utc >= '2026-02-08T00:00:00Z',
  );
  t.equal(await page.locator('.overview td a').count(), newest.length);
  const links = page.locator(`.overview td a[href*="station_id=${GETAFE}"]`);
  const shown = (await links.allInnerTexts()).map((text) => Number(/[\d.]+$/.exec(text)?.[0]));
  const own = newest.filter((one) => one.station_id === String(GETAFE)).map(({ value }) => value);
  t.same(shown.toSorted(), own.toSorted());
  await links.first().click();
  t.equal(await page.innerText('#station-name'), 'Getafe');
  t.strictSame(troubles, []);
});

await t.test('axe finds nothing in it, and only the table is wider than a telephone', async (t) => {
  for (const language of LANGUAGES) {
    for (const theme of THEMES) {
      const { page, troubles } = await openPage(browser, service, {
        viewport: { width: 390, height: 844 },
      });
      await page.goto(`/overview?language=${language}&theme=${theme}`);
      t.strictSame(await accessibilityProblems(page), [], `${language}, ${theme}`);
      t.equal(await page.evaluate('document.documentElement.scrollWidth'), 390);
      t.strictSame(troubles, []);
      await page.context().close();
    }
  }
});

await t.test('a station is printed on two pages', async (t) => {
  const { page } = await openPage(browser, service);
  await page.goto(`/?language=en&station_id=${GETAFE}&component_id=8`);
  await page.locator('#station[open] #station-name').waitFor();
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
  t.equal(pdf.match(/\/Type\s*\/Page\b/g)?.length, 2);
});

await t.test('one hour is a number, not a chart', async (t) => {
  const { page } = await openPage(browser, service);
  await page.goto(`/?language=en&station_id=${GETAFE}&component_id=8&window=1h`);
  t.equal(await page.innerText('.newest-value b'), '8');
  t.match(await page.innerText('.value-hour'), '00:00–01:00, 9 Feb 2026, CET');
  t.equal(await page.locator('.plot').count(), 0);
});

await t.test('a click on a component shows its chart, on a telephone too', async (t) => {
  const { page } = await openPage(browser, service, { viewport: { width: 390, height: 844 } });
  await page.goto(`/?language=en&station_id=${GETAFE}&component_id=8`);
  await page.locator('#station[open] #station-name').waitFor();
  await page.click('.cards a:has-text("O₃")');
  await page.locator('#chart-heading:has-text("O₃")').waitFor();
  const box = await page.locator('.newest-value').boundingBox();
  t.ok(box && box.y > 0 && box.y < 844, 'its value is on the screen');
  await page.click('.meanings summary');
  t.match(await page.innerText('.meanings'), /sunshine makes[^]*busy road[^]*above sea level/);
});
