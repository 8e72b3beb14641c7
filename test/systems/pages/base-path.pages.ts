/** The pages in a real browser behind a proxy that takes a path away: no request leads out of it, and none fails. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { portalDocument } from '../../support/documents/portal-document.js';
import { startPathProxy } from '../../support/service/path-proxy.js';
import { publishAndServe, startServing } from '../../support/service/serve-documents.js';
import { closePage, openPage } from '../support/browser.js';

void t.test('behind a proxy that takes a path away', async (t) => {
  const proxy = await startPathProxy(t, '/vazduh');
  const { baseUrl } = proxy;
  const service = await startServing(t, portalDocument(), {
    env: { PUBLIC_BASE_URL: baseUrl, POINTER_POLL_SECONDS: '0.05' },
  });
  proxy.forward(service);
  const { page, troubles } = await openPage({ url: baseUrl });
  const failed: string[] = [];
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url().slice(baseUrl.length)));
  page.on('response', (response) => {
    if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
  });

  /** The address of the page, below the base URL. */
  function targetOf(page: Page): string {
    const url = page.url();
    return url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : `outside: ${url}`;
  }

  await t.test('the portal: stations, windows, languages', async (t) => {
    await page.goto(`${baseUrl}/?language=en`);
    await page.click('.stations tbody th a >> nth=0');
    await page.locator('dialog[open] #station-name').waitFor();
    t.match(targetOf(page), /^\/\?.*station_id=/);
    t.ok(asked.some((target) => target.startsWith('/portal/station-modal?')));
    await page.click('.windows a:has-text("7 days")');
    await page.locator('.windows a[aria-current]:has-text("7 days")').waitFor();
    const [shown] = await page.locator('.api a').allInnerTexts();
    t.match(shown, 'GET /vazduh/measurements?', 'what a program asks for');
    t.match(await page.inputValue('#share-page'), `${baseUrl}/?`);
    t.match(await page.inputValue('#share-image'), `"${baseUrl}/portal/chart.svg?`);
    await page.click('dialog .close');
    await page.locator('dialog:not([open])').waitFor({ state: 'attached' });
    t.notMatch(targetOf(page), 'station_id');
    await page.click('header [hreflang="sr-Latn"]');
    await page.locator('html[lang="sr-Latn"]').waitFor();
    await page.click('header .theme-dark');
    await page.locator('html[data-theme="dark"]').waitFor();
    t.match(targetOf(page), /^\/\?language=sr-Latn&.*theme=dark/);
  });

  await t.test('it is told of the next snapshot', async (t) => {
    await page.goto(`${baseUrl}/?language=en`);
    await publishAndServe(service, { ...portalDocument(), snapshot_id: 'next' });
    await page.locator('.portal[data-snapshot="next"]').waitFor();
    t.ok(asked.includes('/api/v1/events'));
    // The overview leads back into the portal.
    await page.click('.main-navigation a >> nth=1');
    await page.locator('table.overview').waitFor();
    t.match(targetOf(page), /^\/overview/);
    await page.click('.overview tbody th a >> nth=0');
    await page.locator('dialog[open] #station-name').waitFor();
  });

  await t.test('the documentation, and requests tried out', async (t) => {
    await page.click('.main-navigation a >> nth=3');
    await page.locator('.opblock').last().waitFor();
    t.match(await page.locator('.commands').first().innerText(), `curl ${baseUrl}/meta`);
    const operation = page.locator('.opblock[id$="-getMeasurements"]');
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.execute').click();
    const answer = operation.locator('.live-responses-table tbody');
    await answer.waitFor();
    t.match(await answer.locator('.response-col_status').first().innerText(), /^200/);
    t.match(await operation.locator('.request-url').innerText(), `${baseUrl}/measurements?`);
    await page.goto(`${baseUrl}/redoc?language=en`);
    await page.locator('[id^="operation/"]').last().waitFor();
  });

  await t.test('nothing was asked for outside of the path, and nothing failed', async (t) => {
    t.same(troubles, []);
    t.same(proxy.outside, []);
    t.same(failed, []);
    await closePage(page);
  });
});
