/** The map under a finger: taps can be undone, a pinch zooms the map alone, and everything can be reached. */
import type { Page } from 'playwright-core';
import { accessibilityProblems, PHONE, picture, testInTab } from '../support/browser.js';

const TOUCH = { viewport: PHONE, hasTouch: true, isMobile: true };
const ALL = '28 of 28 stations';

async function openMap(page: Page): Promise<void> {
  await page.goto('/?language=en');
  await page.locator('.map-controls:not([hidden])').waitFor();
  await page.locator('.map').scrollIntoViewIfNeeded();
}

testInTab('a tap on the map is undone beside it or by Back', TOUCH, async (t, page) => {
  await openMap(page);
  const near = page.locator('.found:has-text("nearest to this point")');
  const tap = async (): Promise<void> => {
    const { x, y } = await boxOf(page, '.map');
    await page.touchscreen.tap(x + 12, y + 60);
    await near.waitFor();
  };
  await tap();
  const map = await boxOf(page, '.map');
  const list = await boxOf(page, '.table-part');
  t.ok(map.y >= 0 && map.y + map.height <= list.y + 1, 'the map is seen above the list');
  t.match(page.url(), /#near=4\d\.\d+,-4\.\d+$/);
  t.strictSame(await accessibilityProblems(page), []);

  await page.click('.show-all');
  t.equal(await page.innerText('.found'), ALL);
  await tap();
  await page.goBack();
  await page.locator(`.found:text-is("${ALL}")`).waitFor();

  await tap();
  await page.evaluate('scrollTo(0, 0)');
  await page.click('.components a:has-text("NO₂")');
  await page.waitForURL(/component_id=8.*#near=/);
  await near.waitFor();

  // Markers that lie close together are listed.
  await openMap(page);
  const touch = async (station: string): Promise<void> => {
    const circle = `.marker[data-station="${station}"] circle:not(.target)`;
    const { x, y, width, height } = await boxOf(page, circle);
    await page.touchscreen.tap(x + width / 2, y + height / 2);
  };
  await touch('28065014');
  await near.waitFor();
  t.equal(await page.locator('.stations tr[data-q]:visible th a').first().innerText(), 'Getafe');
  await page.click('.show-all');
  await touch('28013002');
  await page.locator('#station-name:text-is("Aranjuez")').waitFor();
});

testInTab('a pinch zooms the map alone, a swipe scrolls the page', TOUCH, async (t, page) => {
  await openMap(page);
  const devtools = await page.context().newCDPSession(page);
  const touch = async (type: 'Start' | 'Move' | 'End', ...points: readonly number[][]) => {
    const touchPoints = points.map(([x = NaN, y = NaN], id) => ({ x, y, id }));
    await devtools.send('Input.dispatchTouchEvent', { type: `touch${type}`, touchPoints });
  };
  const { x, y, width, height } = await boxOf(page, '.map');
  t.ok(height <= 0.8 * PHONE.height, `${height} pixels high`);
  const [left, right, middle] = [x + width / 2 - 30, x + width / 2 + 30, y + height / 2];
  await touch('Start', [left, middle], [right, middle]);
  for (let moved = 10; moved <= 60; moved += 10) {
    await touch('Move', [left - moved, middle], [right + moved, middle + moved / 5]);
  }
  await touch('End');
  t.ok((await boxOf(page, '.map-inner')).width > 2 * width, 'the map is larger');
  t.equal(await page.evaluate('visualViewport.scale'), 1, 'the page is not');

  const swipe = async (): Promise<void> => {
    await touch('Start', [left, middle + 80]);
    for (let moved = 20; moved <= 160; moved += 20) {
      await touch('Move', [left, middle + 80 - moved]);
    }
    await touch('End');
  };
  // The first one may have a part of a pixel of the map left to move.
  await page.evaluate(`new Promise((settle) => {
      document.querySelector('.map').addEventListener('scrollend', settle, { once: true });
      document.querySelector('.map').scrollTop = 10_000;
    })`);
  await swipe();
  const scrolled = page.evaluate(`new Promise((settle) => {
      if (scrollY > 0) settle(true);
      addEventListener('scroll', () => settle(true), { once: true });
    })`);
  await swipe();
  t.ok(await scrolled);
});

testInTab('a key opens a station after the map has been dragged', {}, async (_, page) => {
  await page.goto('/?language=en');
  await page.click('[data-zoom="in"]');
  const { x, y } = await boxOf(page, '.map');
  await page.mouse.move(x + 300, y + 300);
  await page.mouse.down();
  await page.mouse.move(x + 200, y + 260, { steps: 4 });
  await page.mouse.up();
  const marker = page.locator('.marker[data-station="28065014"]');
  await marker.focus();
  await marker.press('Enter');
  await page.locator('#station-name:text-is("Getafe")').waitFor();
});

for (const [name, viewport, text] of [
  ['a telephone', PHONE, '100%'],
  ['a telephone with text of 200 %', PHONE, '200%'],
  ['a telephone on its side', { width: 844, height: 390 }, '100%'],
] as const) {
  testInTab(`heads leave room for the panel on ${name}`, { viewport }, async (t, page) => {
    await page.goto('/?language=en&component_id=8');
    await page.evaluate(`document.documentElement.style.fontSize = '${text}'`);
    await page.click('table.stations [data-station="28065014"]');
    await page.locator('#station:modal .calendar').waitFor();
    await picture(page, `panel-${name}`);
    await page.evaluate(`document.querySelector('#station .calendar').scrollIntoView()`);
    // Shares of the screen that stay covered while the panel is scrolled.
    const [covered, head] = await page.evaluate<[number, number]>(`{
      const [{ top, bottom }, { height }] = ['panel-head', 'calendar-head']
        .map((name) => document.querySelector('#station .' + name).getBoundingClientRect());
      [Math.max(Math.min(bottom, innerHeight) - Math.max(top, 0), 0), height].map((one) => one / innerHeight);
    }`);
    t.ok(covered <= 1 / 3, `${covered} of the screen`);
    if (text === '100%' && viewport === PHONE) t.ok(covered > 0, 'it stays where there is room');
    else t.equal(covered, 0);
    t.ok(covered === 0 || covered + head < 1 / 2, 'with the head of the calendar');
  });
}

const ON_PANEL = { ...TOUCH, path: '/?language=en&station_id=28065014&component_id=8' };
testInTab('a finger and keys read the hours of the calendar', ON_PANEL, async (t, page) => {
  const small =
    await page.evaluate(`[...document.querySelectorAll('.site-footer a, .calendar :is(tr, a)')]
    .filter((one) => {
      const { width, height } = one.getBoundingClientRect();
      return height < 24 || width < 24;
    }).map((one) => one.textContent)`);
  t.strictSame(small, [], 'what is touched has 24 pixels');
  const cell = page.locator('.calendar tbody tr:nth-child(25) td').nth(12);
  await cell.scrollIntoViewIfNeeded();
  await cell.tap();
  await page.locator('.calendar-readout:has-text("12:00")').waitFor();
  const { y } = await boxOf(page, '.calendar-readout');
  t.ok(y >= 0 && y < PHONE.height, 'on the screen');

  await page.reload();
  await page.focus('.calendar');
  const readout = page.locator('.calendar-readout');
  t.equal(await readout.innerText(), '');
  await page.keyboard.press('ArrowUp');
  const last = await readout.innerText();
  t.match(last, /^Mon 9 Feb, 00:00: \d+ µg\/m³$/);
  await page.keyboard.press('ArrowLeft');
  t.equal(await readout.innerText(), last, 'there is no earlier hour of the day');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowRight');
  t.match(await readout.innerText(), /^Sun 8 Feb, 01:00: \d/);
  await page.keyboard.press('Tab');
  t.equal(await readout.innerText(), '');
  t.strictSame(await accessibilityProblems(page), []);
});

testInTab('the chosen component is in sight', { viewport: PHONE }, async (t, page) => {
  for (const path of ['/?', '/episode?']) {
    await page.goto(`${path}language=en`);
    const last = page.locator('.components a').last();
    const name = await last.innerText();
    await last.click();
    await page.locator('.components [aria-current]', { hasText: name }).waitFor();
    const { x, width } = await boxOf(page, '.components [aria-current]');
    t.ok(x >= 0 && x + width <= PHONE.width, `${name}: from ${x} to ${x + width}`);
  }
});

async function boxOf(page: Page, selector: string) {
  const box = await page.locator(selector).boundingBox();
  if (box === null) throw new Error(`${selector} is not on the page`);
  return box;
}
