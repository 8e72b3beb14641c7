/** A station's year in a browser: what leads to it, at every width, with what axe finds. */
import t from 'tap';
import { accessibilityProblems, DESKTOP, lazily, PHONE, testInTab } from '../support/browser.js';
import { COMPONENTS, serveYears } from '../../support/service/serve-years.js';

const { no2, rain } = COMPONENTS;
const service = lazily(async () => (await serveYears(t)).service);

const path = `/?language=en&station_id=1&component_id=${no2}`;
const plain = { service, path, viewport: PHONE, javaScriptEnabled: false };
testInTab('the years are a link away, without scripts too', plain, async (t, page) => {
  await page.click('.windows a:has-text("Years")');
  await page.click('.chips.years a:has-text("2025")');
  t.match(await page.locator('h1').innerText(), 'NO₂, Novi Beograd, 2025');
  await page.click('.days summary');
  const rows = await page.locator('.days tbody tr').count();
  t.match(await page.locator('.facts').innerText(), `Values on ${rows} of 365 days of 2025.`);
  const first = page.locator('.calendar tbody tr:first-child td').first();
  t.match(await first.innerText(), /^\d+$/);
  t.not(await first.evaluate('(cell) => getComputedStyle(cell).fontSize'), '0px');
  await page.click('.chips.components a:has-text("O₃")');
  t.match(page.url(), 'year=2025');
  await page.click('.freshness a');
  await page.locator('#station-name', { hasText: 'Novi Beograd' }).waitFor();
});

for (const { language, theme, viewport, query } of [
  { language: 'en', theme: 'light', viewport: PHONE, query: `component_id=${no2}&year=2025` },
  { language: 'sr-Latn', theme: 'dark', viewport: DESKTOP, query: `component_id=${rain}` },
  { language: 'sr-Cyrl', theme: 'dark', viewport: { width: 320, height: 700 }, query: 'year=2024' },
] as const) {
  const path = `/years?language=${language}&theme=${theme}&station_id=1&${query}`;
  testInTab(`axe finds nothing in ${path}`, { service, viewport, path }, async (t, page) => {
    await page.evaluate(`document.querySelectorAll('details').forEach((one) => (one.open = true))`);
    t.strictSame(await accessibilityProblems(page), []);
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), viewport.width);
    const cut = `[...document.querySelectorAll('.calendar :is(td, th)')]
      .filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent)`;
    t.strictSame(await page.evaluate(cut), [], 'no value is cut');
  });
}

testInTab('hours before the snapshot lead to the archive', { service }, async (t, page) => {
  const period = 'from=2025-06-01T00:00Z&to=2025-06-02T00:00Z';
  await page.goto(`${path}&${period}`);
  t.match(await page.innerText('#station .no-points'), 'this page has the last 30 days');
  await page.click('#station a:has-text("Earlier hours are in the archive")');
  await page.waitForURL(/\/years\?/);
  await page.setViewportSize(PHONE);
  const chosen = await page.locator('.components [aria-current]').boundingBox();
  t.ok(chosen && chosen.x >= 0 && chosen.x + chosen.width <= PHONE.width, 'in sight');
});
