/** The portal in a real browser: with and without scripts, by keyboard, in every language and theme. */
import type { Route } from 'playwright-core';
import t from 'tap';
import { accessibilityProblems, lazily, testInTab, VIEWS } from '../support/browser.js';
import { NAMES, portalDocument } from '../../support/documents/portal-document.js';
import { startServing } from '../../support/service/serve-documents.js';

const service = lazily(() =>
  startServing(t, portalDocument(), { env: { DEFAULT_LANGUAGE: 'en' } }),
);
const HOME = { service, path: '/?language=en' };
const PLAIN = { service, path: '/', javaScriptEnabled: false };

testInTab('without scripts all is there', PLAIN, async (t, page) => {
  t.equal(await page.locator('.marker').count(), NAMES.length);
  t.equal(await page.locator('.stations tbody tr').count(), NAMES.length);
  await page.fill('#search', 'cacak');
  await page.click('.search button');
  await page.click('thead .value a');
  t.same(await page.locator('.stations tbody th a:visible').allInnerTexts(), ['Чачак, центар']);
  t.match(page.url(), 'sort=value');
  await page.click('.show-all');
  await page.click('.components a:has-text("NO₂")');
  t.match(await page.innerText('h1'), 'NO₂ at the stations');
  await page.click('.stations tbody a:has-text("=1+1")');
  t.equal(await page.innerText('#station-name'), '=1+1');
  t.match(await page.innerText('#chart-heading'), 'NO₂');
  await page.click('.windows a:has-text("7 days")');
  await page.click('.values summary');
  t.equal(await page.locator('.values tbody tr').count(), 162);
  t.equal(await page.locator('.downloads a').count(), 5);
  await page.click('.close');
  t.equal(await page.locator('#station-name').count(), 0);
  t.match(await page.innerText('h1'), 'NO₂ at the stations', 'keeps the choice');
});

testInTab('Back and Forward, and closing, whatever is on its way', HOME, async (t, page) => {
  const closed = () => page.waitForSelector('#station:not([open])', { state: 'attached' });
  const openSix = async () => {
    await page.click('.marker[data-station="6"]');
    await page.waitForSelector('#station:modal #station-name');
  };
  await openSix();
  // The event of the dialog that Back closes comes when the address is that of Forward.
  await page.evaluate(`new Promise((resolve) => {
      addEventListener('popstate', () => {
        const { pathname, search } = location;
        const url = pathname + search + '&station_id=6';
        history.pushState(undefined, '', url);
        dispatchEvent(new PopStateEvent('popstate'));
        document.querySelector('#station').addEventListener('close', () => setTimeout(resolve));
      }, { once: true });
      history.back();
    })`);
  await page.waitForSelector('#station:modal #station-name');
  await page.waitForURL(/station_id=6/);
  await page.keyboard.press('Escape');
  await closed();
  await page.waitForURL((url) => !url.searchParams.has('station_id'));

  const held: Route[] = [];
  const fragments = '**/portal/station-modal?*';
  for (const leave of ['Back', 'Escape']) {
    await openSix();
    await page.route(fragments, (route) => {
      held.push(route);
    });
    const asked = page.waitForRequest(/window=7d/);
    await page.click('.windows a:has-text("7 days")');
    await asked;
    if (leave === 'Back') {
      // To the station, which is requested once more, and from there to none.
      await page.goBack();
      await page.goBack();
    } else {
      await page.keyboard.press('Escape');
    }
    await closed();
    await page.waitForURL((url) => !url.searchParams.has('station_id'));
    // A request that was given up can no longer be answered.
    await Promise.all(held.splice(0).map((route) => route.continue().catch(() => undefined)));
    await page.unroute(fragments);
    await page.evaluate(`fetch('meta').then((response) => response.text())`);
    t.equal(await page.locator('#station[open]').count(), 0, `stays closed after ${leave}`);
    t.notMatch(page.url(), 'station_id');
  }

  await openSix();
  await page.waitForURL(/station_id=6/);
  await page.goBack();
  await closed();
  await page.goForward();
  await page.waitForSelector('#station:modal #station-name');
  // The browser tells of an address that a script has set a moment later.
  await page.waitForURL(/station_id=6/);
  await page.reload();
  await page.waitForSelector('#station[open]:not(:modal) #station-name');
});

testInTab('the keyboard alone is enough', HOME, async (t, page) => {
  const focused = () => page.evaluate<string>(`document.activeElement?.textContent.trim() ?? ''`);
  const tabTo = async (fits: (text: string) => boolean, key = 'Tab'): Promise<void> => {
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press(key);
      if (fits(await focused())) return;
    }
    throw new Error('never reached');
  };
  await page.keyboard.press('Tab');
  t.equal(await focused(), 'Skip to content');
  await tabTo((text) => text === 'Dark');
  await page.keyboard.press('Enter');
  await page.waitForURL(/theme=dark/);

  await tabTo((text) => text === 'NO₂');
  await page.keyboard.press('Enter');
  await page.waitForURL(/component_id=2/);
  await tabTo((text) => text === '');
  await page.locator('#search:focus').waitFor();
  await page.keyboard.type('liman');
  const found = page.locator('.stations tbody tr:visible th a');
  t.same(await found.allInnerTexts(), ['Novi Sad Liman']);
  t.match(await page.innerText('.found'), '1 of 12');
  await tabTo((text) => text.startsWith('Skip the map'));
  await page.keyboard.press('Enter');
  await tabTo((text) => text === 'Novi Sad Liman');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#station:modal #station-name');
  t.equal(await focused(), 'Novi Sad Liman', 'the heading of the panel');

  await tabTo(() => false).catch(() => undefined);
  t.equal(await page.locator('#station:focus-within').count(), 1, 'stays in the dialog');
  const download = page.waitForEvent('download');
  await tabTo((text) => text === 'XLSX');
  await page.keyboard.press('Enter');
  t.match((await download).suggestedFilename(), /^bura_\d+_\d+_2_\w+\.xlsx$/);

  await page.keyboard.press('Escape');
  await page.waitForSelector('#station:not([open])', { state: 'attached' });
  t.equal(await focused(), 'Novi Sad Liman', 'focus is where it was');
  t.match(page.url(), /theme=dark.*component_id=2/);
});

for (const { language, theme, viewport } of VIEWS) {
  const path = `/?language=${language}&theme=${theme}&station_id=2&window=7d&compare=6`;
  testInTab(`axe finds nothing in ${path}`, { service, viewport, path }, async (t, page) => {
    await page.waitForSelector('#station[open] .plot .s2 .line');
    await page.click('.values summary');
    await page.click('.share summary');
    // The rows of the month and of the values are alike.
    const alike = ['.calendar tbody tr:nth-child(n + 3)', '.values tbody tr:nth-child(n + 3)'];
    t.same(await accessibilityProblems(page, alike), [], 'with a panel');
    await page.locator('.plot').hover();
    t.equal(await page.locator('svg [hidden]').count(), 0, 'no hidden part of a drawing');
    await page.click('.close');
    t.same(await accessibilityProblems(page), [], 'without');
    t.equal(await page.locator('main .warning').count(), 0, 'current data are not old');
    t.equal(await page.locator('.marker.late, small.late, .legend .late').count(), 3);
    const fits = 'document.documentElement.scrollWidth <= innerWidth';
    t.ok(await page.evaluate<boolean>(fits), 'nothing sticks out');
  });
}
