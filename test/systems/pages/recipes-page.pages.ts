/** The page of recipes in a real browser: languages, themes, small screens, and copying. */
import { RECIPE_TOOLS } from '../../../src/views/recipe-texts.js';
import { accessibilityProblems, PHONE, testInTab, untilTrue, VIEWS } from '../support/browser.js';

const COUNT = RECIPE_TOOLS.flatMap(({ recipes }) => [...recipes]).length;

for (const { language, theme, viewport } of VIEWS) {
  const path = `/api-docs/recipes?language=${language}&theme=${theme}`;
  testInTab(`everybody can use ${path}`, { viewport, path }, async (t, page) => {
    t.equal(await page.locator('.code pre').count(), COUNT);
    t.strictSame(await accessibilityProblems(page), []);
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), viewport.width);
    if (viewport !== PHONE) return;
    // Code scrolls by keyboard.
    await page.locator('#curl-month-sh ~ .code pre').focus();
    await page.keyboard.press('ArrowRight');
    await untilTrue(page, 'document.activeElement.scrollLeft > 0');
  });
}

const copying = {
  permissions: ['clipboard-read', 'clipboard-write'],
  path: '/api-docs/recipes?language=en',
};
testInTab('a button copies the code that is shown', copying, async (t, page, service) => {
  const recipe = page.locator('#python-poll-py ~ .code');
  await recipe.getByRole('button', { name: 'Copy' }).click();
  await recipe.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  t.equal(copied, await recipe.locator('code').textContent());
  t.match(copied, `URL = "${service.url}/api/v1/observations/latest.csv"`);
});

// Without scripts the page of the operations has nothing to load.
const fromDocs = { javaScriptEnabled: false, path: '/api-docs?language=sr-Cyrl&theme=dark' };
testInTab('the documentation leads to it, without scripts too', fromDocs, async (t, page) => {
  await page.locator('main a[href^="/api-docs/recipes"]').first().click();
  await page.waitForURL('**/api-docs/recipes?language=sr-Cyrl&theme=dark');
  t.equal(await page.locator('.main-navigation [aria-current="page"]').count(), 1);
  t.equal(await page.locator('.code pre').count(), COUNT);
  t.equal(await page.locator('.code button:visible').count(), 0);
});
