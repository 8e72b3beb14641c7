/** Comparing in a browser: three stations of a week in four actions, on a telephone and on a desk, with scripts and without. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { MONTH_END_MS, monthDocument } from '../../support/documents/month-document.js';
import { portalDocument } from '../../support/documents/portal-document.js';
import { publishAndServe, startServing } from '../../support/service/serve-documents.js';
import { accessibilityProblems, DESKTOP, lazily, PHONE, testInTab } from '../support/browser.js';

const HOUR_MS = 3_600_000;

/** Texts beside the plot that overlap, or leave the panel. */
const FAULTS = `(() => {
  const panel = document.querySelector('.panel').getBoundingClientRect();
  const texts = [...document.querySelectorAll('.plot .tick text')]
    .filter((text) => text.getClientRects().length > 0)
    .map((text) => ({ said: text.textContent, box: text.getBoundingClientRect() }));
  const cover = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom - 3 && b.top < a.bottom - 3;
  return texts.flatMap((a, at) => [
    ...texts.slice(at + 1).filter((b) => cover(a.box, b.box)).map((b) => a.said + ' and ' + b.said),
    ...(a.box.right > panel.right || a.box.left < panel.left ? [a.said + ' sticks out'] : []),
  ]);
})()`;

function comparedIn(page: Page): string {
  return new URL(page.url()).searchParams.getAll('compare').join(',');
}

/** Names of the legend, in the order of the lines. */
async function namesIn(page: Page): Promise<readonly string[]> {
  return await page.evaluate<string[]>(
    `[...document.querySelectorAll('#station .chart-says p:has(.sample) b')].map((name) => name.textContent)`,
  );
}

for (const javaScriptEnabled of [true, false]) {
  for (const viewport of [PHONE, DESKTOP]) {
    const name = `three stations of a week, ${viewport.width} pixels, scripts: ${javaScriptEnabled}`;
    const options = { viewport, javaScriptEnabled, path: '/?language=en&component_id=8' };
    testInTab(name, options, async (t, page) => {
      const lines = page.locator('#station .plot .line');
      let actions = 0;
      const act = async (selector: string, count: number): Promise<void> => {
        await page.locator(selector).first().click();
        actions += 1;
        await lines.nth(count - 1).waitFor({ state: 'attached' });
      };
      await act('table.stations [data-station="28065014"]', 1);
      await act('#station .windows a:has-text("7 days")', 1);
      await page.locator('#station .windows [aria-current]', { hasText: '7 days' }).waitFor();
      await act('.compare a:has-text("Leganés")', 2);
      await act('.compare a:has-text("Fuenlabrada")', 3);
      t.equal(actions, 4);
      t.same(await namesIn(page), ['Getafe', 'Leganés', 'Fuenlabrada']);
      t.same(await page.evaluate(FAULTS), []);
      t.equal(comparedIn(page), '28074007,28058004');
      const ends = 'document.documentElement.scrollWidth <= innerWidth';
      t.ok(await page.evaluate<boolean>(ends), 'nothing sticks out');
    });
  }
}

const six = {
  path: '/?language=en&station_id=28065014&component_id=8&window=7d&compare=28074007,28058004,28005002,28006004',
};

