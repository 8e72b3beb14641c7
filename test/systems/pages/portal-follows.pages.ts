/** Open pages at a swap: they are loaded again, or offer that while they are in use. */
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { valueAt } from '../../support/documents/month-document.js';
import type { Service } from '../../support/service/service.js';
import { accessibilityProblems, PHONE, testInTab, untilTrue } from '../support/browser.js';
import { endHour, HOME, publishMore, service } from './hourly-service.js';

const OFFER = '.renewal p';

/** Waits until a page is loaded with a snapshot. */
async function loadedWith(page: Page, snapshotId: string): Promise<void> {
  await page.locator(`.portal[data-snapshot="${snapshotId}"]`).waitFor({ state: 'attached' });
  // The script is the last to move the focus.
  await untilTrue(page, 'history.state === null');
}

/** Publishes other values, and waits until the page is loaded with them. */
async function reloadedBy(page: Page, to: Service): Promise<void> {
  await loadedWith(page, await publishMore(to));
}

/** Publishes other values, and waits until the page offers them, with all that it shows as before. */
async function offeredBy(t: Test, page: Page, to: Service): Promise<string> {
  const before = await stateOf(page);
  const id = await publishMore(to);
  await page.locator(OFFER).waitFor();
  t.strictSame(await stateOf(page), before);
  return id;
}

interface State {
  readonly focus: string;
  readonly scrollY: number;
  readonly rows: readonly string[];
  readonly address: string;
}

/** All that a reader sees and has chosen; the map and the search are compared, too. */
async function stateOf(page: Page): Promise<State> {
  return await page.evaluate<State>(`(() => {
    const { activeElement: focused } = document;
    return {
      focus: focused.id || focused.closest('table, .map-overlay, dialog')?.tagName + ' ' + focused.dataset.station,
      scrollY,
      rows: [...document.querySelectorAll('table.stations tbody tr')].filter((row) => !row.hidden)
        .map((row) => row.textContent),
      found: document.querySelector('.found').textContent,
      mapWidth: document.querySelector('.map-inner').style.width,
      markers: [...document.querySelectorAll('.map-overlay > svg')].map((one) => one.outerHTML),
      address: location.href,
    };
  })()`);
}

const ON_PHONE = { ...HOME, viewport: PHONE };
testInTab('keeps the focus and the place that it had', ON_PHONE, async (t, page, to) => {
  await page.focus('table.stations [data-station="3"]');
  await page.evaluate('scrollTo(0, 150)');
  const { focus, scrollY, address } = await stateOf(page);
  t.equal(focus, 'TABLE 3');
  t.ok(scrollY > 100);
  await reloadedBy(page, to);
  t.match(await stateOf(page), { focus, scrollY, address });
  await page.focus('.marker[data-station="3"]');
  await reloadedBy(page, to);
  t.equal((await stateOf(page)).focus, 'svg 3');
  t.match(await page.locator('.summary').textContent(), String(valueAt(endHour() - 1, 3)));
  t.strictSame(await accessibilityProblems(page), []);
});

const TYPING = { ...HOME, path: '/?language=sr-Cyrl&component_id=1' };
testInTab('new values are offered while somebody types', TYPING, async (t, page, to) => {
  await page.locator('#search').pressSequentially('station 1');
  const id = await offeredBy(t, page, to);
  t.equal(await page.innerText(`${OFFER} button`), 'Прикажи их');
  t.strictSame(await accessibilityProblems(page), []);
  await page.click(`${OFFER} button`);
  await loadedWith(page, id);
  t.equal(await page.inputValue('#search'), 'station 1');
  t.equal(await page.locator(OFFER).isVisible(), false);
  // Rows that are found can be sorted.
  await page.click('table.stations thead .value a');
  await page.waitForURL(/sort=value/);
  t.equal((await stateOf(page)).rows.length, 1);
});

testInTab('a zoomed map and a chosen point stay as they are', HOME, async (t, page, to) => {
  await page.click('[data-zoom="in"]');
  await offeredBy(t, page, to);
  await page.click('[data-zoom="reset"]');
  await page.evaluate('document.activeElement.blur()');
  await reloadedBy(page, to);
  await page.click('.map', { position: { x: 20, y: 100 } });
  await page.locator('.found:has-text("nearest to this point")').waitFor();
  await offeredBy(t, page, to);
});

testInTab('a dialog offers new values, and then the page has them', HOME, async (t, page, to) => {
  await page.click('table.stations [data-station="2"]');
  await page.locator('#station .panel').waitFor();
  const id = await offeredBy(t, page, to);
  t.equal(await page.locator('#station .renewal').count(), 1);
  await page.click('#station .windows a:has-text("7 days")');
  await page.locator('#station .windows [aria-current]', { hasText: '7 days' }).waitFor();
  // Another panel offers it too.
  await page.locator(OFFER).waitFor();
  await page.keyboard.press('Escape');
  await loadedWith(page, id);
  t.equal((await stateOf(page)).focus, 'TABLE 2');

  await page.click('table.stations [data-station="2"]');
  await page.locator('#station .panel').waitFor();
  const next = await offeredBy(t, page, to);
  await page.click(`${OFFER} button`);
  await page.locator(`#station .panel[data-snapshot="${next}"]`).waitFor();
});

