/** Where is the nearest station? By the name of a town, by a click on the map, by the device: in a real browser. */
import type { Route } from 'playwright-core';
import t from 'tap';
import { accessibilityProblems, openPage, startBrowser } from '../support/browser.js';
import { startDemonstration } from '../../support/service/serve-documents.js';

const service = await startDemonstration(t, { env: { DEFAULT_LANGUAGE: 'en' }, wholeMap: true });
const browser = await startBrowser(t);
const PHONE = { width: 390, height: 844 };
/** PM10, which Parla does not measure. */
const PATH = '/?language=en&component_id=10';
const ROWS = '.stations tr[data-q]:visible';
/** Those that measure it, and below them those that do not and are as near. */
const NEAREST_TO_PINTO = [
  ...['Getafe', 'Fuenlabrada', 'Leganés', 'Móstoles', 'Rivas-Vaciamadrid'],
  ...['Parla', 'Valdemoro', 'Alcorcón'],
];

await t.test('a town is found while its name is typed, and the result is seen', async (t) => {
  const { page, troubles } = await openPage(browser, service, { viewport: PHONE });
  await page.goto(PATH);
  await page.locator('#search').pressSequentially('pinto');
  await page.locator('.found:text-is("The stations nearest to Pinto")').waitFor();
  t.same(await page.locator(`${ROWS} th a`).allInnerTexts(), NEAREST_TO_PINTO);
  t.equal(await page.innerText(`${ROWS}:has-text("Parla") .distance`), '6.1 km');
  const box = await page.locator(ROWS).first().boundingBox();
  t.ok(box && box.y + box.height < PHONE.height, 'on the first screen of a telephone');
  t.strictSame(await accessibilityProblems(page), []);
  await page.locator('#search').fill('');
  t.equal(await page.locator(ROWS).count(), 28);
  t.strictSame(troubles, []);
});

await t.test('a link to a station that is not there says so, beside the search', async (t) => {
  const { page, troubles } = await openPage(browser, service, { viewport: PHONE });
  await page.goto('/?language=en&station_id=77');
  t.match(
    await page.innerText('.unknown-station'),
    /^The station of this link is not in these data/,
  );
  t.ok(await page.locator('#search').isVisible());
  t.strictSame(await accessibilityProblems(page), []);
  await page.goto('/?language=en&station_id=');
  t.equal(await page.locator('.unknown-station').count(), 0);
  t.strictSame(troubles, []);
});

await t.test('without scripts a town of the map is a link to the same', async (t) => {
  const { page } = await openPage(browser, service, { javaScriptEnabled: false });
  await page.goto(PATH);
  await page.click('.towns a:has-text("Madrid")');
  t.match(page.url(), 'q=Madrid');
  t.equal(await page.innerText('.found'), 'The stations nearest to Madrid');
  await page.goto(`${PATH}&q=Pinto`);
  t.equal(await page.innerText('.found'), 'The stations nearest to Pinto');
  const names = await page.locator(`${ROWS} th a`).allInnerTexts();
  t.same(names, NEAREST_TO_PINTO);
});

await t.test('a click on the map finds what is near to it', async (t) => {
  const { page, troubles } = await openPage(browser, service, {
    viewport: { width: 1440, height: 900 },
  });
  await page.goto(PATH);
  const marker = await page
    .locator('.marker[data-station="28016001"] circle:not(.target)')
    .boundingBox();
  await page.mouse.click((marker?.x ?? 0) + 70, (marker?.y ?? 0) + 30);
  t.equal(await page.innerText('.found'), 'The stations nearest to this point of the map');
  t.equal(await page.locator(`${ROWS} th a`).first().innerText(), 'El Atazar');
  t.strictSame(troubles, []);
});

