/** The search for a town, with scripts and without, for every component; places of devices; unknown stations. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { objectsOf, snapshotDocument } from '../../support/documents/documents.js';
import {
  accessibilityProblems,
  closePage,
  lazily,
  openPage,
  PHONE,
  testInTab,
} from '../support/browser.js';
import { startServing } from '../../support/service/serve-documents.js';

const namesIn = (page: Page) => page.locator('.stations tr[data-q]:visible th a').allInnerTexts();

testInTab('a town is found by whatever is measured', {}, async (t, page, service) => {
  const plain = (await openPage(service, { javaScriptEnabled: false })).page;
  for (const [town, component] of Object.entries({ Madrid: 1, Pinto: 10, Segovia: 83 })) {
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

/** Stations whose names are one word of 80 letters. */
function longWords() {
  const word = 'Preduzeće'.repeat(9).slice(0, 80);
  const stations = objectsOf(snapshotDocument(), 'stations').map((one) => {
    return { ...one, station_name: `${word}${Number(one['station_id'])}`, municipality: word };
  });
  return snapshotDocument({ stations });
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

const unknown = { viewport: PHONE, path: '/?language=en&station_id=77' };
testInTab('a link to a station that is not there says so', unknown, async (t, page) => {
  const said = await page.innerText('.unknown-station');
  t.match(said, /^The station of this link is not, or no longer, in these data/);
  t.ok(await page.locator('#search').isVisible());
  t.strictSame(await accessibilityProblems(page), []);
});

const located = {
  viewport: PHONE,
  permissions: ['geolocation'],
  geolocation: { latitude: 40.2415, longitude: -3.7002 },
};
testInTab('the device says where it is, and no request does', located, async (t, page) => {
  const targets: string[] = [];
  page.on('request', (request) => targets.push(`${request.url()} ${request.postData() ?? ''}`));
  await page.goto('/?language=en&component_id=10');
  await page.click('.locate');
  await page.locator('.found:has-text("nearest to you")').waitFor();
  t.ok((await page.locator('.stations tr[data-q]:visible th a').count()) >= 5);
  t.equal(await page.evaluate('localStorage.length'), 0, 'is not kept');
  for (const target of targets) t.notMatch(target, /40\.24|3\.70/, 'no request names the place');
});
