/** The documentation pages in a real browser: operations, requests tried out, themes, languages, and no scripts. */
import t, { type Test } from 'tap';
import type { Page } from 'playwright-core';
import type { Language } from '../../../src/texts/texts.js';
import { DOCUMENTED_ENDPOINTS } from '../../../src/http/routes/routes.js';
import { THEMES, type Theme } from '../../../src/views/pages/page.js';
import { accessibilityProblems, openPage, startBrowser } from '../support/browser.js';
import { startDemonstration } from '../../support/service/serve-documents.js';

/** Each theme, in one of the languages: the viewers themselves know none. */
const STYLES: readonly (readonly [Language, Theme])[] = [
  ['sr-Cyrl', 'dark'],
  ['en', 'light'],
];

// The values that the viewers ask with are those of the demonstration.
const service = await startDemonstration(t);
const browser = await startBrowser(t);
// One tab for most tests: the libraries are large, and loaded once.
const { page, troubles } = await openPage(browser, service);

await t.test('/api-docs has every operation, in each language and theme', async (t) => {
  for (const [language, theme] of STYLES) {
    await page.goto(`/api-docs?language=${language}&theme=${theme}`);
    await showsAllOperations(t, page, '.opblock');
    t.strictSame(await accessibilityProblems(page), [], `${language} ${theme}`);
    const commands = page.locator('.commands').first();
    t.match(await commands.innerText(), `curl ${service.url}/meta`, 'with the real address');
  }
});

for (const theme of THEMES) {
  await t.test(`/docs in ${theme} colours: an operation tried out answers`, async (t) => {
    await page.goto(`/docs?language=sr-Cyrl&theme=${theme}`);
    await showsAllOperations(t, page, '.opblock');
    const operation = page.locator('.opblock[id$="-getMeasurements"]');
    await operation.locator('.opblock-summary-control').click();
    t.match(page.url(), /#\/Measurements\/getMeasurements$/);
    await operation.locator('.execute').click();
    const answer = operation.locator('.live-responses-table tbody');
    await answer.waitFor();
    t.match(await answer.locator('.response-col_status').first().innerText(), /^200/);
    t.match(await answer.innerText(), /"component_short_name"/);
    t.strictSame(await accessibilityProblems(page), []);
  });

  await t.test(`/redoc in ${theme} colours shows every operation`, async (t) => {
    await page.goto(`/redoc?language=sr-Latn&theme=${theme}`);
    await showsAllOperations(t, page, '[id^="operation/"]');
    t.strictSame(await accessibilityProblems(page), []);
  });
}

await t.test('Redoc finds what is searched for', async (t) => {
  await page.getByPlaceholder('Search...').fill('parquet');
  const results = page.locator('[data-role="search:results"]');
  await results.waitFor();
  t.match(await results.innerText(), /file/);
});

await t.test('the viewers follow the system where no theme is chosen', async () => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/docs');
  await page.locator('html.dark-mode .opblock').last().waitFor();
  await page.emulateMedia({ colorScheme: 'light' });
  await page.locator('html:not(.dark-mode) .opblock').last().waitFor();
});

await t.test('nothing went wrong, nothing came from elsewhere, nothing was left', async (t) => {
  t.strictSame(troubles, []);
  t.strictSame(await page.context().cookies(), []);
  t.equal(await page.evaluate('localStorage.length + sessionStorage.length'), 0);
});

await t.test('without scripts each page says so and leads to the document', async (t) => {
  const { page, troubles } = await openPage(browser, service, { javaScriptEnabled: false });
  for (const path of ['/api-docs', '/docs', '/redoc']) {
    await page.goto(`${path}?language=en`);
    const main = page.locator('main');
    t.match(await main.innerText(), /needs JavaScript/);
    t.ok(await main.locator('noscript a[href="/openapi.json"]').isVisible());
    t.ok(await main.locator('noscript a[href="/legal/dataset?language=en"]').isVisible());
  }
  t.strictSame(troubles, []);
});

async function showsAllOperations(t: Test, page: Page, operations: string): Promise<void> {
  await page.locator(operations).last().waitFor();
  t.equal(await page.locator(operations).count(), DOCUMENTED_ENDPOINTS.length);
  t.notOk(await page.locator('#viewer-failed').isVisible());
  t.notOk(await page.locator('#viewer-loading').isVisible());
}
