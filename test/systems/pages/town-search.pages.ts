/** The search for a town: the same during typing, after Enter and without scripts, for every component. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { snapshotDocument } from '../../support/documents/documents.js';
import { closePage, lazily, openPage, testInTab } from '../support/browser.js';
import { startServing } from '../../support/service/serve-documents.js';

const PLAIN = { javaScriptEnabled: false };

const namesIn = (page: Page) => page.locator('.stations tr[data-q]:visible th a').allInnerTexts();

testInTab('a town is found by whatever is measured', {}, async (t, page, service) => {
  const plain = (await openPage(service, PLAIN)).page;
  for (const component of [1, 6, 10, 83]) {
    for (const town of ['Pinto', 'Madrid', 'Segovia']) {
      const path = `/?language=en&component_id=${component}`;
      await page.goto(path);
      await page.locator('#search').pressSequentially(town.toLowerCase());
      await page.locator(`.found:text-is("The stations nearest to ${town}")`).waitFor();
      await page.keyboard.press('Enter');
      t.match(page.url(), `q=${town.toLowerCase()}`);
      await plain.goto(`${path}&q=${town}`);
      t.equal(await plain.innerText('.found'), `The stations nearest to ${town}`);
      t.same(await namesIn(page), await namesIn(plain), `${town}, ${component}`);
    }
  }
  await closePage(plain);
});

testInTab('the place stays, and Back takes it back', { path: '/?language=en' }, async (t, page) => {
  await page.fill('#search', 'pinto');
  await page.locator('.found:has-text("nearest to Pinto")').waitFor();
  await page.click('.components a:has-text("CO")');
  await page.waitForURL(/component_id=6/);
  t.equal(await page.innerText('.found'), 'The stations nearest to Pinto');
  t.equal((await namesIn(page))[0], 'Móstoles', 'the nearest one that measures it');
  await page.goBack();
  await page.locator('.found:has-text("nearest to Pinto")').waitFor();
  await page.goBack();
  await page.locator('.found:text-is("28 of 28 stations")').waitFor();
  t.equal(await page.inputValue('#search'), '');
});

const searched = { ...PLAIN, path: '/?language=en&q=pinto' };
testInTab('without scripts all stations are one link away', searched, async (t, page) => {
  await page.click('.show-all');
  t.equal(await page.innerText('.found'), '28 of 28 stations');
});

testInTab('the largest town and the highest station are always named', {}, async (t, page) => {
  for (const width of [320, 390, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    for (const component of [8, 10, 14, 83]) {
      await page.goto(`/?language=en&component_id=${component}`);
      const highest = await page.locator('.summary a').first().innerText();
      for (const name of ['Madrid', highest]) {
        const label = page.locator(`.map-overlay text:text-is("${name}")`);
        t.ok(await label.isVisible(), `${name} at ${width}, ${component}`);
      }
    }
  }
});

/** Three stations whose names are one word of 80 letters. */
function longWords() {
  const word = 'Preduzeće'.repeat(9).slice(0, 80);
  const stations = [1, 2, 3].map((id) => ({
    station_id: id,
    station_name: `${word}${id}`,
    station_code: `S${id}`,
    municipality: word,
    organization_id: 1,
    network_id: 1,
    component_ids: [1],
    longitude: 19 + id / 2,
    latitude: 45,
  }));
  const measurements = stations.map(({ station_id }) => {
    return { station_id, component_id: 1, date: '2026-09-09', time: '23:00', value: station_id };
  });
  const components = [{ component_id: 1, short_name: 'PM10', unit: 'ug.m-3' }];
  return snapshotDocument({ components, stations, measurements });
}

const words = lazily(() => startServing(t, longWords(), { wholeMap: true }));
const narrow = { viewport: { width: 320, height: 640 } };
for (const [name, options] of [
  ['words of 80 letters', { ...narrow, service: words }],
  ['the demonstration', narrow],
] as const) {
  testInTab(`no page is wider than the screen: ${name}`, options, async (t, page) => {
    for (const path of [
      ...['/?language=en', '/?language=en&station_id=1', '/overview?language=en'],
      '/episode?language=en',
    ]) {
      await page.goto(path);
      for (const size of ['100%', '200%']) {
        await page.evaluate(`document.documentElement.style.fontSize = '${size}'`);
        const width = await page.evaluate('document.documentElement.scrollWidth');
        t.equal(width, 320, `${path}, text at ${size}`);
      }
    }
  });
}
