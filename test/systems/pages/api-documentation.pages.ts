/** The documentation pages in a real browser: operations, requests tried out, themes, languages, and no scripts. */
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { DOCUMENTED_ENDPOINTS } from '../../../src/http/routes/routes.js';
import { THEMES } from '../../../src/views/pages/page.js';
import { accessibilityProblems, testInTab } from '../support/browser.js';

/** Operations look alike: axe sees the first ones of each kind. */
const ALIKE = [
  '.opblock-tag-section:nth-child(n + 3)',
  '[id^="tag/"]:nth-child(n + 4) [id^="operation/"]',
];

// One tab for most tests: the libraries are large, and loaded once.
testInTab('the pages of the documentation', {}, async (t, page, service) => {
  await t.test('/api-docs has every operation, with the real address', async (t) => {
    await page.goto('/api-docs?language=en&theme=light');
    await showsAllOperations(t, page, '.opblock');
    t.match(await page.locator('.commands').first().innerText(), `curl ${service.url}/meta`);
  });

  await t.test('/docs follows the system where no theme is chosen', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto('/docs');
    await page.locator('html.dark-mode .opblock').last().waitFor();
    await page.emulateMedia({ colorScheme: 'light' });
    await page.locator('html:not(.dark-mode) .opblock').last().waitFor();
  });

  await t.test('/docs: an operation tried out answers', async (t) => {
    await page.goto('/docs?language=sr-Cyrl&theme=dark');
    const operation = page.locator('.opblock[id$="-getMeasurements"]');
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.execute').click();
    const answer = operation.locator('.live-responses-table tbody');
    await answer.waitFor();
    t.match(await answer.locator('.response-col_status').first().innerText(), /^200/);
    t.match(await answer.innerText(), /"component_short_name"/);
    t.match(page.url(), /#\/Measurements\/getMeasurements$/);
    await showsAllOperations(t, page, '.opblock');
  });

  for (const theme of THEMES) {
    await t.test(`/redoc in ${theme} colours shows every operation`, async (t) => {
      await page.goto(`/redoc?language=sr-Latn&theme=${theme}`);
      await showsAllOperations(t, page, '[id^="operation/"]');
    });
  }

  await t.test('Redoc finds what is searched for', async (t) => {
    await page.getByPlaceholder('Search...').fill('parquet');
    const results = page.locator('[data-role="search:results"]');
    await results.waitFor();
    t.match(await results.innerText(), /file/);
  });

  await t.test('nothing was left', async (t) => {
    t.strictSame(await page.context().cookies(), []);
    t.equal(await page.evaluate('localStorage.length + sessionStorage.length'), 0);
  });
});

testInTab('without scripts each says so', { javaScriptEnabled: false }, async (t, page) => {
  for (const path of ['/api-docs', '/docs', '/redoc']) {
    await page.goto(`${path}?language=en`);
    const main = page.locator('main');
    t.match(await main.innerText(), /needs JavaScript/);
    t.ok(await main.locator('noscript a[href="/openapi.json"]').isVisible());
    t.ok(await main.locator('noscript a[href="/legal/dataset?language=en"]').isVisible());
  }
});

async function showsAllOperations(t: Test, page: Page, operations: string): Promise<void> {
  await page.locator(operations).last().waitFor();
  t.equal(await page.locator(operations).count(), DOCUMENTED_ENDPOINTS.length);
  t.notOk(await page.locator('#viewer-failed').isVisible());
  t.notOk(await page.locator('#viewer-loading').isVisible());
  t.strictSame(await accessibilityProblems(page, ALIKE), []);
}
