/** The recipe that follows the service in a browser, on a page of another site, over two snapshots. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { objectsOf, type PlainDocument } from '../../support/documents/documents.js';
import { openPage } from '../support/browser.js';
import { shownRecipes } from '../support/recipes.js';
import { get, getJson } from '../../support/service/requests.js';
import { publishAndServe, startDemonstration } from '../../support/service/serve-documents.js';
import { activePointer, eventually, type Service } from '../../support/service/service.js';

type Row = Record<'station_id' | 'parameter_code' | 'time_start_utc', string> & { value: unknown };

const keyOf = (row: Row): string =>
  [row.time_start_utc, row.station_id, row.parameter_code].join(' ');

void t.test('rows and changes of a new snapshot, as the recipe takes them', async (t) => {
  const service = await startDemonstration(t);
  const recipes = await shownRecipes(service);
  const site = await startSite(t, recipes.get('javascript/follow.js') ?? '');
  const { page } = await openPage(site);
  const messages: string[] = [];
  page.on('console', (message) => messages.push(message.text()));
  const nextMessage = async (): Promise<string> => {
    await eventually('a message of the page', () => Promise.resolve(messages.length > 0));
    return messages.shift() ?? '';
  };
  const shownValues = async (): Promise<unknown> =>
    await page.evaluate('[...values].sort(([a], [b]) => (a < b ? -1 : 1))');
  const servedValues = async (): Promise<unknown> => {
    const { body } = await getJson(service, '/api/v1/observations?parameter_code=NO2');
    return (body as { readonly data: readonly Row[] }).data
      .map((row) => [keyOf(row), row.value] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1));
  };
  await page.goto('/');
  const { headers } = await get(service, '/meta');
  t.match(await nextMessage(), `${String(headers['x-snapshot-id'])} `);
  t.same(await shownValues(), await servedValues());
  const usual = { traceparent: '00-1-1-01', 'Content-Type': 'application/json' };
  const fields = { ...usual, 'X-Anything': '1', Authorization: 'x' };
  const init = JSON.stringify({ headers: fields, cache: 'no-store' });
  const allowed = `fetch('${service.url}/meta', ${init}).then(({ headers }) => headers.get('etag'))`;
  t.equal(await page.evaluate(allowed), headers.etag, 'whatever header fields its script sends');
  const next = await nextDocument(service);
  const before = await servedValues();
  await publishAndServe(service, next);
  t.match(await nextMessage(), `${String(next['snapshot_id'])} `);
  t.notSame(await servedValues(), before);
  t.same(await shownValues(), await servedValues(), 'changes have given the same rows');
  t.same(messages, []);
});

/** Somebody's page, of another origin than the service, that runs a script. */
async function startSite(t: Test, script: string): Promise<{ readonly url: string }> {
  const page = '<!doctype html><link rel="icon" href="data:,"><script src="script.js"></script>';
  const server = createServer(({ url }, response) => {
    const isScript = url === '/script.js';
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script : page);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** The demonstration an hour later: one hour has another value, one is gone, and one is new. */
async function nextDocument(service: Service): Promise<PlainDocument> {
  const { document: path } = await activePointer(service);
  const bytes = gunzipSync(await readFile(join(service.published, path)));
  const document = JSON.parse(bytes.toString('utf8')) as PlainDocument;
  const generated = Date.parse(String(document['generated_at']));
  const rows = objectsOf(document, 'measurements');
  const series = rows.filter((row) => row['station_id'] === 28005002 && row['component_id'] === 8);
  const [changed, withdrawn] = series.slice(-20);
  const [date, time] = new Date(generated).toISOString().slice(0, 16).split('T');
  const measurements = [
    ...rows.filter((row) => row !== withdrawn && row !== changed),
    { ...changed, value: 999 },
    { ...changed, date, time, value: 12.5 },
  ];
  const later = new Date(generated + 3_600_000).toISOString();
  return { ...document, measurements, snapshot_id: 'an-hour-later', generated_at: later };
}
