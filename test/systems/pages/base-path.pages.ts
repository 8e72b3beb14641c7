/** The pages in a real browser behind a proxy that takes a path away: no request leads out of it, and none fails. */
import t from 'tap';
import { portalDocument } from '../../support/documents/portal-document.js';
import { startPathProxy } from '../../support/service/path-proxy.js';
import { publishAndServe, startServing } from '../../support/service/serve-documents.js';
import { closePage, openPage } from '../support/browser.js';

void t.test('behind a proxy that takes a path away', async (t) => {
  const proxy = await startPathProxy(t, '/vazduh');
  const { baseUrl } = proxy;
  const env = { PUBLIC_BASE_URL: baseUrl, POINTER_POLL_SECONDS: '0.05' };
  const service = await startServing(t, portalDocument(), { env });
  proxy.forward(service);
  const { page, troubles } = await openPage({ url: baseUrl });
  const failed: string[] = [];
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url().slice(baseUrl.length)));
  page.on('response', (response) => {
    if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
  });
  const openFirst = async (table: string): Promise<void> => {
    await page.click(`${table} tbody th a >> nth=0`);
    await page.locator('dialog[open] #station-name').waitFor();
    t.ok(page.url().startsWith(`${baseUrl}/`) && page.url().includes('station_id='), page.url());
  };

  await page.goto(`${baseUrl}/?language=en`);
  await openFirst('.stations');
  t.ok(asked.some((target) => target.startsWith('/portal/station-modal?')));
  await page.click('dialog .close');
  await page.locator('dialog:not([open])').waitFor({ state: 'attached' });
  await page.click('header [hreflang="sr-Latn"]');
  await page.locator('html[lang="sr-Latn"]').waitFor();

  // The page is told of the next snapshot.
  await page.goto(`${baseUrl}/?language=en`);
  await publishAndServe(service, { ...portalDocument(), snapshot_id: 'next' });
  await page.locator('.portal[data-snapshot="next"]').waitFor();
  t.ok(asked.includes('/api/v1/events'));
  // The overview leads back into the portal.
  await page.click('.main-navigation a >> nth=1');
  await page.locator('table.overview').waitFor();
  t.ok(page.url().startsWith(`${baseUrl}/overview`), page.url());
  await openFirst('.overview');

  await page.click('.main-navigation a >> nth=3');
  await page.locator('.opblock').last().waitFor();
  t.match(await page.locator('.commands').first().innerText(), `curl ${baseUrl}/meta`);
  const operation = page.locator('.opblock[id$="-getMeasurements"]');
  await operation.locator('.opblock-summary-control').click();
  await operation.locator('.execute').click();
  await operation.locator('.live-responses-table tbody').waitFor();
  t.match(await operation.locator('.request-url').innerText(), `${baseUrl}/measurements?`);
  await page.goto(`${baseUrl}/redoc?language=en`);
  await page.locator('[id^="operation/"]').last().waitFor();

  t.same([troubles, proxy.outside, failed], [[], [], []]);
  await closePage(page);
});
