/**
 * Common questions of visitors, each from a cold page of the demonstration, on a telephone and on a desktop: answered
 * within two actions, on the visible screen. And the cost of a first view.
 */
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import type { Service } from '../../support/service/service.js';
import { closePage, DESKTOP, openPage, PHONE, testInTab } from '../support/browser.js';

const HOME = '/?language=en';
const GETAFE = '/?language=en&station_id=28065014&component_id=8';

interface Visit {
  readonly page: Page;
  /** A click, typing, or a move: at most two lead to an answer. */
  readonly act: (action: (page: Page) => Promise<unknown>) => Promise<void>;
  /** The text is on the visible screen. */
  readonly sees: (selector: string, text: RegExp) => Promise<void>;
}

function visitOf(t: Test, page: Page): Visit {
  let actions = 0;
  return {
    page,
    act: async (action) => {
      actions += 1;
      await action(page);
    },
    sees: async (selector, text) => {
      const shown = page.locator(selector).filter({ hasText: text }).first();
      await shown.waitFor();
      const box = await shown.boundingBox();
      const { height = 0 } = page.viewportSize() ?? {};
      t.ok(box && box.y >= 0 && box.y + box.height <= height, `${String(text)} is on the screen`);
      t.ok(actions <= 2, `${actions} actions`);
    },
  };
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
      await answer(t, visitOf(t, page), service);
    });
  };

  ask('What is NO₂ in Getafe now, and is that much?', HOME, async (_, { act, sees, page }) => {
    await act(() => page.click('.components a:has-text("NO₂")'));
    await act(() => page.click('.stations a:has-text("Getafe")'));
    await sees('.newest-value', /^\s*8\s*µg\/m³/);
    await sees('.newest', /00:00–01:00, 9 Feb 2026, CET/);
    await sees('.newest', /4th highest of 28 stations/);
    await sees('.newest', /Usual at 00:00–01:00: 5 to 61 µg\/m³/);
    // Was last night worse than usual?
    await page.locator('.plot .usual').waitFor({ state: 'attached' });
    await sees('.usual-now', /(?:Higher than usual|Lower than usual|Usual)/);
    await sees('.plot', /21:00/);
  });

  ask('Send this to a colleague', GETAFE, async (t, { act, sees, page }, service) => {
    await act(() => page.click('.share summary'));
    await page.locator('#share-page').scrollIntoViewIfNeeded();
    const address = await page.inputValue('#share-page');
    await sees('.share', /Copy/);
    const { page: colleague } = await openPage(service, { viewport });
    await colleague.goto(address);
    t.match(await colleague.title(), /Getafe: NO₂/);
    t.match(await colleague.innerText('.newest-value'), /8\s*µg\/m³/);
    await closePage(colleague);
  });
}

for (const { viewport, path, bytesMax } of [
  { viewport: PHONE, path: HOME, bytesMax: 40_000 },
  { viewport: DESKTOP, path: GETAFE, bytesMax: 50_000 },
]) {
  testInTab(`${path} is small at first and nothing moves`, { viewport }, async (t, page) => {
    const loaded = await loadSlowly(page, path);
    t.ok(loaded.bytes > 10_000 && loaded.bytes <= bytesMax, `${loaded.bytes} bytes`);
    t.ok(loaded.requests <= 8, `${loaded.requests} requests`);
    t.ok(loaded.shift < 0.05, `moves by ${loaded.shift}`);
  });
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
