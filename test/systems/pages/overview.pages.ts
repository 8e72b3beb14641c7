/** The page of all stations and components, and the panels that it opens. */
import { accessibilityProblems, PHONE, testInTab, VIEWS } from '../support/browser.js';
import { getJson } from '../../support/service/requests.js';

const GETAFE = 28065014;
const PANEL = `/?language=en&station_id=${GETAFE}&component_id=8`;

interface Latest {
  readonly data: readonly {
    readonly station_id: string;
    readonly time_start_utc: string;
    readonly value: number | null;
  }[];
}

const noScripts = { javaScriptEnabled: false, path: '/overview' };
testInTab('the table has the newest values of the API', noScripts, async (t, page, service) => {
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
});

for (const { language, theme, viewport } of VIEWS) {
  const path = `/overview?language=${language}&theme=${theme}`;
  testInTab(`axe finds nothing in ${path}`, { viewport, path }, async (t, page) => {
    t.strictSame(await accessibilityProblems(page), []);
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), viewport.width);
  });
}

const oneHour = { path: `${PANEL}&window=1h` };
testInTab('one hour is a number, not a chart', oneHour, async (t, page) => {
  t.equal(await page.innerText('.newest-value b'), '8');
  t.match(await page.innerText('.value-hour'), '00:00–01:00, 9 Feb 2026, CET');
  t.equal(await page.locator('.plot').count(), 0);
});

const onPhone = { viewport: PHONE, path: PANEL };
testInTab('a click on a component shows its chart on a telephone', onPhone, async (t, page) => {
  await page.locator('#station[open] #station-name').waitFor();
  await page.click('.cards a:has-text("O₃")');
  await page.locator('#chart-heading:has-text("O₃")').waitFor();
  const box = await page.locator('.newest-value').boundingBox();
  t.ok(box && box.y > 0 && box.y < PHONE.height, 'its value is on the screen');
  await page.click('.meanings summary');
  t.match(await page.innerText('.meanings'), /sunshine makes[^]*busy road[^]*above sea level/);
});
