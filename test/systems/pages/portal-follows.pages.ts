/** Open pages at a swap: they are loaded again, or offer that while they are in use. */
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import {
  objectsOf,
  snapshotDocument,
  type PlainDocument,
} from '../../support/documents/documents.js';
import {
  accessibilityProblems,
  PHONE,
  lazily,
  testInTab,
  type TabOptions,
  untilTrue,
} from '../support/browser.js';
import { publishAndServe, startServing } from '../../support/service/serve-documents.js';
import type { Service } from '../../support/service/service.js';

const STATIONS = Array.from({ length: 40 }, (_, at) => at + 1);

/** Components without a value, so that a telephone has no room for all names. */
const MORE = Array.from({ length: 9 }, (_, at) => ({
  component_id: at + 2,
  short_name: `PARAMETER${at}`,
  unit: 'ug.m-3',
}));

/** Forty stations with one component; each value is the station's number more than `base`, and its hour follows from it. */
function documentOf(snapshotId: string, base: number): PlainDocument {
  const at = { component_id: 1, date: '2026-09-09', time: hourOf(base) };
  return snapshotDocument({
    snapshot_id: snapshotId,
    components: [{ component_id: 1, short_name: 'PM10', unit: 'ug.m-3' }, ...MORE],
    stations: STATIONS.map((id) => ({
      station_id: id,
      station_name: `Stanica ${id}`,
      station_code: `S${id}`,
      organization_id: 1,
      network_id: 1,
      component_ids: [1],
      municipality: `Mesto ${9 - (id % 5)}`,
      latitude: 44 + (id % 7) / 10,
      longitude: 20 + Math.floor(id / 7) / 10,
    })),
    measurements: STATIONS.map((id) => ({ ...at, station_id: id, value: base + id })),
  });
}

/** 11:00 for 100, and an hour later for each hundred more. */
function hourOf(base: number): string {
  return `${10 + base / 100}:00`;
}

const service = lazily(() =>
  startServing(t, documentOf('prvi', 100), {
    env: { POINTER_POLL_SECONDS: '0.05', TEXTS_DIR: resolve('data/demo/texts') },
  }),
);
const HOME: TabOptions = { service, path: '/?language=en' };
let published = 100;

/** Publishes other values. */
async function publishMore(service: Service): Promise<void> {
  // Below a thousand, so that no text groups digits.
  published = published === 900 ? 200 : published + 100;
  await publishAndServe(service, documentOf(`presek-${randomUUID()}`, published));
}

/** Publishes other values, and waits until the page is loaded with those of the first station. */
async function reloadedBy(page: Page, service: Service): Promise<void> {
  await publishMore(service);
  const row = page.locator('table.stations tr').filter({
    has: page.locator('[data-station="1"]'),
    hasText: String(published + 1),
  });
  await row.waitFor();
  // The script is the last to move the focus.
  await untilTrue(page, 'history.state === null');
}

