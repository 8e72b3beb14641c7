/** One state: choices are in the address and in the page, and page and panel have one snapshot. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { MONTH_END_MS, monthDocument, valueAt } from '../../support/documents/month-document.js';
import { publishAndServe, startServing } from '../../support/service/serve-documents.js';
import { lazily, testInTab, untilTrue } from '../support/browser.js';
import type { Service } from '../../support/service/service.js';

const HOUR_MS = 3_600_000;
const service = lazily(() =>
  startServing(t, monthDocument('hour-0'), {
    env: { POINTER_POLL_SECONDS: '0.05', TIME_ZONE: 'Europe/Belgrade' },
  }),
);
const HOME = { service, path: '/?language=en&component_id=1' };
let hours = 0;

/** Publishes an hour more. */
async function publishMore(to: Service): Promise<string> {
  hours += 1;
  const id = `hour-${hours}`;
  await publishAndServe(to, monthDocument(id, MONTH_END_MS + hours * HOUR_MS));
  return id;
}

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
});

testInTab('a window that a panel shows is that of the next one', HOME, async (t, page) => {
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
  t.match(await page.title(), /^PM₁₀: .*4 Apr/);
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
});

testInTab('an hour that is chosen beside an open panel stays with it', HOME, async (t, page) => {
  // A panel that the server has written is a part of the page.
  await page.goto('/?language=en&component_id=1&station_id=1');
  await moveHour(page, 2);
  const hour = new URL(page.url()).searchParams.get('hour');
  await page.click('#station .windows a:has-text("7 days")');
  await page.locator('#station .windows [aria-current]', { hasText: '7 days' }).waitFor();
  t.equal(new URL(page.url()).searchParams.get('hour'), hour);
  await page.click('#compare-2');
  await page.waitForURL(/compare=2/);
  t.equal(new URL(page.url()).searchParams.get('hour'), hour);
  await page.click('#station .close');
  await page.waitForURL((url) => !url.searchParams.has('station_id'));
  t.equal(new URL(page.url()).searchParams.get('hour'), hour);
  t.match(await page.textContent('.newest-hour'), 'This hour');
});

testInTab('a panel requested before a swap is loaded after it', HOME, async (_, page, to) => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(
    '**/portal/station-modal*',
    async (route) => {
      const response = await route.fetch();
      await held;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  const asked = page.waitForRequest('**/portal/station-modal*');
  await page.click('table.stations [data-station="1"]');
  await asked;
  const id = await publishMore(to);
  await page.locator(`.portal[data-snapshot="${id}"]`).waitFor({ state: 'attached' });
  release();
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
  const before = await page.getAttribute('.portal', 'data-snapshot');
  await page.evaluate(`{
    document.querySelector('.map-hours [type="range"]').value = '0';
    new EventSource('/api/v1/events').addEventListener('snapshot', ({ lastEventId }) => {
      window.lastEvent = lastEventId;
    });
  }`);
  await page.click('[data-play]');
  const id = await publishMore(to);
  await untilTrue(page, `window.lastEvent === '${id}'`);
  const answered = page.waitForResponse('**/api/v1/parameters');
  // It asks within three seconds, and has nine to play.
  await page.clock.runFor(4000);
  await answered;
  t.equal(await page.getAttribute('[data-play]', 'aria-pressed'), 'true');
  t.equal(await page.getAttribute('.portal', 'data-snapshot'), before);
  const { title, hour } = await page.evaluate<{ title: string; hour: string }>(`({
    title: document.querySelector('.marker[data-station="1"] title').textContent,
    hour: document.querySelector('.map-hours output').textContent,
  })`);
  t.match(title, new RegExp(`^Station 1: [\\d.]+ µg/m³, ${hour}$`), 'of the hour on the slider');
  await page.clock.runFor(10_000);
  await page.locator(`.portal[data-snapshot="${id}"]`).waitFor();
  t.equal(await page.getAttribute('[data-play]', 'aria-pressed'), null);
});

const refusing = { service, isExpected: (text: string) => text.includes('503') };
testInTab('events that were refused are asked for again', refusing, async (t, page, to) => {
  await page.clock.install();
  let refused = 0;
  await page.route('**/api/v1/events', async (route) => {
    refused += 1;
    if (refused <= 2) await route.fulfill({ status: 503 });
    else await route.continue();
  });
  const first = page.waitForResponse('**/api/v1/events');
  await page.goto('/?language=en&component_id=1');
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
  const next = await publishMore(to);
  while ((await page.getAttribute('.portal', 'data-snapshot')) !== next) {
    await page.clock.runFor(1000);
  }
  const value = String(valueAt(MONTH_END_MS / HOUR_MS + hours - 1, 1));
  t.match(await page.textContent('table.stations tbody tr'), value);
});
