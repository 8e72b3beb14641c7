/** A first view of the demonstration: a common question is answered on the visible screen, and the cost is small. */
import { DESKTOP, PHONE, testInTab } from '../support/browser.js';

const HOME = '/?language=en';
const GETAFE = '/?language=en&station_id=28065014&component_id=8';

/** Is NO₂ in Getafe much now, and was last night worse than usual? */
const SEEN = [
  ['.newest-value', /^\s*8\s*µg\/m³/],
  ['.newest', /00:00–01:00, 9 Feb 2026, CET/],
  ['.newest', /4th highest of 28 stations/],
  ['.newest', /Usual at 00:00–01:00: 5 to 61 µg\/m³/],
  ['.usual-now', /(?:Higher than usual|Lower than usual|Usual)/],
  ['.plot', /21:00/],
] as const;

for (const viewport of [PHONE, DESKTOP]) {
  const name = `two actions lead to what NO₂ is in Getafe (${viewport.width} pixels)`;
  testInTab(name, { viewport, path: HOME }, async (t, page) => {
    await page.locator('.map-controls:not([hidden])').waitFor({ state: 'attached' });
    await page.click('.components a:has-text("NO₂")');
    await page.click('.stations a:has-text("Getafe")');
    await page.locator('.plot .usual').waitFor({ state: 'attached' });
    for (const [selector, text] of SEEN) {
      const shown = page.locator(selector).filter({ hasText: text }).first();
      await shown.waitFor();
      const { y = -1, height = 0 } = (await shown.boundingBox()) ?? {};
      t.ok(y >= 0 && y + height <= viewport.height, `${String(text)} is on the screen`);
    }
  });
}

for (const [viewport, path, bytesMax] of [
  [PHONE, HOME, 40_000],
  [DESKTOP, GETAFE, 50_000],
] as const) {
  testInTab(`${path} is small at first and nothing moves`, { viewport }, async (t, page) => {
    // A slow telephone in a slow network: what moves there moves anywhere.
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 150,
      downloadThroughput: 200_000,
      uploadThroughput: 100_000,
    });
    const sizes: number[] = [];
    devtools.on('Network.loadingFinished', (loaded) => sizes.push(loaded.encodedDataLength));
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
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    t.ok(bytes > 10_000 && bytes <= bytesMax, `${bytes} bytes`);
    t.ok(sizes.length <= 8, `${sizes.length} requests`);
    t.ok((await page.evaluate<number>('globalThis.shift')) < 0.05, 'nothing moves');
  });
}

testInTab('A station is printed on two pages', { path: GETAFE }, async (t, page) => {
  await page.locator('#station[open] #station-name').waitFor();
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
  t.equal(pdf.match(/\/Type\s*\/Page\b/g)?.length, 2);
});
