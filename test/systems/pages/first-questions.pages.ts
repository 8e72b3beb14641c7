/**
 * Common questions of visitors, each from a cold page of the demonstration, on a telephone and on a desktop: answered
 * within two actions, on the visible screen. And the cost of a first view.
 */
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import type { Service } from '../../support/service/service.js';
import { DESKTOP, openPage, PHONE, testInTab } from '../support/browser.js';

const HOME = '/?language=en';
const GETAFE = '/?language=en&station_id=28065014&component_id=8';

/** A cold page, and the actions on it: clicks, typing, moves. */
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

for (const viewport of [PHONE, DESKTOP]) {
  const ask = (
    question: string,
    path: string,
    answer: (t: Test, visit: Visit, service: Service) => Promise<void>,
  ): void => {
    const name = `${question} (${viewport.width} pixels)`;
    testInTab(name, { viewport, path }, async (t, page, service) => {
      await page.locator('.map-controls:not([hidden])').waitFor({ state: 'attached' });
      await answer(t, new Visit(page), service);
    });
  };

  ask('What is NO₂ in Getafe now, and is that much?', HOME, async (t, visit) => {
    await visit.do((page) => page.click('.components a:has-text("NO₂")'));
    await visit.do((page) => page.click('.stations a:has-text("Getafe")'));
    await visit.sees(t, '.newest-value', /^\s*8\s*µg\/m³/);
    await visit.sees(t, '.newest', /00:00–01:00, 9 Feb 2026, CET/);
    await visit.sees(t, '.newest', /4th highest of 28 stations/);
    await visit.sees(t, '.newest', /Usual at 00:00–01:00: 5 to 61 µg\/m³/);
  });

  ask('Which station is nearest to Pinto?', HOME, async (t, visit) => {
    await visit.do((page) => page.locator('#search').pressSequentially('Pinto'));
    await visit.sees(t, '.found', /The stations nearest to Pinto/);
    await visit.sees(t, '.stations tr', /Getafe\s*8\.3 km/);
    await visit.sees(t, '.stations tr', /Fuenlabrada\s*\d+(?:\.\d)? km/);
  });

  ask('Was last night worse than usual?', HOME, async (t, visit) => {
    await visit.do((page) => page.click('.stations a:has-text("Getafe")'));
    await visit.page.locator('.plot .usual').waitFor({ state: 'attached' });
    await visit.sees(t, '.usual-now', /(?:Higher than usual|Lower than usual|Usual)/);
    await visit.sees(t, '.plot', /21:00/);
  });

  ask('Show me yesterday at 18:00', HOME, async (t, visit) => {
    await visit.do(async (page) => {
      const range = page.locator('.map-hours input[type=range]');
      await range.focus();
      for (let hours = 0; hours < 6; hours += 1) await range.press('ArrowLeft');
    });
    await visit.sees(t, '.map-hours output', /18:00–19:00, 8 Feb 2026, CET/);
    await visit.page.locator('.newest-hour:has-text("18:00–19:00, 8 Feb 2026")').waitFor();
  });

  ask('Send this to a colleague', GETAFE, async (t, visit, service) => {
    await visit.do((page) => page.click('.share summary'));
    await visit.page.locator('#share-page').scrollIntoViewIfNeeded();
    const address = await visit.page.inputValue('#share-page');
    await visit.sees(t, '.share', /Copy/);
    const colleague = await openPage(service, { viewport });
    await colleague.page.goto(address);
    t.equal(await colleague.page.innerText('#station-name'), 'Getafe');
    t.match(await colleague.page.title(), /Getafe: NO₂/);
    t.match(await colleague.page.innerText('.newest-value'), /8\s*µg\/m³/);
    await colleague.page.context().close();
  });

  for (const { name, path, bytesMax } of [
    { name: 'of the network', path: HOME, bytesMax: 40_000 },
    { name: 'of a station', path: GETAFE, bytesMax: 50_000 },
  ]) {
    const view = `the first view ${name} is small and nothing moves (${viewport.width} pixels)`;
    testInTab(view, { viewport }, async (t, page) => {
      const loaded = await loadSlowly(page, path);
      t.ok(loaded.bytes > 10_000 && loaded.bytes <= bytesMax, `${loaded.bytes} bytes`);
      t.ok(loaded.requests <= 8, `${loaded.requests} requests`);
      t.ok(loaded.shift < 0.05, `moves by ${loaded.shift}`);
    });
  }
}

testInTab('A station is printed on two pages', { path: GETAFE }, async (t, page) => {
  await page.locator('#station[open] #station-name').waitFor();
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
  t.equal(pdf.match(/\/Type\s*\/Page\b/g)?.length, 2);
});

/** Loads a page on a slow telephone in a slow network: what moves there moves anywhere. */
async function loadSlowly(
  page: Page,
  path: string,
): Promise<{ readonly bytes: number; readonly requests: number; readonly shift: number }> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
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
  await page.locator('.map-controls:not([hidden])').waitFor({ state: 'attached' });
  await page.evaluate('document.fonts.ready.then(() => new Promise(requestAnimationFrame))');
  return { bytes, requests, shift: await page.evaluate<number>('globalThis.shift') };
}
