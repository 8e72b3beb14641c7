/** Where is the nearest station? By the name of a town, by a click on the map, by the device: in a real browser. */
import type { Page, Route } from 'playwright-core';
import {
  accessibilityProblems,
  closePage,
  openPage,
  PHONE,
  testInTab,
} from '../support/browser.js';

const PATH = '/?language=en&component_id=10';
const ROWS = '.stations tr[data-q]:visible';
const unknown = { viewport: PHONE, path: '/?language=en&station_id=77' };
testInTab('a link to a station that is not there says so', unknown, async (t, page) => {
  t.match(
    await page.innerText('.unknown-station'),
    /^The station of this link is not, or no longer, in these data/,
  );
  t.ok(await page.locator('#search').isVisible());
  t.strictSame(await accessibilityProblems(page), []);
});

testInTab('a click on the map finds what is near to it', { path: PATH }, async (t, page) => {
  const marker = await page
    .locator('.marker[data-station="28016001"] circle:not(.target)')
    .boundingBox();
  await page.mouse.click((marker?.x ?? 0) + 70, (marker?.y ?? 0) + 30);
  t.equal(await page.innerText('.found'), 'The stations nearest to this point of the map');
  t.equal(await page.locator(`${ROWS} th a`).first().innerText(), 'El Atazar');
});

const located = {
  viewport: PHONE,
  permissions: ['geolocation'],
  geolocation: { latitude: 40.2415, longitude: -3.7002 },
};
testInTab('the device says where it is, and no request does', located, async (t, page) => {
  const targets: string[] = [];
  page.on('request', (request) => targets.push(`${request.url()} ${request.postData() ?? ''}`));
  await page.goto(PATH);
  await page.click('.locate');
  await page.locator('.found:has-text("nearest to you")').waitFor();
  t.ok((await page.locator(`${ROWS} th a`).count()) >= 5);
  t.equal(await page.evaluate('localStorage.length'), 0, 'is not kept');
  t.notOk(
    targets.some((target) => /40\.24|3\.70/.test(target)),
    'no request names the place',
  );
});

const HOURS = { viewport: PHONE, path: '/?language=en&component_id=8' };
const AT_SIX = '18:00–19:00, 8 Feb 2026, CET';

testInTab('an hour is shown as the slider moves', HOURS, async (t, page, service) => {
  const values = async (page: Page): Promise<readonly string[]> =>
    await page.locator('.stations td.value').allInnerTexts();
  const { page: plain } = await openPage(service, { javaScriptEnabled: false });
  await plain.goto(HOURS.path);
  await plain.selectOption('#hour', { label: AT_SIX });
  await plain.click('.map-hours button[type=submit]');
  t.match(plain.url(), /hour=2026-02-08T17(?::|%3A)00Z/);
  t.match(await plain.innerText('.newest-hour'), `This hour: ${AT_SIX}`);
  const atSix = await values(plain);
  await closePage(plain);

  const asked: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/') asked.push(request.url());
  });
  const range = page.locator('.map-hours input[type=range]');
  const markers = async (): Promise<readonly string[]> =>
    (await page.locator('.marker text').allTextContents()).toSorted();
  // It moves, and is not released.
  await page.evaluate(`{
      const input = document.querySelector('.map-hours input[type=range]');
      input.value = '17';
      input.dispatchEvent(new Event('input', { bubbles: true }));
    }`);
  t.equal(await page.innerText('.map-hours output'), AT_SIX);
  const moved = await markers();
  t.same(asked, [], 'no request an hour');
  await range.dispatchEvent('change');
  await page.locator('.newest-hour:has-text("This hour")').waitFor();
  t.same(await markers(), moved, 'the server draws the same');
  t.same(await values(page), atSix);
  t.match(page.url(), 'hour=2026-02-08T17');
  t.equal(asked.length, 1, 'one where it stops');
  t.strictSame(await accessibilityProblems(page), []);
});

testInTab('a late page does not take back where the slider is', HOURS, async (t, page) => {
  const held: Route[] = [];
  await page.route('**/?*hour=*', async (route) => {
    if (held.length > 0) await route.continue();
    held.push(route);
  });
  // Moved on during the request for the page of the first hour, and released.
  await page.evaluate(`{
    const input = document.querySelector('.map-hours input[type=range]');
    input.addEventListener('change', () => setTimeout(() => {
      input.value = '10';
      input.dispatchEvent(new Event('input', { bubbles: true }));
      input.dispatchEvent(new Event('change', { bubbles: true }));
    }, 800), { once: true });
  }`);
  await page.locator('.map-hours input[type=range]').fill('17');
  await page.locator('.newest-hour:has-text("11:00–12:00")').waitFor();
  t.equal(held.length, 2);
  t.equal(await page.inputValue('#hour-slider'), '10');
});
