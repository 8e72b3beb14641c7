/** A network of thousands of stations: the portal has a bounded size, says what it leaves out, and finds the rest. */
import t from 'tap';
import { generateDocument } from '../../support/documents/documents.js';
import { get, getJson } from '../../support/service/requests.js';
import { startServing } from '../../support/service/serve-documents.js';

/** Rows of the table and markers of the map, at most. */
const LIMIT = 1000;

type Station = Readonly<{ station_id: number; station_name: string }>;

void t.test('of 3600 stations a thousand are shown, and any other is found', async (t) => {
  const document = generateDocument({ stations: 3600, components: 1, hours: 2 });
  const service = await startServing(t, document);
  const pageOf = async (target: string): Promise<string> => {
    const { status, body } = await get(service, target);
    t.equal(status, 200, target);
    return body.toString();
  };
  const rowsOf = (page: string) =>
    [...(page.split('<tbody>')[1] ?? '').matchAll(/data-station="(\d+)"/g)].map(([, id]) => id);
  const first = await pageOf('/?language=en');
  t.equal(first.match(/<tr data-q=/g)?.length, LIMIT);
  const markers = first.match(/class="marker /g)?.length ?? 0;
  t.ok(markers > LIMIT / 2 && markers <= LIMIT, `${markers} markers`);
  t.match(first, /The map shows 1000 of 3600 stations/);
  t.match(first, /The first 1000 are listed\./);

  const listed = new Set(rowsOf(first));
  const stations = (await getJson(service, '/stations')).body as readonly Station[];
  const missing = stations.find((one) => !listed.has(String(one.station_id)));
  const { station_id: id = NaN, station_name: name = '' } = missing ?? {};
  const page = await pageOf(`/?language=en&q=${encodeURIComponent(name)}`);
  t.ok(rowsOf(page).includes(String(id)), name);
  t.notMatch(page, /are listed\./);
  t.match(page, new RegExp(`<a class="marker [^>]*data-station="${id}"`));
  t.match(await pageOf(`/?station_id=${id}`), `data-station="${id}"`, 'an open one is on the map');
  const panel = await pageOf(`/portal/station-modal?station_id=${stations[3000]?.station_id}`);
  t.equal(panel.match(/<option value="\d+"/g)?.length, 200, 'and is compared with 200');
});
