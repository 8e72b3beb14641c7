/** The search for a town: the same during typing, after Enter and without scripts, for every component. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { snapshotDocument } from '../../support/documents/documents.js';
import { closePage, lazily, openPage, testInTab } from '../support/browser.js';
import { startServing } from '../../support/service/serve-documents.js';

const namesIn = (page: Page) => page.locator('.stations tr[data-q]:visible th a').allInnerTexts();

testInTab('a town is found by whatever is measured', {}, async (t, page, service) => {
  const plain = (await openPage(service, { javaScriptEnabled: false })).page;
  for (const [component, town] of [
    [1, 'Madrid'],
    [10, 'Pinto'],
    [83, 'Segovia'],
  ] as const) {
    const path = `/?language=en&component_id=${component}`;
    await page.goto(path);
    await page.locator('#search').pressSequentially(town.toLowerCase());
    await page.locator(`.found:text-is("The stations nearest to ${town}")`).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('q') === town.toLowerCase());
    await plain.goto(`${path}&q=${town}`);
    t.equal(await plain.innerText('.found'), `The stations nearest to ${town}`);
    t.same(await namesIn(page), await namesIn(plain), `${town}, ${component}`);
  }
  await plain.click('.show-all');
  t.equal(await plain.innerText('.found'), '28 of 28 stations');
  await plain.click('.towns a:has-text("Madrid")');
  t.equal(await plain.innerText('.found'), 'The stations nearest to Madrid');
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

const narrow = {
  viewport: { width: 320, height: 640 },
  service: lazily(() => startServing(t, longWords(), { wholeMap: true })),
};
testInTab('words of 80 letters make no page wider than the screen', narrow, async (t, page) => {
  for (const path of ['/?', '/?station_id=1&', '/overview?', '/episode?']) {
    await page.goto(`${path}language=en`);
    for (const size of ['100%', '200%']) {
      await page.evaluate(`document.documentElement.style.fontSize = '${size}'`);
      const width = await page.evaluate('document.documentElement.scrollWidth');
      t.equal(width, 320, `${path}, text at ${size}`);
    }
  }
});
