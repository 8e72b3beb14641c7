/** One state: components, windows, hours and periods that are chosen are in the address and in the page. */
import type { Page, Route } from 'playwright-core';
import { valueAt } from '../../support/documents/month-document.js';
import { accessibilityProblems, PHONE, testInTab, untilTrue } from '../support/browser.js';
import { endHour, HOME, service } from './hourly-service.js';

const HOUR_MS = 3_600_000;

async function moveHour(page: Page, times: number): Promise<void> {
  await page.focus('.map-hours [type="range"]');
  for (let time = 0; time < times; time += 1) await page.keyboard.press('ArrowLeft');
  const { href } = new URL(page.url());
  await page.waitForURL((url) => url.href !== href && url.searchParams.has('hour'));
  await page.locator('.newest-hour', { hasText: 'This hour' }).waitFor();
}

testInTab('a component of a panel is that of the page, also after Back', HOME, async (t, page) => {
  await page.click('table.stations [data-station="1"]');
  await page.click('#station .cards a:not([aria-current])');
  await page.locator('#station .cards [aria-current]', { hasText: 'NO₂' }).waitFor();
  t.match(await page.title(), /^Station 1: NO₂ · /);
  await page.keyboard.press('Escape');
  await page.waitForURL((url) => !url.searchParams.has('station_id'));
  await page.locator('.intro h1', { hasText: 'NO₂' }).waitFor();
  t.equal(await page.textContent('.components [aria-current]'), 'NO₂');
  t.match(await page.title(), /^Air quality at the stations · /);
  await page.goBack();
  await page.locator('#station .panel').waitFor();
  await page.goBack();
  await page.locator('#station .cards [aria-current]', { hasText: 'PM₁₀' }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.intro h1', { hasText: 'PM₁₀' }).waitFor();

  // A window that a panel shows is that of the next one.
  await page.click('table.stations [data-station="1"]');
  await page.click('#station .windows a:has-text("7 days")');
  await page.locator('#station .windows [aria-current]', { hasText: '7 days' }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('table.stations [data-station="2"][href*="window=7d"]').waitFor();
  await page.click('table.stations [data-station="2"]');
  await page.locator('#station', { hasText: 'Station 2' }).waitFor();
  t.equal(await page.textContent('#station .windows [aria-current]'), '7 days');
});

testInTab('an hour stays in a search, a panel, a language and a theme', HOME, async (t, page) => {
  await moveHour(page, 3);
  const hour = new URL(page.url()).searchParams.get('hour');
  t.match(await page.title(), /^PM₁₀: .*Apr/);
  t.equal(await page.inputValue('.search input[name="hour"]'), hour);
  await page.click('table.stations [data-station="1"]');
  await page.locator('#station .panel').waitFor();
  await page.keyboard.press('Escape');
  await page.waitForURL((url) => !url.searchParams.has('station_id'));
  await page.click('.themes .theme-dark');
  await page.waitForURL(/theme=dark/);
  t.equal(new URL(page.url()).searchParams.get('hour'), hour);
  await moveHour(page, 1);
  const moved = new URL(page.url()).searchParams.get('hour');
  t.not(moved, hour);
  await page.click('.switch [hreflang="sr-Latn"]');
  await page.waitForURL(/language=sr-Latn/);
  t.equal(new URL(page.url()).searchParams.get('hour'), moved);
  t.equal(new URL(page.url()).searchParams.get('theme'), 'dark');

  // A panel that the server has written is a part of the page: an hour that is chosen beside it stays, too.
  await page.goto('/?language=en&component_id=1&station_id=1');
  await moveHour(page, 2);
  const beside = new URL(page.url()).searchParams.get('hour');
  await page.click('#station .windows a:has-text("7 days")');
  await page.locator('#station .windows [aria-current]', { hasText: '7 days' }).waitFor();
  t.equal(new URL(page.url()).searchParams.get('hour'), beside);
  await page.click('#compare-2');
  await page.waitForURL(/compare=2/);
  await page.click('#station .close');
  await page.waitForURL((url) => !url.searchParams.has('station_id'));
  t.equal(new URL(page.url()).searchParams.get('hour'), beside);
  t.match(await page.textContent('.newest-hour'), 'This hour');
});

/** Hours of the rows of the open panel, ascending. */
async function hoursOf(page: Page): Promise<readonly number[]> {
  return await page.evaluate<number[]>(
    `[...document.querySelectorAll('#station .values tbody tr')].map((row) => Number(row.dataset.h)).reverse()`,
  );
}

function timeIn(page: Page, name: 'from' | 'to' | 'hour'): number {
  return Date.parse(new URL(page.url()).searchParams.get(name) ?? '') / HOUR_MS;
}

testInTab('a drag over the chart leads to its hours', HOME, async (t, page) => {
  await page.click('table.stations [data-station="1"]');
  const plot = page.locator('#station .plot');
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.boundingBox();
  if (box === null) throw new Error('there is no plot');
  const { x, y, width, height } = box;
  const hour = width / 24;
  await page.mouse.move(x + 9.5 * hour, y + height / 2);
  await page.mouse.down();
  // To the left, too.
  await page.mouse.move(x + 6.5 * hour, y + height / 2, { steps: 3 });
  await page.mouse.up();
  await page.waitForURL(/from=.*to=/);
  await page.locator('#station .windows [aria-current]', { hasText: '–' }).waitFor();
  const end = endHour();
  t.same(await hoursOf(page), [end - 18, end - 17, end - 16, end - 15]);
  t.same([timeIn(page, 'from'), timeIn(page, 'to')], [end - 18, end - 14]);
  t.match(await page.title(), /^Station 1: PM₁₀, .* – .* · /);
  t.strictSame(await accessibilityProblems(page), []);
  // Another station is compared over the same hours.
  await page.keyboard.press('Escape');
  await page.click('table.stations [data-station="2"]');
  await page.locator('#station', { hasText: 'Station 2' }).waitFor();
  t.equal((await hoursOf(page)).length, 4);
  await page.goBack();
  await page.goBack();
  await page.goBack();
  await page.locator('#station .windows [aria-current]', { hasText: '24 hours' }).waitFor();
  t.equal((await hoursOf(page)).length, 24);
});

testInTab('Shift and the keys choose hours, and Enter leads to them', HOME, async (t, page) => {
  await page.click('table.stations [data-station="1"]');
  const plot = page.locator('#station:modal .plot');
  const widthOf = () => page.getAttribute('#station .selection', 'width');
  await plot.focus();
  const before = page.url();
  t.match(await page.textContent('#chart-help'), 'Shift');
  t.equal(await plot.getAttribute('aria-describedby'), 'chart-help');
  const chosen = ['ArrowLeft', 'ArrowLeft', 'Shift+ArrowLeft', 'Shift+ArrowLeft'];
  for (const key of [...chosen, 'Escape']) await page.keyboard.press(key);
  t.equal(await widthOf(), '0%');
  t.ok(await plot.isVisible(), 'Escape ends the choice, and not the dialog');
  await page.keyboard.press('Enter');
  t.equal(page.url(), before);
  for (const key of ['End', ...chosen]) await page.keyboard.press(key);
  t.equal(await widthOf(), '12.5%');
  t.match(await page.textContent('#station .readout'), /\d\d:00 – .*\d\d:00$/);
  await page.keyboard.press('Enter');
  await page.waitForURL(/from=.*to=/);
  await page.locator('#station .windows [aria-current]', { hasText: '–' }).waitFor();
  const end = endHour();
  t.same(await hoursOf(page), [end - 5, end - 4, end - 3]);
  t.equal(await page.evaluate('document.activeElement.classList.value'), 'plot');
  await page.keyboard.press('Home');
  const first = await plot.getAttribute('aria-valuetext');
  t.match(first, 'µg/m³');
  t.equal(await plot.getAttribute('role'), 'slider');
  t.equal(await plot.getAttribute('aria-valuenow'), '1');
  await page.keyboard.press('ArrowRight');
  t.not(await plot.getAttribute('aria-valuetext'), first);
  t.strictSame(await accessibilityProblems(page), []);
});

const TOUCHED = { service, hasTouch: true, path: `${HOME.path}&station_id=1` };
testInTab('a click on the chart, or a finger, chooses no hours', TOUCHED, async (t, page) => {
  const before = page.url();
  await page.click('#station .plot');
  await page.locator('#station .plot').tap();
  t.match(await page.textContent('#station .readout'), 'µg/m³');
  t.equal(page.url(), before);
});

for (const javaScriptEnabled of [false, true]) {
  const options = { service, javaScriptEnabled, path: TOUCHED.path };
  const name = `a day leads to its chart and to the map, scripts: ${javaScriptEnabled}`;
  testInTab(name, options, async (t, page) => {
    await page.click('#station .calendar th a:has-text("20 Mar")');
    await page.waitForURL(/from=/);
    await page.locator('#station .windows [aria-current]', { hasText: '20 Mar' }).waitFor();
    const hours = await hoursOf(page);
    t.equal(hours[0], Date.parse('2026-03-19T23:00Z') / HOUR_MS);
    t.equal(hours.length, 24);
    await page.click('#station a:has-text("On the map")');
    await page.waitForURL((url) => !url.searchParams.has('station_id'));
    const hour = timeIn(page, 'hour');
    t.ok(hours.includes(hour));
    const value = valueAt(hour, 3);
    await page.locator('table.stations tr', { hasText: String(value) }).waitFor();
    t.match(await page.textContent('.newest-hour'), '20 Mar');
    t.match(await page.textContent('[data-station="3"] title'), `Station 3: ${value} µg/m³`);
    if (javaScriptEnabled) return;
    // Without scripts the day is chosen by a form.
    await page.selectOption('#day', { label: await labelOf(page, '21 Mar') });
    await page.click('.map-days button');
    t.match(await page.textContent('.newest-hour'), '21 Mar');
    t.match(page.url(), 'component_id=1');
    await page.selectOption('#hour', '2026-03-21T05:00Z');
    await page.click('.map-hours button[type=submit]');
    t.match(page.url(), /hour=2026-03-21T05(?::|%3A)00Z/);
    t.match(await page.innerText('.newest-hour'), 'This hour: 06:00');
  });
}

testInTab('the map is moved to a day, and through its hours', HOME, async (t, page) => {
  await page.focus('#day');
  await page.selectOption('#day', { label: await labelOf(page, '20 Mar') });
  await page.locator('.newest-hour', { hasText: '20 Mar' }).waitFor();
  t.equal(await page.evaluate('document.activeElement.id'), 'day');
  await page.locator('.map-hours [type="range"]').press('Home');
  await page.waitForURL(/hour=2026-03-19T23/);
  const value = String(valueAt(timeIn(page, 'hour'), 2));
  await page.locator('table.stations tr', { hasText: value }).waitFor();
  t.match(await page.textContent('[data-station="2"] title'), `Station 2: ${value} µg/m³, 00:00`);
  await untilTrue(page, `document.activeElement.id === 'hour-slider'`);
  await page.goBack();
  await page.locator('.newest-hour', { hasText: 'Newest hour' }).waitFor();
  t.equal(await page.inputValue('#day'), '');
  t.strictSame(await accessibilityProblems(page), []);
});

async function labelOf(page: Page, day: string): Promise<string> {
  return (await page.locator('#day option', { hasText: day }).textContent()) ?? '';
}

const HOURS = { viewport: PHONE, path: '/?language=en&component_id=8' };
testInTab('an hour is shown as the slider moves', HOURS, async (t, page) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/') asked.push(request.url());
  });
  const markers = async (): Promise<readonly string[]> =>
    (await page.locator('.marker text').allTextContents()).toSorted();
  // It moves, and is not released.
  await page.evaluate(`{
      const input = document.querySelector('.map-hours input[type=range]');
      input.value = '17';
      input.dispatchEvent(new Event('input', { bubbles: true }));
    }`);
  t.equal(await page.innerText('.map-hours output'), '18:00–19:00, 8 Feb 2026, CET');
  const moved = await markers();
  t.same(asked, [], 'no request an hour');
  await page.locator('#hour-slider').dispatchEvent('change');
  await page.locator('.newest-hour:has-text("This hour")').waitFor();
  t.same(await markers(), moved, 'the server draws the same');
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
  await page.locator('#hour-slider').fill('17');
  await page.locator('.newest-hour:has-text("11:00–12:00")').waitFor();
  t.equal(held.length, 2);
  t.equal(await page.inputValue('#hour-slider'), '10');
});
