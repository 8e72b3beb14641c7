/** Comparisons of a panel: lines, picture and files have the same values, whatever the address. */
import { parse } from 'csv-parse/sync';
import { setTimeout as after } from 'node:timers/promises';
import readWorkbook from 'read-excel-file/universal';
import t, { type Test } from 'tap';
import { NAMES, portalDocument } from '../../support/documents/portal-document.js';
import { unescapeHtml } from '../../support/readers/html.js';
import { get, getJson } from '../../support/service/requests.js';
import { startServing } from '../../support/service/serve-documents.js';
import type { Service } from '../../support/service/service.js';

/** Queries, and the stations of their lines: those of ids that there are, once, in their order, at most six. */
const CASES: readonly (readonly [query: string, stations: readonly number[]])[] = [
  ['station_id=1&compare=2', [1, 2]],
  ['station_id=1&compare=12,3,3,1,77,x', [1, 12, 3]],
  ['station_id=5&compare=4&compare=2', [5, 4, 2]],
  ['station_id=3&compare=2,1,4,5,6,7,8,9', [3, 2, 1, 4, 5, 6]],
  ['station_id=12&compare=6', [12, 6]],
  ['station_id=2&compare=c2,c1,c2', [2, 2]],
  ['station_id=2&compare=c3,c99', [2]],
  ['station_id=2&compare=2', [2]],
];

interface Panel {
  readonly html: string;
  readonly path: string;
  readonly stations: readonly number[];
  /** Names of the lines: of their stations, or of components of one station. */
  readonly names: readonly string[];
}

void t.test('whatever is compared', async (t) => {
  const service = await startServing(t, portalDocument(), { env: { DEFAULT_LANGUAGE: 'en' } });
  for (const [query, stations] of CASES) {
    const path = `/portal/station-modal?component_id=1&window=7d&language=en&${query}`;
    const html = String((await get(service, path)).body);
    const ofStations = stations.map((id) => NAMES[id - 1] ?? '');
    const names = query.includes('c2') ? ['PM₁₀', 'NO₂'] : ofStations;
    const isCompared = stations.length > 1;
    t.same(attributesIn(html, 'data-name'), isCompared ? names : [], query);
    if (isCompared) await compareParts(t, service, { html, path, stations, names });
  }
  const around = '/api/v1/stations?lat=44.3&lon=19.2&radius_m=1000000';
  const near = (await getJson(service, around)).body as readonly { readonly station_id: string }[];
  const html = String((await get(service, '/portal/station-modal?station_id=1')).body);
  const linked = Array.from(html.matchAll(/<a id="compare-(\d+)"/g), ([, id]) => id);
  const nearest = near.slice(0, 7).map((one) => one.station_id);
  t.same(['1', ...linked], nearest, 'the nearest have links');
});

function attributesIn(html: string, name: string): readonly string[] {
  const found = html.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'));
  return Array.from(found, ([, value = '']) => unescapeHtml(value));
}

/** Sentences, picture, citation and files of a panel are of its lines. */
async function compareParts(t: Test, service: Service, { html, path, stations, names }: Panel) {
  const read = async (target: string): Promise<Buffer> => {
    const { status, headers, body } = await get(service, target);
    if (status === 200) return body;
    // Workers yield to other processes, so a busy machine may draw a workbook after the deadline of an answer.
    if (status !== 503) throw new Error(`${status} for ${target}: ${String(body).slice(0, 300)}`);
    await after(Number(headers['retry-after']) * 1000);
    return await read(target);
  };
  const svg = unescapeHtml(String(await read(path.replace('station-modal', 'chart.svg'))));
  const isEmpty = (station: number): boolean => station === NAMES.length;
  for (const [at, name] of names.entries()) {
    const isLost = isEmpty(stations[at] ?? 0);
    const says = isLost ? 'There are no values in this period' : '';
    t.match(unescapeHtml(html), `<b>${name}</b>: ${says}`, path);
    t.match(svg, `>${isLost ? '– ' : ''}${name}</text>`, path);
  }
  t.notMatch(html, 'class="band"', 'colours of the map are of one component');
  const chosen = html.match(/<a id="compare-[^"]*"[^>]* aria-current/g);
  t.equal(chosen?.length, names.length - 1, path);
  t.equal(html.includes('At most six can be compared.'), names.length === 6, path);
  const links = attributesIn(html, '(?:href|value)');
  const cited = links.find((link) => link.includes('Source: ')) ?? '';
  for (const id of stations) t.ok(cited.includes(NAMES[id - 1] ?? ''), cited);
  t.match(cited, /Source: .*from=.*&to=/, 'its link stays');

  const follow = (start: string) => read(links.find((link) => link.startsWith(start)) ?? '');
  const { data } = JSON.parse(String(await follow('/api/v1/observations?'))) as {
    readonly data: readonly { readonly station_id: string; readonly parameter_code: string }[];
  };
  const answered = new Set(data.map((row) => `${row.station_id} ${row.parameter_code}`));
  const full = stations.filter((id) => !isEmpty(id));
  t.equal(answered.size, full.length, path);
  const wide = parse(await follow('/api/v1/observations.csv?layout=wide'));
  const cells = wide.slice(1).flatMap((row) => row.slice(4));
  t.equal(cells.filter((cell) => cell !== '').length, data.length, path);
  const book = new Blob([new Uint8Array(await follow('/portal/station.xlsx'))]);
  const sheets = (await readWorkbook(book)).map((sheet) => sheet.data);
  const [[first = [], ...rows] = [], about = [], chart] = sheets;
  for (const id of stations) t.ok(about.flat().includes(NAMES[id - 1] ?? ''), path);
  t.same(chart, [], 'a picture');
  t.equal(first.length, 2 + names.length, path);
  const filled = rows.flatMap((row) => row.slice(2)).filter((cell) => cell !== null);
  t.equal(filled.length, data.length, path);
}
