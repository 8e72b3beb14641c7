/** The page of recipes in a real browser: languages, themes, small screens, and copying. */
import t from 'tap';
import { LANGUAGES } from '../../../src/texts/texts.js';
import { THEMES } from '../../../src/views/pages/page.js';
import { RECIPE_TOOLS } from '../../../src/views/recipes.js';
import { accessibilityProblems, openPage, startBrowser } from '../support/browser.js';
import { startDemonstration } from '../../support/service/serve-documents.js';
import { eventually } from '../../support/service/service.js';

const COUNT = RECIPE_TOOLS.flatMap(({ recipes }) => [...recipes]).length;

const service = await startDemonstration(t);
const browser = await startBrowser(t);
const { page, troubles } = await openPage(browser, service, {
  permissions: ['clipboard-read', 'clipboard-write'],
});

await t.test('everybody can use it, in each language and theme', async (t) => {
  for (const language of LANGUAGES) {
    for (const theme of THEMES) {
      await page.goto(`/api-docs/recipes?language=${language}&theme=${theme}`);
      t.equal(await page.locator('.code pre').count(), COUNT);
      t.strictSame(await accessibilityProblems(page), [], `${language} ${theme}`);
    }
  }
});

await t.test('on a small screen code scrolls by itself, by keyboard too', async (t) => {
  await page.setViewportSize({ width: 390, height: 800 });
  const width = await page.evaluate('document.documentElement.scrollWidth');
  t.equal(width, 390);
  const code = page.locator('#curl-month-sh ~ .code pre');
  await code.focus();
  await page.keyboard.press('ArrowRight');
  await eventually('it has scrolled', async () =>
    page.evaluate<boolean>(`document.activeElement.scrollLeft > 0`),
  );
  t.strictSame(await accessibilityProblems(page), []);
  await page.setViewportSize({ width: 1280, height: 800 });
});

await t.test('a button copies the code that is shown', async (t) => {
  await page.goto('/api-docs/recipes?language=en');
  const recipe = page.locator('#python-poll-py ~ .code');
  const button = recipe.getByRole('button', { name: 'Copy' });
  await button.click();
  await recipe.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  t.equal(copied, await recipe.locator('code').textContent());
  t.match(copied, `URL = "${service.url}/api/v1/observations/latest.csv"`);
});

await t.test('the documentation leads to it, and it is a part of the documentation', async (t) => {
  await page.goto('/api-docs?language=sr-Cyrl&theme=dark');
  await page.locator('main a[href^="/api-docs/recipes"]').first().click();
  await page.waitForURL('**/api-docs/recipes?language=sr-Cyrl&theme=dark');
  t.equal(await page.locator('.main-navigation [aria-current="page"]').count(), 1);
  t.strictSame(troubles, []);
});

await t.test('without scripts all of it is there but the buttons', async (t) => {
  const { page } = await openPage(browser, service, { javaScriptEnabled: false });
  await page.goto('/api-docs/recipes?language=en');
  t.equal(await page.locator('.code pre').count(), COUNT);
  t.equal(await page.locator('.code button:visible').count(), 0);
  t.match(await page.locator('#curl pre code').first().innerText(), `${service.url}/api/v1/`);
  t.match(await page.innerText('main'), 'station_id=28005002&layout=wide', 'a station that it has');
});
