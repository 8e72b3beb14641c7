/** A station's year in a browser: at every width, with what axe finds, and what leads to it. */
import t from 'tap';
import { accessibilityProblems, DESKTOP, lazily, PHONE, testInTab } from '../support/browser.js';
import { COMPONENTS, serveYears } from '../../support/service/serve-years.js';

const { no2, rain } = COMPONENTS;
const service = lazily(async () => (await serveYears(t)).service);

for (const [viewport, query] of [
  [PHONE, `language=en&theme=light&component_id=${no2}&year=2025`],
  [DESKTOP, `language=sr-Latn&theme=dark&component_id=${rain}`],
  [{ width: 320, height: 700 }, 'language=sr-Cyrl&theme=dark&year=2024'],
] as const) {
  const path = `/years?station_id=1&${query}`;
  testInTab(`axe finds nothing in ${path}`, { service, viewport, path }, async (t, page) => {
    await page.evaluate(`document.querySelectorAll('details').forEach((one) => (one.open = true))`);
    t.strictSame(await accessibilityProblems(page), []);
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), viewport.width);
    const cut = `[...document.querySelectorAll('.calendar :is(td, th)')]
      .filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent)`;
    t.strictSame(await page.evaluate(cut), [], 'no value is cut');
    const cell = page.locator('.calendar tbody tr:first-child td').first();
    t.not(await cell.evaluate('(cell) => getComputedStyle(cell).fontSize'), '0px');
  });
}

testInTab('hours before the snapshot lead to the archive', { service }, async (t, page) => {
  const period = 'from=2025-06-01T00:00Z&to=2025-07-15T00:00Z';
  await page.goto(`/?language=en&station_id=1&component_id=${no2}&${period}`);
  t.match(await page.innerText('#station .no-points'), 'this page has the last 30 days');
  await page.click('#station a:has-text("Earlier hours are in the archive")');
  await page.waitForURL(/\/years\?/);
});
