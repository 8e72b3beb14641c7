/** The page of all stations and components, and the panels that it opens. */
import { accessibilityProblems, PHONE, testInTab, VIEWS } from '../support/browser.js';

for (const { language, theme, viewport } of VIEWS) {
  const path = `/overview?language=${language}&theme=${theme}`;
  testInTab(`axe finds nothing in ${path}`, { viewport, path }, async (t, page) => {
    t.strictSame(await accessibilityProblems(page), []);
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), viewport.width);
  });
}

const panel = { viewport: PHONE, path: '/?language=en&station_id=28065014&component_id=8' };
testInTab('a click on a component shows its chart on a telephone', panel, async (t, page) => {
  await page.locator('#station[open] #station-name').waitFor();
  await page.click('.cards a:has-text("O₃")');
  await page.locator('#chart-heading:has-text("O₃")').waitFor();
  const box = await page.locator('.newest-value').boundingBox();
  t.ok(box && box.y > 0 && box.y < PHONE.height, 'its value is on the screen');
  await page.click('.meanings summary');
  t.match(await page.innerText('.meanings'), /sunshine makes[^]*busy road[^]*above sea level/);
});