await t.test('the device says where it is when it is asked to, and no request does', async (t) => {
  const { page, troubles } = await openPage(browser, service, {
    viewport: PHONE,
    permissions: ['geolocation'],
    geolocation: { latitude: 40.2415, longitude: -3.7002 },
  });
  const targets: string[] = [];
  page.on('request', (request) => targets.push(`${request.url()} ${request.postData() ?? ''}`));
  await page.goto(PATH);
  t.notOk(await page.locator('.keep-location').isVisible());
  await page.click('.locate');
  await page.locator('.found:has-text("nearest to you")').waitFor();
  t.ok((await page.locator(`${ROWS} th a`).count()) >= 5);
  t.equal(await page.evaluate('localStorage.length'), 0, 'is not kept unless the user wants it');
  await page.check('.keep-location input');
  t.equal(await page.evaluate('localStorage.length'), 1);
  await page.uncheck('.keep-location input');
  t.equal(await page.evaluate('localStorage.length'), 0);
  t.notOk(
    targets.some((target) => /40\.24|3\.70/.test(target)),
    'no request names the place',
  );
  t.strictSame(troubles, []);
});

await t.test('an hour of the last day is shown by a form, or as the slider moves', async (t) => {
  const plain = (await openPage(browser, service, { javaScriptEnabled: false })).page;
  await plain.goto('/?language=en&component_id=8');
  await plain.selectOption('#hour', { label: '18:00–19:00, 8 Feb 2026, CET' });
  await plain.click('.map-hours button[type=submit]');
  t.match(plain.url(), /hour=2026-02-08T17(?::|%3A)00Z/);
  t.match(await plain.innerText('.newest-hour'), 'This hour: 18:00–19:00, 8 Feb 2026, CET');
  const values = async (page: typeof plain): Promise<readonly string[]> =>
    await page.locator('.stations td.value').allInnerTexts();
  const atSix = await values(plain);

  const { page, troubles } = await openPage(browser, service, {
    viewport: { width: 390, height: 844 },
  });
  const asked: string[] = [];
  await page.goto('/?language=en&component_id=8');
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/') asked.push(request.url());
  });
  const range = page.locator('.map-hours input[type=range]');
  await range.focus();
  const markers = async (): Promise<readonly string[]> =>
    (await page.locator('.marker text').allTextContents()).toSorted();
  await page.evaluate(`(() => {
    const input = document.querySelector('.map-hours input[type=range]');
    input.value = '17';
    input.dispatchEvent(new Event('input', { bubbles: true }));
  })()`);
  t.equal(await page.innerText('.map-hours output'), '18:00–19:00, 8 Feb 2026, CET');
  const moved = await markers();
  t.same(asked, [], 'no request an hour');
  await range.dispatchEvent('change');
  await page.locator('.newest-hour:has-text("This hour")').waitFor();
  t.same(await markers(), moved, 'the server draws the same');
  t.same(await values(page), atSix);
  t.match(page.url(), 'hour=2026-02-08T17');
  t.equal(asked.length, 1, 'one where it stops');
  t.strictSame(await accessibilityProblems(page), []);
  t.strictSame(troubles, []);
});

await t.test('a late answer does not take back where the slider has been moved', async (t) => {
  const { page, troubles } = await openPage(browser, service);
  await page.goto('/?language=en&component_id=8');
  const held: Route[] = [];
  await page.route('**/?*hour=*', (route) => {
    held.push(route);
  });
  const range = page.locator('.map-hours input[type=range]');
  const output = page.locator('.map-hours output');
  const moveTo = (value: string) => range.fill(value);
  const asked = page.waitForRequest(/hour=/);
  await moveTo('17');
  await asked;
  const kept = await output.innerText();

  // Moved on, and not yet let go: the answer comes in between.
  await page.evaluate(`(() => {
    const input = document.querySelector('.map-hours input[type=range]');
    input.value = '10';
    input.dispatchEvent(new Event('input', { bubbles: true }));
  })()`);
  const moved = await output.innerText();
  t.not(moved, kept);
  const answered = page.waitForResponse(/hour=/);
  await Promise.all(held.splice(0).map((route) => route.continue()));
  await (await answered).finished();
  const again = page.waitForRequest(/hour=/);
  t.equal(await range.inputValue(), '10');
  t.equal(await output.innerText(), moved);
  await page.unroute('**/?*hour=*');
  await range.dispatchEvent('change');
  await again;
  await page.locator(`.newest-hour:has-text("${moved}")`).waitFor();
  t.equal(await range.inputValue(), '10');
  t.strictSame(troubles, []);
  await page.context().close();
});
