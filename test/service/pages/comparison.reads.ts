/** Comparisons of a panel: lines, picture and files have the same values, whatever the address. */
import { parse } from 'csv-parse/sync';
import readWorkbook from 'read-excel-file/universal';
import t, { type Test } from 'tap';
import { generateDocument } from '../../support/documents/documents.js';
import { NAMES, portalDocument } from '../../support/documents/portal-document.js';
import { unescapeHtml } from '../../support/readers/html.js';
import { get, getJson } from '../../support/service/requests.js';
import { startServing } from '../../support/service/serve-documents.js';
import type { Service } from '../../support/service/service.js';

const LINES_MAX = 6;
const LABELS = ['PM₁₀', 'NO₂', 'Temperature'];

type Line = readonly [station: number, component: number];

/** Queries, and the lines that they are shown by: those of ids that there are, once, in their order, at most six. */
const CASES: readonly (readonly [query: string, lines: readonly Line[]])[] = [
  ['station_id=1&compare=2', linesOf(1, 2)],
  ['station_id=1&compare=12,3,3,1,77,x', linesOf(1, 12, 3)],
  ['station_id=5&compare=4&compare=2', linesOf(5, 4, 2)],
  ['station_id=3&compare=2,1,4,5,6,7,8,9', linesOf(3, 2, 1, 4, 5, 6)],
  ['station_id=12&compare=6', linesOf(12, 6)],
  [
    'station_id=2&compare=c2,c1,c2',
    [
      [2, 1],
      [2, 2],
    ],
  ],
  ['station_id=2&compare=c3,c99', linesOf(2)],
  ['station_id=2&compare=2', linesOf(2)],
];

function linesOf(...stations: readonly number[]): readonly Line[] {
  return stations.map((id) => [id, 1]);
}

void t.test('whatever is compared', async (t) => {
  const service = await startServing(t, portalDocument(), { env: { DEFAULT_LANGUAGE: 'en' } });
  for (const [query, lines] of CASES) {
    const path = `/portal/station-modal?component_id=1&window=7d&language=en&${query}`;
    const html = String((await get(service, path)).body);
    const heads = attributesIn(html, 'data-name');
    t.same(heads, lines.length > 1 ? lines.map(nameOf(lines)) : [], query);
    if (lines.length > 1) await compareParts(t, service, { html, path, lines });
  }
});

function attributesIn(html: string, name: string): readonly string[] {
  const found = html.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'));
  return Array.from(found, ([, value = '']) => unescapeHtml(value));
}

/** A line has the name of its station, or of its component where all are of one station. */
function nameOf(lines: readonly Line[]): (line: Line) => string | undefined {
  const isOfStation = lines[0]?.[0] === lines[1]?.[0];
  return ([station, component]) => (isOfStation ? LABELS[component - 1] : NAMES[station - 1]);
}

interface Panel {
  readonly html: string;
  readonly path: string;
  readonly lines: readonly Line[];
}

/** Sentences, picture, citation and files of a panel are of its lines. */
async function compareParts(t: Test, service: Service, { html, path, lines }: Panel) {
  const read = async (target: string) => (await get(service, target)).body;
  const svg = unescapeHtml(String(await read(path.replace('station-modal', 'chart.svg'))));
  for (const line of lines) {
    const name = nameOf(lines)(line) ?? '';
    const isEmpty = line[0] === NAMES.length;
    const says = isEmpty ? 'There are no values in this period' : '';
    t.match(unescapeHtml(html), `<b>${name}</b>: ${says}`, path);
    t.match(svg, `>${isEmpty ? '– ' : ''}${name}</text>`, path);
  }
  t.notMatch(html, 'class="band"', 'colours of the map are of one component');
  const chosen = html.match(/<a id="compare-[^"]*"[^>]* aria-current/g);
  t.equal(chosen?.length, lines.length - 1, path);
  t.equal(html.includes('At most six can be compared.'), lines.length === LINES_MAX, path);
  const links = attributesIn(html, '(?:href|value)');
  const cited = links.find((link) => link.includes('Source: ')) ?? '';
  for (const [station] of lines) t.ok(cited.includes(NAMES[station - 1] ?? ''), cited);
  t.match(cited, /Source: .*from=.*&to=/, 'its link stays');

  const follow = (start: string) => read(links.find((link) => link.startsWith(start)) ?? '');
  const { data } = JSON.parse(String(await follow('/api/v1/observations?'))) as {
    readonly data: readonly { readonly station_id: string; readonly parameter_code: string }[];
  };
  const answered = new Set(data.map((row) => `${row.station_id} ${row.parameter_code}`));
  const expected = lines.filter(([station]) => station < NAMES.length);
  t.equal(answered.size, expected.length, path);
  const wide = parse(await follow('/api/v1/observations.csv?layout=wide'));
  const cells = wide.slice(1).flatMap((row) => row.slice(4));
  t.equal(cells.filter((cell) => cell !== '').length, data.length, path);
  const book = new Blob([new Uint8Array(await follow('/portal/station.xlsx'))]);
  const [sheet] = await readWorkbook(book);
  const [first = [], ...rows] = sheet?.data ?? [];
  t.equal(first.length, 2 + lines.length, path);
  const filled = rows.flatMap((row) => row.slice(2)).filter((cell) => cell !== null);
  t.equal(filled.length, data.length, path);
}

void t.test('of 300 stations the nearest have links, and 200 can be chosen', async (t) => {
  const document = generateDocument({ stations: 300, components: 2, hours: 30 });
  const service = await startServing(t, document);
  const path = '/?station_id=7&language=en&compare=1,2,3,4,5,6';
  const packed = await get(service, path, { headers: { 'Accept-Encoding': 'gzip' } });
  t.ok(packed.body.length < 60_000, `${packed.body.length} bytes`);
  const html = String((await get(service, '/portal/station-modal?station_id=7')).body);
  t.equal(html.match(/<option value="\d+"/g)?.length, 200);
  const stationsOf = async (query: string) =>
    (await getJson(service, `/api/v1/stations?${query}`)).body as readonly Station[];
  const [own] = await stationsOf('station_id=7');
  const near = await stationsOf(`lat=${own?.latitude}&lon=${own?.longitude}&radius_m=1000000`);
  t.same(
    [...html.matchAll(/<a id="compare-(\d+)"/g)].map(([, id]) => id),
    near.slice(1, 7).map(({ station_id: id }) => id),
  );
});

interface Station {
  readonly station_id: string;
  readonly latitude: number;
  readonly longitude: number;
}
