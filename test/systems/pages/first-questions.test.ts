/**
 * The questions that people come with, each from a cold page of the demonstration, on a telephone and on a desktop: answered
 * within two actions, on the screen that is seen. And what a first view costs.
 */
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { openPage, startBrowser } from '../support/browser.js';
import { startDemonstration } from '../../support/service/serve-documents.js';

const service = await startDemonstration(t, { env: { DEFAULT_LANGUAGE: 'en' }, wholeMap: true });
const browser = await startBrowser(t);

const HOME = '/?language=en';
const GETAFE = '/?language=en&station_id=28065014&component_id=8';

const SCREENS = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];

/** A page that nobody has seen, and the actions on it: clicks, and what is typed or moved. */
class Visit {
  readonly page: Page;
  actions = 0;

  constructor(page: Page) {
    this.page = page;
  }

  async do(action: (page: Page) => Promise<unknown>): Promise<void> {
    this.actions += 1;
    await action(this.page);
  }

  async sees(t: Test, selector: string, text: RegExp): Promise<void> {
    const shown = this.page.locator(selector).filter({ hasText: text }).first();
    await shown.waitFor();
    const box = await shown.boundingBox();
    const { height = 0 } = this.page.viewportSize() ?? {};
    t.ok(box && box.y >= 0 && box.y + box.height <= height, `${String(text)} is on the screen`);
    t.ok(this.actions <= 2, `${this.actions} actions`);
  }
}

for (const viewport of SCREENS) {
  const ask = async (
    name: string,
    path: string,
    answer: (t: Test, visit: Visit) => Promise<void>,
  ) => {
    await t.test(`${name} (${viewport.width} pixels)`, async (t) => {
      const { page, troubles } = await openPage(browser, service, { viewport });
      await page.goto(path);
      await page.locator('.map-overlay.placed').waitFor({ state: 'attached' });
      await answer(t, new Visit(page));
      t.strictSame(troubles, []);
      await page.context().close();
    });
  };

  await ask('What is NO₂ in Getafe now, and is that much?', HOME, async (t, visit) => {
    await visit.do((page) => page.click('.components a:has-text("NO₂")'));
    await visit.do((page) => page.click('.stations a:has-text("Getafe")'));
    await visit.sees(t, '.newest-value', /^\s*8\s*µg\/m³/);
    await visit.sees(t, '.newest', /00:00–01:00, 9 Feb 2026, CET/);
    await visit.sees(t, '.newest', /4th highest of 28 stations/);
    await visit.sees(t, '.newest', /Usual at this hour: 5 to 61 µg\/m³/);
  });

  await ask('Which station is nearest to Pinto?', HOME, async (t, visit) => {
    await visit.do((page) => page.locator('#search').pressSequentially('Pinto'));
    await visit.sees(t, '.found', /The stations nearest to Pinto/);
    await visit.sees(t, '.stations tr', /Parla\s*6\.1 km/);
    await visit.sees(t, '.stations tr', /Getafe\s*8\.3 km/);
  });

  await ask('Was last night worse than usual?', HOME, async (t, visit) => {
    await visit.do((page) => page.click('.stations a:has-text("Getafe")'));
    await visit.page.locator('.plot .usual').waitFor({ state: 'attached' });
    t.match(
      await visit.page.getAttribute('.plot', 'aria-label'),
      /Higher than usual: \d+ of 24 hours\. Lower: \d+\./,
    );
    await visit.sees(t, '.plot', /21:00/);
  });

  await ask('Show me yesterday at 18:00', HOME, async (t, visit) => {
    await visit.do(async (page) => {
      const range = page.locator('.map-hours input[type=range]');
      await range.focus();
      for (let hours = 0; hours < 6; hours += 1) await range.press('ArrowLeft');
    });
    await visit.sees(t, '.map-hours output', /18:00–19:00, 8 Feb 2026, CET/);
    await visit.page.locator('.newest-hour:has-text("18:00–19:00, 8 Feb 2026")').waitFor();
  });

  await ask('Send this to a colleague', GETAFE, async (t, visit) => {
    await visit.do((page) => page.click('.share summary'));
    await visit.page.locator('#share-page').scrollIntoViewIfNeeded();
    const address = await visit.page.inputValue('#share-page');
    await visit.sees(t, '.share', /Copy/);
    const colleague = await openPage(browser, service, { viewport });
    await colleague.page.goto(address);
    t.equal(await colleague.page.innerText('#station-name'), 'Getafe');
    t.match(await colleague.page.title(), /Getafe: NO₂/);
    t.match(await colleague.page.innerText('.newest-value'), /8\s*µg\/m³/);
    await colleague.page.context().close();
  });

  await ask('Print it', GETAFE, async (t, visit) => {
    const pdf = (await visit.page.pdf({ format: 'A4' })).toString('latin1');
    t.equal(pdf.match(/\/Type\s*\/Page\b/g)?.length, 2);
  });

  for (const { name, path, bytesMax } of [
    { name: 'of the network', path: HOME, bytesMax: 40_000 },
    { name: 'of a station', path: GETAFE, bytesMax: 50_000 },
  ]) {
    await t.test(
      `the first view ${name} is small and nothing moves (${viewport.width})`,
      async (t) => {
        const { page } = await openPage(browser, service, { viewport });
        const devtools = await page.context().newCDPSession(page);
        await devtools.send('Network.enable');
        // A slow telephone in a slow network: what moves there moves anywhere.
        await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
        await devtools.send('Network.emulateNetworkConditions', {
          offline: false,
          latency: 150,
          downloadThroughput: 200_000,
          uploadThroughput: 100_000,
        });
        let [bytes, requests] = [0, 0];
        devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
          bytes += encodedDataLength;
          requests += 1;
        });
        await page.addInitScript(`
        globalThis.shift = 0;
        new PerformanceObserver((list) => {
          for (const { hadRecentInput, value } of list.getEntries()) {
            if (!hadRecentInput) globalThis.shift += value;
          }
        }).observe({ type: 'layout-shift', buffered: true });`);
        await page.goto(path);
        await page.locator('.map-overlay.placed').waitFor({ state: 'attached' });
        await page.evaluate('document.fonts.ready.then(() => new Promise(requestAnimationFrame))');
        const shift = await page.evaluate<number>('globalThis.shift');
        const paintMs = await page.evaluate<number>(
          `performance.getEntriesByName('first-contentful-paint')[0].startTime`,
        );
        t.comment(`${bytes} bytes, ${requests} requests, first paint ${Math.round(paintMs)} ms`);
        t.ok(bytes > 10_000 && bytes <= bytesMax, `${bytes} bytes`);
        t.ok(requests <= 8, `${requests} requests`);
        t.ok(shift < 0.05, `moves by ${shift}`);
        await page.context().close();
      },
    );
  }
}
