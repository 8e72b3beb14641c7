/** The page of recipes over HTTP: the address and the station in its code. */
import t from 'tap';
import { snapshotDocument } from '../../support/documents/documents.js';
import { visibleText } from '../../support/readers/html.js';
import { get, getJson } from '../../support/service/requests.js';
import { publishAndServe, startDemonstration } from '../../support/service/serve-documents.js';

const service = await startDemonstration(t);

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
  await publishAndServe(service, snapshotDocument());
  const { body } = await getJson(service, '/api/v1/stations');
  const ids = (body as readonly { readonly station_id: string }[]).map((one) => one.station_id);
  const text = await textOf(service);
  const [, station = ''] = /station_id=(\d+)&layout=wide/.exec(text) ?? [];
  t.ok(ids.includes(station), station);
  t.match(text, `${station} is one of the stations`);
  t.notMatch(text, '28005002');
});

async function textOf(service: { readonly port: number }): Promise<string> {
  return visibleText((await get(service, '/api-docs/recipes?language=en')).body.toString());
}