/** Publishes other values, and waits until the page offers them, with all that it shows as before. */
async function offeredBy(t: Test, page: Page, service: Service): Promise<Locator> {
  const before = await stateOf(page);
  await publishMore(service);
  const offer = page.locator('.renewal p');
  await offer.waitFor();
  t.strictSame(await stateOf(page), before);
  return offer.locator('button');
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
testInTab('keeps the focus and the place that it had', ON_PHONE, async (t, page, service) => {
  await page.focus('table.stations [data-station="30"]');
  const { focus, scrollY, address } = await stateOf(page);
  t.equal(focus, 'TABLE 30');
  t.ok(scrollY > 100);
  await reloadedBy(page, service);
  t.match(await stateOf(page), { focus, scrollY, address });
  t.match(await page.getAttribute('.newest-hour time', 'datetime'), `T${hourOf(published)}`);
  await page.focus('.marker[data-station="3"]');
  await reloadedBy(page, service);
  t.equal((await stateOf(page)).focus, 'svg 3');
  t.match(await page.locator('.summary').textContent(), String(published + 40));
  t.strictSame(await accessibilityProblems(page), []);
});

const TYPING = { ...HOME, path: '/?language=sr-Cyrl' };
testInTab('new values are offered while somebody types', TYPING, async (t, page, service) => {
  await page.locator('#search').pressSequentially('stanica 1');
  const button = await offeredBy(t, page, service);
  t.equal(await button.innerText(), 'Прикажи их');
  t.strictSame(await accessibilityProblems(page), []);
  await button.click();
  await page.locator('table.stations', { hasText: String(published + 10) }).waitFor();
  t.equal(await page.inputValue('#search'), 'stanica 1');
  t.equal((await stateOf(page)).rows.length, 11);
  t.equal(await page.locator('.renewal p').isVisible(), false);
  // Rows that are found can be sorted.
  await page.click('table.stations thead .value a');
  await page.waitForURL(/sort=value/);
  t.equal((await stateOf(page)).rows.length, 11);
  t.match((await stateOf(page)).rows[0], String(published + 19));
});

testInTab('a zoomed map and a chosen point stay as they are', HOME, async (t, page, service) => {
  await page.click('[data-zoom="in"]');
  await offeredBy(t, page, service);
  await page.click('[data-zoom="reset"]');
  await page.evaluate('document.activeElement.blur()');
  await reloadedBy(page, service);
  await page.click('.map', { position: { x: 20, y: 100 } });
  await page.locator('.found:has-text("nearest to this point")').waitFor();
  await offeredBy(t, page, service);
});

testInTab('a dialog offers new values, and then the page has them', HOME, async (t, page, to) => {
  await page.click('table.stations [data-station="7"]');
  await page.locator('#station .panel').waitFor();
  const button = await offeredBy(t, page, to);
  t.equal(await page.locator('#station .renewal').count(), 1);
  await page.click('#station .windows a:has-text("7 days")');
  await page.locator('#station .windows [aria-current]', { hasText: '7 days' }).waitFor();
  // Another panel offers it too.
  await button.waitFor();
  await page.keyboard.press('Escape');
  await page.locator('table.stations', { hasText: String(published + 1) }).waitFor();
  await untilTrue(page, 'history.state === null');
  t.equal((await stateOf(page)).focus, 'TABLE 7');

  await page.click('table.stations [data-station="7"]');
  await page.locator('#station .panel').waitFor();
  await (await offeredBy(t, page, to)).click();
  await page.locator('#station', { hasText: String(published + 7) }).waitFor();
});

// A browser that has no clipboard says that it does not trust the name of the service.
const SEVEN = { ...HOME, path: '/?language=en&station_id=7', isExpected: () => true };
testInTab('a panel of the page waits while it is used', SEVEN, async (t, page, service) => {
  await reloadedBy(page, service);
  await page.locator('#station', { hasText: String(published + 7) }).waitFor();
  await page.focus('#compare');
  await offeredBy(t, page, service);
  await page.evaluate('document.activeElement.blur()');
  await reloadedBy(page, service);
  await page.click('#station details:has(#share-page) summary');
  await offeredBy(t, page, service);
  t.ok(await page.locator('#share-page').isVisible());

  const buttons = page.locator('#station button.copy:visible');
  t.ok((await buttons.count()) > 0);
  // The server by a name that no browser trusts without TLS.
  await page.goto(`http://0.0.0.0:${service.port}${SEVEN.path}`);
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
  const told = page.evaluate(`new Promise((resolve) => {
      const events = new EventSource('/api/v1/events');
      events.addEventListener('snapshot', () => { if (events.told) { events.close(); resolve(); } events.told = true; });
    })`);
  await publishMore(to);
  await told;
  await page.clock.runFor(4000);
  await asked;
  t.strictSame(await stateOf(page), before);
  await page.unroute('**/api/v1/parameters');
  await page.clock.runFor(30_000);
  await page.locator('table.stations', { hasText: String(published + 1) }).waitFor();
});

testInTab('stops of the slider leave nothing behind', HOME, async (t, page) => {
  await page.addInitScript(`{
    window.timers = new Set();
    const { setInterval: start, clearInterval: stop } = window;
    window.setInterval = (...all) => { const id = start(...all); timers.add(id); return id; };
    window.clearInterval = (id) => { timers.delete(id); stop(id); };
  }`);
  await page.reload();
  const devtools = await page.context().newCDPSession(page);
  const figures = async () => {
    for (let times = 0; times < 3; times += 1) await devtools.send('HeapProfiler.collectGarbage');
    const { documents } = await devtools.send('Memory.getDOMCounters');
    return { documents, timers: await page.evaluate('timers.size') };
  };
  const range = page.locator('.map-hours [type="range"]');
  const stopTwice = async (): Promise<void> => {
    for (const key of ['ArrowLeft', 'ArrowRight']) {
      const answered = page.waitForResponse((response) => response.url().includes('/?'));
      await range.press(key);
      await answered;
      await untilTrue(page, `!document.querySelector('.map-part.moving')`);
    }
  };
  await stopTwice();
  const before = await figures();
  for (let times = 0; times < 3; times += 1) await stopTwice();
  const after = await figures();
  t.equal(after.timers, before.timers);
  // Coverage keeps every function that ran, and its document.
  const most = before.documents + (process.env['NODE_V8_COVERAGE'] === undefined ? 1 : 100);
  t.ok(after.documents <= most, `${before.documents}, then ${after.documents}`);
  t.equal(await page.evaluate('document.activeElement.id'), 'hour-slider', 'the focus stays');
});

/** Values of the last hours before now. */
function freshDocument(): PlainDocument {
  const now = new Date();
  const hour = new Date(now.getTime() - 3_600_000).toISOString();
  const time = { date: hour.slice(0, 10), time: `${hour.slice(11, 13)}:00` };
  const document = documentOf('danas', 100);
  return {
    ...document,
    generated_at: `${now.toISOString().slice(0, 13)}:00:00Z`,
    measurements: objectsOf(document, 'measurements').map((row) => ({ ...row, ...time })),
  };
}

const PATHS = ['/?language=en', '/?station_id=7', '/overview?sort=1', '/episode?language=en'];
const ALL = { service, viewport: PHONE };
testInTab('every page is followed, and current data are not old', ALL, async (t, page, to) => {
  const tabs: Page[] = [];
  for (const path of PATHS) {
    const tab = await page.context().newPage();
    tabs.push(tab);
    await tab.goto(path);
    t.ok((await tab.locator('main .warning').count()) > 0, path);
  }
  await publishAndServe(to, freshDocument());
  for (const tab of tabs) {
    await tab.locator('[data-snapshot="danas"]').first().waitFor();
    t.equal(await tab.locator('main .warning').count(), 0, tab.url());
  }
});