// A browser that has no clipboard says that it does not trust the name of the service.
const OPEN = { ...HOME, path: `${HOME.path}&station_id=2`, isExpected: () => true };
testInTab('a panel of the page waits while it is used', OPEN, async (t, page, to) => {
  await reloadedBy(page, to);
  await page.click('#station details:has(#share-page) summary');
  await offeredBy(t, page, to);
  t.ok(await page.locator('#share-page').isVisible());

  const buttons = page.locator('#station button.copy:visible');
  t.ok((await buttons.count()) > 0);
  // The server by a name that no browser trusts without TLS.
  await page.goto(`http://0.0.0.0:${to.port}${OPEN.path}`);
  await page.locator('#station .panel').waitFor();
  t.equal(await page.evaluate('isSecureContext'), false);
  t.equal(await buttons.count(), 0, 'offers no copying');
});

const REFUSED = { ...HOME, isExpected: (trouble: string) => trouble.includes('503') };
testInTab('what is shown stays while nothing else can be read', REFUSED, async (t, page, to) => {
  await page.clock.install();
  await page.reload();
  await page.route('**/api/v1/parameters', async (route) => route.fulfill({ status: 503 }));
  const before = await stateOf(page);
  const asked = page.waitForResponse('**/api/v1/parameters');
  // The page asks within three seconds.
  const id = await publishMore(to);
  await asked;
  t.strictSame(await stateOf(page), before);
  await page.unroute('**/api/v1/parameters');
  await page.clock.runFor(30_000);
  await loadedWith(page, id);
});

testInTab('every page is followed', { service, viewport: PHONE }, async (_, page, to) => {
  const tabs: Page[] = [];
  for (const path of ['/', '/?station_id=2', '/overview?sort=1', '/episode?language=en']) {
    const tab = await page.context().newPage();
    tabs.push(tab);
    await tab.goto(path);
  }
  const id = await publishMore(to);
  for (const tab of tabs) await tab.locator(`[data-snapshot="${id}"]`).first().waitFor();
});

testInTab('a panel requested before a swap is loaded after it', HOME, async (_, page, to) => {
  let id = '';
  await page.route(
    '**/portal/station-modal*',
    async (route) => {
      const response = await route.fetch();
      id = await publishMore(to);
      await page.locator(`.portal[data-snapshot="${id}"]`).waitFor({ state: 'attached' });
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  await page.click('table.stations [data-station="1"]');
  await page.locator('#station .panel').waitFor();
  await page.locator(`#station .panel[data-snapshot="${id}"]`).waitFor();
  await page.keyboard.press('Escape');
  const next = await publishMore(to);
  await page.locator(`.portal[data-snapshot="${next}"]`).waitFor();
  // The browser still has the panel of the earlier one.
  await page.click('table.stations [data-station="1"]');
  await page.locator(`#station .panel[data-snapshot="${next}"]`).waitFor();
});

testInTab('what is played goes on over a swap', HOME, async (t, page, to) => {
  await page.clock.install();
  await page.reload();
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
  await page.evaluate(`{
    document.querySelector('.map-hours [type="range"]').value = '0';
    new EventSource('/api/v1/events').addEventListener('snapshot', ({ lastEventId }) => {
      window.lastEvent = lastEventId;
    });
  }`);
  await page.click('[data-play]');
  const id = await publishMore(to);
  await untilTrue(page, `window.lastEvent === '${id}'`);
  // It asks within three seconds, and has nine to play.
  await page.clock.runFor(4000);
  await page.locator('.renewal p').waitFor();
  t.equal(await page.getAttribute('[data-play]', 'aria-pressed'), 'true');
  const { title, hour } = await page.evaluate<{ title: string; hour: string }>(`({
    title: document.querySelector('.marker[data-station="1"] title').textContent,
    hour: document.querySelector('.map-hours output').textContent,
  })`);
  t.match(title, new RegExp(`^Station 1: [\\d.]+ µg/m³, ${hour}$`), 'of the hour on the slider');
  await page.clock.runFor(10_000);
  await page.locator(`.portal[data-snapshot="${id}"]`).waitFor();
  t.equal(await page.getAttribute('[data-play]', 'aria-pressed'), null);
});

testInTab('events that were refused are asked for again', REFUSED, async (_, page, to) => {
  await page.clock.install();
  let refused = 0;
  await page.route('**/api/v1/events', async (route) => {
    refused += 1;
    if (refused <= 2) await route.fulfill({ status: 503 });
    else await route.continue();
  });
  const first = page.waitForResponse('**/api/v1/events');
  await page.reload();
  await first;
  const id = await publishMore(to);
  const again = page.waitForResponse('**/api/v1/events');
  const third = page.waitForResponse(
    (response) => response.url().endsWith('/events') && response.status() === 200,
  );
  await page.clock.runFor(60_000);
  await again;
  await page.locator(`.portal[data-snapshot="${id}"]`).waitFor();
  await third;
});
