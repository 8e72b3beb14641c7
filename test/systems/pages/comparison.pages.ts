/** Comparing in a browser: three stations of a week in four actions, and up to six. */
import type { Page } from 'playwright-core';
import { accessibilityProblems, DESKTOP, PHONE, testInTab } from '../support/browser.js';

const FITS = 'document.documentElement.scrollWidth <= innerWidth';

function comparedIn(page: Page): string {
  return new URL(page.url()).searchParams.getAll('compare').join(',');
}

/** Names of the legend, in the order of the lines. */
function namesIn(page: Page): Promise<readonly string[]> {
  return page.locator('#station .chart-says p:has(.sample) b').allTextContents();
}

for (const javaScriptEnabled of [true, false]) {
  const viewport = javaScriptEnabled ? PHONE : DESKTOP;
  const options = { viewport, javaScriptEnabled, path: '/?language=en&component_id=8' };
  testInTab(`three stations of a week, scripts: ${javaScriptEnabled}`, options, async (t, page) => {
    await page.locator('table.stations [data-station="28065014"]').first().click();
    await page.click('#station .windows a:has-text("7 days")');
    await page.locator('#station .windows [aria-current]', { hasText: '7 days' }).waitFor();
    for (const [at, name] of ['Leganés', 'Fuenlabrada'].entries()) {
      await page.locator(`.compare a:has-text("${name}")`).first().click();
      await page
        .locator('#station .plot .line')
        .nth(1 + at)
        .waitFor({ state: 'attached' });
    }
    t.same(await namesIn(page), ['Getafe', 'Leganés', 'Fuenlabrada']);
    t.equal(comparedIn(page), '28074007,28058004');
    t.ok(await page.evaluate<boolean>(FITS), 'nothing sticks out');
    // Another station is chosen from all.
    await page.selectOption('#compare', { label: 'Puerto de Cotos (Rascafría)' });
    await page.click('.compare button');
    await page.locator('#station .plot .line').nth(3).waitFor({ state: 'attached' });
    t.equal(comparedIn(page), '28074007,28058004,28120001');
  });
}

const six = {
  path: '/?language=en&station_id=28065014&component_id=8&window=7d&compare=28074007,28058004,28005002,28006004,28120001,28007004',
};
testInTab('each of six can be removed, and Back takes it back', six, async (t, page) => {
  t.equal((await namesIn(page)).length, 6);
  t.match(await page.innerText('.compare p'), 'At most six can be compared.');
  t.equal(await page.locator('.compare select, .compare a[id]:not([aria-current])').count(), 0);
  await page.locator('.plot').focus();
  await page.keyboard.press('Home');
  t.match(
    await page.innerText('.readout'),
    /^\d+ Feb 2026, \d\d:00: Getafe [\d–]+ · Leganés [\d–]+ · .* · Puerto de Cotos \(Rascafría\) [\d–]+ µg\/m³$/,
  );
  t.same(await accessibilityProblems(page, ['.calendar tbody tr:nth-child(n + 3)']), []);
  const all = comparedIn(page);
  await page.click('#compare-28058004');
  await page.waitForURL((url) => !url.search.includes('28058004'));
  await page.locator('.compare select').waitFor();
  t.equal((await namesIn(page)).length, 5);
  t.equal(await page.evaluate('document.activeElement.id'), 'compare-28058004', 'keeps the focus');
  await page.goBack();
  await page.locator('.compare p').waitFor();
  t.equal(comparedIn(page), all);
  await page.click('.values summary');
  for (const width of [320, 390, 639, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    t.ok(await page.evaluate<boolean>(FITS), `nothing sticks out, ${width} pixels`);
  }
});
