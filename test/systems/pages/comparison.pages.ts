/** Comparing in a browser: three stations of a week in four actions, up to six, and what a swap keeps. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { MONTH_END_MS, monthDocument } from '../../support/documents/month-document.js';
import { publishAndServe, startServing } from '../../support/service/serve-documents.js';
import { accessibilityProblems, DESKTOP, lazily, PHONE, testInTab } from '../support/browser.js';

const FITS = 'document.documentElement.scrollWidth <= innerWidth';

function comparedIn(page: Page): string {
  return new URL(page.url()).searchParams.getAll('compare').join(',');
}

/** Names of the legend, in the order of the lines. */
function namesIn(page: Page): Promise<readonly string[]> {
  return page.locator('#station .chart-says p:has(.sample) b').allTextContents();
}

for (const [viewport, javaScriptEnabled] of [
  [PHONE, true],
  [DESKTOP, false],
] as const) {
  const options = { viewport, javaScriptEnabled, path: '/?language=en&component_id=8' };
  testInTab(`three stations of a week, scripts: ${javaScriptEnabled}`, options, async (t, page) => {
    const act = async (selector: string, lines: number): Promise<void> => {
      await page.locator(selector).first().click();
      const line = page.locator('#station .plot .line').nth(lines - 1);
      await line.waitFor({ state: 'attached' });
    };
    await act('table.stations [data-station="28065014"]', 1);
    await act('#station .windows a:has-text("7 days")', 1);
    await page.locator('#station .windows [aria-current]', { hasText: '7 days' }).waitFor();
    await act('.compare a:has-text("Leganés")', 2);
    await act('.compare a:has-text("Fuenlabrada")', 3);
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
testInTab('a seventh is refused in words, and each can be removed', six, async (t, page) => {
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
  await page.goBack();
  await page.locator('.compare p').waitFor();
  t.equal(comparedIn(page), all);
  await page.click('.values summary');
  for (const width of [320, 390, 639, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    t.ok(await page.evaluate<boolean>(FITS), `nothing sticks out, ${width} pixels`);
  }
});

const service = lazily(() =>
  startServing(t, monthDocument('month-0'), { env: { POINTER_POLL_SECONDS: '0.05' } }),
);
testInTab('a swap, a language and Back keep what is compared', { service }, async (t, page, to) => {
  await page.goto('/?language=en&component_id=1&station_id=1&window=7d');
  await page.click('#compare-3');
  await page.locator('.plot .s2').first().waitFor({ state: 'attached' });
  const newest = async (): Promise<string> => (await page.innerText('.readout')).trim();
  const before = await newest();
  await publishAndServe(to, monthDocument('month-1', MONTH_END_MS + 3_600_000));
  await page.locator('#station .panel[data-snapshot="month-1"]').waitFor();
  t.same(await namesIn(page), ['Station 1', 'Station 3']);
  t.not(await newest(), before);
  await page.click('.switch [hreflang="sr-Latn"]');
  await page.waitForURL(/language=sr-Latn/);
  t.same(await namesIn(page), ['Station 1', 'Station 3']);
  t.match(await page.innerText('.compare'), 'Uporedi sa');
  await page.goBack();
  await page.goBack();
  await page.waitForURL((url) => !url.searchParams.has('compare'));
});
