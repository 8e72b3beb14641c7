/** Hours that stay, chosen in a browser: by a drag over the chart, by a day of the calendar, and on the map. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { MONTH_END_MS, monthDocument, valueAt } from '../../support/documents/month-document.js';
import { startServing } from '../../support/service/serve-documents.js';
import { accessibilityProblems, lazily, testInTab } from '../support/browser.js';

const HOUR_MS = 3_600_000;
const service = lazily(() =>
  startServing(t, monthDocument('month'), { env: { TIME_ZONE: 'Europe/Belgrade' } }),
);

const HOME = { service, path: '/?language=en&component_id=1' };

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
  const end = MONTH_END_MS / HOUR_MS;
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
  const end = MONTH_END_MS / HOUR_MS;
  t.same(await hoursOf(page), [end - 5, end - 4, end - 3]);
  t.equal(await page.evaluate('document.activeElement.classList.value'), 'plot');
  await page.keyboard.press('Home');
  t.match(await page.textContent('#station .readout'), 'µg/m³');
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
  await page.goBack();
  await page.locator('.newest-hour', { hasText: 'Newest hour' }).waitFor();
  t.equal(await page.inputValue('#day'), '');
  t.strictSame(await accessibilityProblems(page), []);
});

async function labelOf(page: Page, day: string): Promise<string> {
  return (await page.locator('#day option', { hasText: day }).textContent()) ?? '';
}
