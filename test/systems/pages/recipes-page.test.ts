/** The page of recipes in a real browser: languages, themes, small screens, copying, and the address in the code. */
import t from 'tap';
import { LANGUAGES } from '../../../src/snapshot/domain/model.js';
import { THEMES } from '../../../src/views/pages/page.js';
import { RECIPE_TOOLS } from '../../../src/views/recipes.js';
import { snapshotDocument } from '../../support/documents/documents.js';
import { accessibilityProblems, openPage, startBrowser } from '../support/browser.js';
import { visibleText } from '../../support/readers/html.js';
import { get, getJson } from '../../support/service/requests.js';
import { startDemonstration, startServing } from '../../support/service/serve-documents.js';
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

await t.test(
  'a button copies the code that is shown, with the address of the service',
  async (t) => {
    await page.goto('/api-docs/recipes?language=en');
    const recipe = page.locator('#python-poll-py ~ .code');
    const button = recipe.getByRole('button', { name: 'Copy' });
    await button.click();
    await recipe.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    t.equal(copied, await recipe.locator('code').textContent());
    t.match(copied, `URL = "${service.url}/api/v1/observations/latest.csv"`);
  },
);

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
});

await t.test('the address is that of the request, and answers differ by it', async (t) => {
  const path = '/api-docs/recipes?language=en';
  const here = await get(service, path, { headers: { Host: 'air.example:8443' } });
  t.match(visibleText(here.body.toString()), 'http://air.example:8443/api/v1/observations.csv');
  t.match(here.headers.vary, /Host/);
  const etag = here.headers.etag ?? '';
  const fields = { 'If-None-Match': etag };
  const again = await get(service, path, { headers: { ...fields, Host: 'air.example:8443' } });
  t.equal(again.status, 304);
  t.equal((await get(service, path, { headers: fields })).status, 200);
  const nobody = await get(service, path, { headers: { Host: '-$(id)-' } });
  t.equal(nobody.status, 200);
  t.match(visibleText(nobody.body.toString()), 'http://localhost:8080/api/v1/observations.csv');
  t.notMatch(nobody.body.toString(), '(id)');
});

await t.test('the station is one that this network has', async (t) => {
  t.match(await textOf(service), 'station_id=28005002&layout=wide');
  const other = await startServing(t, snapshotDocument());
  const { body } = await getJson(other, '/api/v1/stations');
  const ids = (body as readonly { readonly station_id: string }[]).map((one) => one.station_id);
  const text = await textOf(other);
  const [, station = ''] = /station_id=(\d+)&layout=wide/.exec(text) ?? [];
  t.ok(ids.includes(station), station);
  t.match(text, `${station} is one of the stations`);
  t.notMatch(text, '28005002');
});

async function textOf(service: { readonly port: number }): Promise<string> {
  return visibleText((await get(service, '/api-docs/recipes?language=en')).body.toString());
}