testInTab('a seventh is refused in words, and each can be removed', six, async (t, page) => {
  t.equal(await page.locator('.compare select').count(), 1);
  await page.selectOption('#compare', { label: 'Puerto de Cotos (Rascafría)' });
  await page.click('.compare button');
  await page.locator('.compare p', { hasText: 'At most six can be compared.' }).waitFor();
  t.equal((await namesIn(page)).length, 6);
  t.same(await page.evaluate(FAULTS), []);
  t.equal(await page.locator('.compare select').count(), 0);
  t.same(await page.locator('.compare a[id]:not([aria-current])').count(), 0, 'no other to choose');
  await page.locator('.plot').focus();
  await page.keyboard.press('Home');
  t.match(
    await page.innerText('.readout'),
    /^\d+ Feb 2026, \d\d:00: Getafe [\d–]+ · Leganés [\d–]+ · .* · Puerto de Cotos \(Rascafría\) [\d–]+ µg\/m³$/,
  );
  t.same(await accessibilityProblems(page, ['.calendar tbody tr:nth-child(n + 3)']), []);
  const all = comparedIn(page);
  await page.click('#compare-28005002');
  await page.waitForURL((url) => !url.search.includes('28005002'));
  await page.locator('.compare select').waitFor();
  t.equal((await namesIn(page)).length, 5);
  await page.goBack();
  await page.locator('.compare p').waitFor();
  t.equal(comparedIn(page), all);
  await page.goto(`${page.url()},28007004`);
  t.equal((await namesIn(page)).length, 6, 'an address is no way around it');
  t.match(await page.innerText('.compare p'), 'At most six can be compared.');
  await page.click('.values summary');
  for (const width of [320, 390, 639, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    t.same(await page.evaluate(FAULTS), [], `${width} pixels`);
    const fits = 'document.documentElement.scrollWidth <= innerWidth';
    t.ok(await page.evaluate<boolean>(fits), `nothing sticks out, ${width} pixels`);
  }
});

const unscripted = { ...six, javaScriptEnabled: false };
testInTab('without scripts another station is chosen from all', unscripted, async (t, page) => {
  await page.selectOption('#compare', { label: 'Puerto de Cotos (Rascafría)' });
  await page.click('.compare button');
  t.equal(comparedIn(page), '28074007,28058004,28005002,28006004,28120001');
  t.same(
    (await namesIn(page)).map((name) => name.split(' ')[0]),
    ['Getafe', 'Leganés', 'Fuenlabrada', 'Alcalá', 'Alcobendas', 'Puerto'],
  );
});

testInTab(
  'components of one station share a unit, and a citation says all',
  {},
  async (t, page) => {
    await page.goto('/?language=en&station_id=28065014&component_id=8&window=7d');
    const [own] = await page.locator('.compare nav').last().locator('a').allTextContents();
    await page.locator('.compare nav').last().locator('a').first().click();
    await page.locator('.plot .s2 .line').waitFor({ state: 'attached' });
    t.same(await namesIn(page), ['NO₂', own]);
    t.match(comparedIn(page), /^c\d+$/);
    t.equal(await page.locator('.compare nav').count(), 1, 'stations are another comparison');
    t.equal(
      await page.locator('.plot .band').count(),
      0,
      'colours of the map are of one component',
    );
    await page.click('.share summary');
    const cited = await page.inputValue('#share-citation');
    t.match(
      cited,
      `NO₂ / ${own}, Getafe, 2 February 2026 at 01:00 – 9 February 2026 at 01:00 (Europe/Belgrade). `,
    );
    t.match(cited, 'Source: Comunidad de Madrid, Red de Calidad del Aire, ');
    t.match(
      cited,
      /snapshot of 9 February 2026 at 01:00\. Creative Commons Attribution 4\.0 International \(CC BY 4\.0\)\. http\S+$/,
    );
    const link = cited.split(' ').at(-1) ?? '';
    await page.goto(link);
    t.same(await namesIn(page), ['NO₂', own]);
    await page.locator('.cards a:not([aria-current])').first().click();
    await page.waitForURL((url) => !url.searchParams.has('compare'));
  },
);

const service = lazily(() =>
  startServing(t, monthDocument('month-0'), { env: { POINTER_POLL_SECONDS: '0.05' } }),
);

testInTab('a swap, a language and Back keep what is compared', { service }, async (t, page, to) => {
  await page.goto('/?language=en&component_id=1&station_id=1&window=7d');
  await page.click('#compare-3');
  await page.locator('.plot .s2').first().waitFor({ state: 'attached' });
  const newest = async (): Promise<string> => (await page.innerText('.readout')).trim();
  const before = await newest();
  await publishAndServe(to, monthDocument('month-1', MONTH_END_MS + HOUR_MS));
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

testInTab(
  'a station without a value in these hours is named, and says so',
  { service: lazily(() => startServing(t, portalDocument())) },
  async (t, page) => {
    await page.goto('/?language=en&station_id=6&component_id=1&window=7d&compare=12');
    t.same(await namesIn(page), ['Novi Sad Liman', 'Šabac']);
    t.match(await page.innerText('.chart-says'), 'Šabac: There are no values in this period.');
    t.equal(await page.locator('.plot .line').count(), 1);
  },
);
