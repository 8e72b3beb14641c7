/** The portal when another snapshot is served: new values, and nothing else of the page changes. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { snapshotDocument, type PlainDocument } from '../../support/documents/documents.js';
import {
  accessibilityProblems,
  PHONE,
  lazily,
  testInTab,
  type TabOptions,
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
  startServing(t, documentOf('prvi', 100), { env: { POINTER_POLL_SECONDS: '0.05' } }),
);
const HOME: TabOptions = { service, path: '/?language=en' };
const SEVEN: TabOptions = { service, path: '/?language=en&station_id=7' };
let published = 100;

/** Publishes other values, and waits until the page has those of the first station. */
async function publishMore(page: Page, service: Service): Promise<void> {
  published += 100;
  await publishAndServe(service, documentOf(`presek-${published}`, published));
  const row = page.locator('table.stations tr').filter({
    has: page.locator('[data-station="1"]'),
    hasText: String(published + 1),
  });
  await row.waitFor();
}

interface State {
  readonly focus: string;
  readonly scrollY: number;
  readonly visibleRows: number;
  readonly found: string;
  readonly mapWidth: string;
  readonly componentsAt: number;
  readonly address: string;
}

async function stateOf(page: Page): Promise<State> {
  const state: unknown = await page.evaluate(`(() => {
    const { activeElement: focused } = document;
    return {
      focus: focused.id || focused.closest('table, .map-overlay, dialog')?.tagName + ' ' + focused.dataset.station,
      scrollY,
      visibleRows: [...document.querySelectorAll('table.stations tbody tr')].filter((row) => !row.hidden).length,
      found: document.querySelector('.found').textContent,
      mapWidth: document.querySelector('.map-inner').style.width,
      componentsAt: document.querySelector('.components').scrollLeft,
      address: location.href,
    };
  })()`);
  return state as State;
}

testInTab(
  'has new values, and keeps the focus, the place and the map',
  { ...HOME, viewport: PHONE },
  async (t, page, service) => {
    await page.locator('.map-controls:not([hidden])').waitFor();
    await page.click('[data-zoom="in"]');
    await page.evaluate(`document.querySelector('.components').scrollLeft = 99`);
    await page.focus('table.stations [data-station="30"]');
    const before = await stateOf(page);
    t.equal(before.focus, 'TABLE 30');
    t.ok(before.scrollY > 100);
    t.equal(before.componentsAt, 99);
    await publishMore(page, service);
    t.strictSame(await stateOf(page), before);
    t.equal(await page.locator('.marker').count(), STATIONS.length);
    t.match(await page.getAttribute('.newest-hour time', 'datetime'), `T${hourOf(published)}`);
    await page.focus('.marker[data-station="3"]');
    await publishMore(page, service);
    t.equal((await stateOf(page)).focus, 'svg 3');
    t.match(await page.locator('.summary').textContent(), String(published + 40));
    t.strictSame(await accessibilityProblems(page), []);
  },
);

testInTab('keeps what is searched for while it is typed', HOME, async (t, page, service) => {
  await page.locator('#search').pressSequentially('stanica 1');
  const before = await stateOf(page);
  t.equal(before.focus, 'search');
  t.equal(before.visibleRows, 11);
  await publishMore(page, service);
  t.strictSame(await stateOf(page), before);
  await page.locator('#search').press('Backspace');
  t.equal((await stateOf(page)).visibleRows, STATIONS.length);
});

testInTab('refreshes the panel of a station as it was unfolded', HOME, async (t, page, service) => {
  await page.click('table.stations [data-station="7"]');
  await page.locator('#station details summary').first().click();
  await publishMore(page, service);
  await page
    .locator('#station')
    .filter({ hasText: String(published + 7) })
    .waitFor();
  t.ok(await page.evaluate(`document.querySelector('#station details').open`));
  t.ok(await page.evaluate(`document.querySelector('#station').contains(document.activeElement)`));
  await page.keyboard.press('Escape');
  await page.waitForURL((url) => !url.searchParams.has('station_id'));
  t.equal((await stateOf(page)).focus, 'TABLE 7', 'the row is a new one');
});

testInTab(
  'refreshes the panel when the last of its fields is left',
  SEVEN,
  async (t, page, service) => {
    await page.click('#station details:has(#share-page) summary');
    const value = new RegExp(`(?<!\\d)${published + 107}(?!\\d)`);
    const panel = page.locator('#station').filter({ hasText: value });
    await page.focus('#compare');
    await publishMore(page, service);
    await page.focus('#share-page');
    t.equal(await panel.count(), 0, 'nothing is taken away from who chooses');
    await page.locator('#station a:visible').first().focus();
    await panel.waitFor();
  },
);

testInTab('sorts by a column what is searched for', HOME, async (t, page) => {
  await page.locator('#search').pressSequentially('stanica 1');
  await page.click('table.stations thead .value a');
  await page.waitForURL(/sort=value/);
  t.equal((await stateOf(page)).visibleRows, 11);
  const texts = await page.locator('table.stations tbody tr:visible .value').allInnerTexts();
  const values = texts.map((text) => Number(/[\d.]+$/.exec(text.trim())?.[0]));
  t.same(
    values,
    values.toSorted((a, b) => b - a),
    'by the value, not by the name',
  );
  t.ok(new Set(values).size > 1);
});

// The browser says that it does not trust it, and calls another name than the service's.
const elsewhere = { ...SEVEN, isExpected: () => true };
testInTab(
  'offers no copying where a browser has no clipboard',
  elsewhere,
  async (t, page, service) => {
    const buttons = page.locator('#station button.copy:visible');
    t.ok((await buttons.count()) > 0);
    // The same server by a name that no browser trusts without TLS.
    await page.goto(`http://0.0.0.0:${service.port}/?language=en&station_id=7`);
    await page.locator('#station .panel').waitFor();
    t.equal(await page.evaluate('isSecureContext'), false);
    t.equal(await buttons.count(), 0);
  },
);

testInTab(
  'without scripts nothing changes, until it is loaded again',
  { ...HOME, javaScriptEnabled: false },
  async (t, page, service) => {
    const row = page.locator('table.stations tbody tr', { hasText: 'Stanica 40' });
    const shown = await row.textContent();
    published += 100;
    await publishAndServe(service, documentOf(`presek-${published}`, published));
    t.equal(await row.textContent(), shown);
    await page.reload();
    t.match(await row.textContent(), String(published + 40));
  },
);

for (const path of ['/overview?language=en&sort=1', '/episode?language=en']) {
  const options: TabOptions = { service, path, viewport: PHONE };
  testInTab(
    `${path} has new values where it was scrolled to`,
    options,
    async (t, page, service) => {
      await page.evaluate(
        `document.querySelector('.overview-scroll').scrollLeft = 40; scrollTo(0, 300)`,
      );
      const link = page.locator('.overview tbody th a', { hasText: 'Stanica 30' });
      await link.focus();
      const before = await page.evaluate(
        '[scrollY, document.querySelector(".overview-scroll").scrollLeft]',
      );
      published += 100;
      await publishAndServe(service, documentOf(`presek-${published}`, published));
      await page
        .locator('.overview td', { hasText: String(published + 40) })
        .first()
        .waitFor();
      t.same(
        await page.evaluate('[scrollY, document.querySelector(".overview-scroll").scrollLeft]'),
        before,
      );
      t.equal(await page.evaluate('document.activeElement.textContent'), 'Stanica 30');
    },
  );
}
