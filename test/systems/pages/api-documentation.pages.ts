/** The documentation in a real browser: operations, requests tried out, recipes, themes, and no scripts. */
import { DOCUMENTED_ENDPOINTS } from '../../../src/http/routes/routes.js';
import { THEMES } from '../../../src/views/pages/page.js';
import { RECIPE_TOOLS } from '../../../src/views/recipe-texts.js';
import { accessibilityProblems, PHONE, testInTab, untilTrue } from '../support/browser.js';

/** Operations look alike: axe sees the first ones of each kind. */
const ALIKE = [
  '.opblock-tag-section:nth-child(n + 3)',
  '[id^="tag/"]:nth-child(n + 4) [id^="operation/"]',
];

// One tab: the libraries are large, and loaded once.
testInTab('the pages of the documentation', {}, async (t, page) => {
  const showsAll = async (operations: string): Promise<void> => {
    await page.locator(operations).last().waitFor();
    t.equal(await page.locator(operations).count(), DOCUMENTED_ENDPOINTS.length);
    t.notOk(await page.locator('#viewer-failed').isVisible());
    t.notOk(await page.locator('#viewer-loading').isVisible());
    t.strictSame(await accessibilityProblems(page, ALIKE), []);
  };
  await page.goto('/api-docs?language=en&theme=light');
  await showsAll('.opblock');

  // Where no theme is chosen, it is that of the system.
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/docs');
  await page.locator('html.dark-mode .opblock').last().waitFor();
  await page.emulateMedia({ colorScheme: 'light' });
  await page.locator('html:not(.dark-mode) .opblock').last().waitFor();

  await page.goto('/docs?language=sr-Cyrl&theme=dark');
  const operation = page.locator('.opblock[id$="-getMeasurements"]');
  await operation.locator('.opblock-summary-control').click();
  await operation.locator('.execute').click();
  const answer = operation.locator('.live-responses-table tbody');
  await answer.waitFor();
  t.match(await answer.locator('.response-col_status').first().innerText(), /^200/);
  t.match(await answer.innerText(), /"component_short_name"/);
  t.match(page.url(), /#\/Measurements\/getMeasurements$/);
  await showsAll('.opblock');

  for (const theme of THEMES) {
    await page.goto(`/redoc?language=sr-Latn&theme=${theme}`);
    await showsAll('[id^="operation/"]');
  }
  await page.getByPlaceholder('Search...').fill('parquet');
  const results = page.locator('[data-role="search:results"]');
  await results.waitFor();
  t.match(await results.innerText(), /file/);

  t.strictSame(await page.context().cookies(), []);
  t.equal(await page.evaluate('localStorage.length + sessionStorage.length'), 0);
});

testInTab('without scripts each says so', { javaScriptEnabled: false }, async (t, page) => {
  for (const path of ['/api-docs', '/docs', '/redoc']) {
    await page.goto(`${path}?language=en`);
    const main = page.locator('main');
    t.match(await main.innerText(), /needs JavaScript/);
    t.ok(await main.locator('noscript a[href="/openapi.json"]').isVisible());
    t.ok(await main.locator('noscript a[href="/legal/dataset?language=en"]').isVisible());
  }
  await page.goto('/api-docs?language=sr-Cyrl&theme=dark');
  await page.locator('main a[href^="/api-docs/recipes"]').first().click();
  await page.waitForURL('**/api-docs/recipes?language=sr-Cyrl&theme=dark');
  t.equal(await page.locator('.main-navigation [aria-current="page"]').count(), 1);
  const count = RECIPE_TOOLS.flatMap(({ recipes }) => [...recipes]).length;
  t.equal(await page.locator('.code pre').count(), count);
  t.equal(await page.locator('.code button:visible').count(), 0);
});

const copying = {
  viewport: PHONE,
  permissions: ['clipboard-read', 'clipboard-write'],
  path: '/api-docs/recipes?language=en',
};
testInTab('a button copies code, and keys scroll it', copying, async (t, page, service) => {
  const recipe = page.locator('#python-poll-py ~ .code');
  await recipe.getByRole('button', { name: 'Copy' }).click();
  await recipe.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  t.equal(copied, await recipe.locator('code').textContent());
  t.match(copied, `URL = "${service.url}/api/v1/observations/latest.csv"`);
  await page.locator('#curl-month-sh ~ .code pre').focus();
  await page.keyboard.press('ArrowRight');
  await untilTrue(page, 'document.activeElement.scrollLeft > 0');
});
