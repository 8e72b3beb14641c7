/** Comparisons of a panel: lines, picture and files have the same values, whatever the address. */
import readWorkbook from 'read-excel-file/universal';
import t, { type Test } from 'tap';
import {
  generateDocument,
  snapshotDocument,
  type PlainDocument,
} from '../../support/documents/documents.js';
import { chanceOf, scaled, type Chance } from '../../support/faults/chance.js';
import { unescapeHtml } from '../../support/readers/html.js';
import { get, getJson } from '../../support/service/requests.js';
import { publishAndServe, startServing } from '../../support/service/serve-documents.js';
import type { Service } from '../../support/service/service.js';

const HOUR_MS = 3_600_000;
const END = Date.parse('2026-04-09T00:00:00Z') / HOUR_MS;
const LINES_MAX = 6;
const QUERIES = 12;
const SEVERAL_LINES = 6;

/** The first two share their unit. */
const COMPONENTS = [
  { component_id: 1, short_name: 'PM10', unit: 'ug.m-3', label: 'PM₁₀' },
  { component_id: 2, short_name: 'NO2', unit: 'ug/m3', label: 'NO₂' },
  { component_id: 3, short_name: 'TEMP', unit: 'Cel', label: 'Temperature' },
] as const;

interface Network {
  readonly stations: readonly { readonly id: number; readonly componentIds: readonly number[] }[];
  /** By station, component and hour. */
  readonly values: ReadonlyMap<string, number>;
  readonly document: PlainDocument;
}

/** Up to nine stations around the antimeridian in the south, with gaps, ties, and such as do not measure everything. */
function randomNetwork({ integer, number }: Chance, at: number): Network {
  const stations = Array.from({ length: 1 + integer(at === 0 ? 1 : 9) }, (_, index) => ({
    id: index + 1,
    componentIds: COMPONENTS.map((one) => one.component_id).filter(
      (id) => index === 0 || id === 3 || integer(4) > 0,
    ),
  }));
  const [days, steps, gaps] = [1 + integer(30), 2 + integer(60), integer(40) / 100];
  const values = new Map<string, number>();
  const measurements = stations.flatMap(({ id, componentIds }) => {
    const late = integer(4) === 0 ? integer(200) : 0;
    return Array.from({ length: days * 24 }, (_, age) => END - 1 - age)
      .filter((hour) => hour < END - late && number() >= gaps)
      .flatMap((hour) => {
        const start = new Date(hour * HOUR_MS).toISOString();
        return componentIds.map((component_id) => {
          const value = integer(steps) / 10 - (component_id === 3 ? 3 : 0);
          values.set(`${id} ${component_id} ${hour}`, value);
          return {
            station_id: id,
            component_id,
            date: start.slice(0, 10),
            time: start.slice(11, 16),
            value,
          };
        });
      });
  });
  const document = snapshotDocument({
    snapshot_id: `compared-${at}`,
    generated_at: new Date(END * HOUR_MS).toISOString(),
    components: COMPONENTS.map(({ label: _, ...one }) => one),
    stations: stations.map(({ id, componentIds }) => ({
      station_id: id,
      station_name: `Station ${id}`,
      station_code: `NZ${id}`,
      organization_id: 1,
      network_id: 1,
      longitude: (id % 2 === 0 ? -1 : 1) * (180 - number()),
      latitude: -41 - number(),
      component_ids: componentIds,
    })),
    measurements,
  });
  return { stations, values, document };
}

interface Asked {
  readonly query: string;
  readonly hours: readonly [from: number, to: number];
  /** Lines of the chart, that of the open station first. */
  readonly lines: readonly { readonly stationId: number; readonly componentId: number }[];
}

/** Ids that there are and others, twice, of itself, more than six: as a list or as repeats. */
function randomQuery({ stations }: Network, { integer, oneOf }: Chance): Asked {
  const stationId = 1 + integer(stations.length);
  const own = stations.find(({ id }) => id === stationId)?.componentIds ?? [];
  const componentId = own[integer(own.length)] ?? 1;
  const isOfStation = integer(3) === 0;
  const ids = Array.from({ length: 1 + integer(9) }, () => integer(isOfStation ? 5 : 12));
  const written = ids.map((id) => (isOfStation ? `c${id}` : String(id)));
  const compare = oneOf([
    `compare=${written.join(',')}`,
    written.map((one) => `compare=${one}`).join('&'),
  ]);
  const unique = [...new Set(ids)];
  const lines = isOfStation
    ? unique
        .filter((id) => id !== componentId && id + componentId === 3 && own.includes(id))
        .map((id) => ({ stationId, componentId: id }))
    : unique
        .filter((id) => id !== stationId && stations.some((one) => one.id === id))
        .map((id) => ({ stationId: id, componentId }));
  const from = END - 48 - integer(300);
  const to = from + 1 + integer(60);
  const timeOf = (hour: number): string =>
    new Date(hour * HOUR_MS).toISOString().replace(':00.000Z', 'Z');
  const isFixed = integer(2) === 0;
  const period = isFixed ? `from=${timeOf(from)}&to=${timeOf(to)}` : 'window=7d';
  return {
    query: `station_id=${stationId}&component_id=${componentId}&${compare}&${period}&language=en`,
    hours: isFixed ? [from, to] : [END - 168, END],
    lines: [{ stationId, componentId }, ...lines].slice(0, LINES_MAX),
  };
}

/** `1 2 490000 4.5`: station, component, hour and value, for all requested lines. */
function expectedValues(
  { values }: Network,
  { lines, hours: [from, to] }: Asked,
): readonly string[] {
  return lines.flatMap(({ stationId, componentId }) =>
    Array.from({ length: to - from }, (_, index) => {
      const key = `${stationId} ${componentId} ${from + index}`;
      const value = values.get(key);
      return value === undefined ? [] : [`${key} ${value}`];
    }).flat(),
  );
}

void t.test('random networks', async (t) => {
  const service = await startServing(t, snapshotDocument(), { env: { DEFAULT_LANGUAGE: 'en' } });
  const chance = chanceOf(t);
  let severalLines = 0;
  // Chance may give few queries of several lines: networks are made until there are enough.
  for (let at = 0; at < scaled(4) || severalLines < SEVERAL_LINES; at += 1) {
    const network = randomNetwork(chance, at);
    await publishAndServe(service, network.document);
    for (let time = 0; time < QUERIES; time += 1) {
      const asked = randomQuery(network, chance);
      await comparePanel(t, service, { network, asked });
      if (asked.lines.length > 1) severalLines += 1;
    }
  }
});

async function comparePanel(
  t: Test,
  service: Service,
  { network, asked }: { readonly network: Network; readonly asked: Asked },
): Promise<void> {
  const { query, lines } = asked;
  const html = String((await get(service, `/portal/station-modal?${query}`)).body);
  const expected = expectedValues(network, asked);
  const names = lines.map(({ stationId, componentId }) =>
    lines[1]?.stationId === stationId && lines[0]?.stationId === stationId
      ? (COMPONENTS[componentId - 1]?.label ?? '')
      : `Station ${stationId}`,
  );
  const heads = [...html.matchAll(/data-name="([^"]*)"/g)].map(([, name]) => name);
  const isTable = expected.length > 0 && lines.length > 1;
  t.same(heads, isTable ? names : [], query);
  t.same(tableValues(html, lines).toSorted(), expected.toSorted(), query);
  if (lines.length === 1) return;
  for (const name of names) t.match(html, `<b>${name}</b>: `, query);
  const chosen = [...html.matchAll(/<a id="compare-([^"]*)"[^>]* aria-current/g)].map(
    ([, id]) => id,
  );
  t.equal(chosen.length, lines.length - 1, query);
  t.equal(html.includes('At most six can be compared.'), lines.length === LINES_MAX, query);
  const svg = String((await get(service, `/portal/chart.svg?${query}`)).body);
  if (asked.hours[1] - asked.hours[0] > 1 && expected.length > 0) {
    // A line without a value is named after a dash.
    for (const name of names) t.match(svg, new RegExp(`>(?:– )?${name}</text>`), query);
  }
  await compareFiles(t, service, { html, expected, asked });
}

function tableValues(html: string, lines: Asked['lines']): readonly string[] {
  const rows = html.matchAll(/<tr data-h="(\d+)">(.*?)<\/tr>/g);
  return [...rows].flatMap(([, hour = '', row = '']) =>
    [...row.matchAll(/<td(?: data-v="([^"]*)")?>/g)]
      .slice(2)
      .flatMap(([, value], at) =>
        value === undefined
          ? []
          : [`${lines[at]?.stationId} ${lines[at]?.componentId} ${hour} ${value}`],
      ),
  );
}

/** The targets of a panel's links have the values of its chart, and no others. */
async function compareFiles(
  t: Test,
  service: Service,
  {
    html,
    expected,
    asked: { query, lines },
  }: { readonly html: string; readonly expected: readonly string[]; readonly asked: Asked },
): Promise<void> {
  const links = [...html.matchAll(/(?:href|value)="([^"]*)"/g)].map(([, link = '']) =>
    unescapeHtml(link),
  );
  const cited = links.find((link) => link.includes('Source: ')) ?? '';
  for (const { stationId } of lines) t.match(cited, `Station ${stationId}`, query);
  t.match(cited, /from=.*&to=/, 'its link stays');
  if (expected.length === 0) return;
  const linkTo = (start: string): string => links.find((link) => link.startsWith(start)) ?? '';
  const { body } = await getJson(service, linkTo('/api/v1/observations?'));
  const rows = (body as { readonly data: readonly Readonly<Record<string, string | number>>[] })
    .data;
  const answered = rows.map((row) => {
    const component = COMPONENTS.find(({ short_name: code }) => code === row['parameter_code']);
    const hour = Date.parse(String(row['time_start_utc'])) / HOUR_MS;
    return `${row['station_id']} ${component?.component_id} ${hour} ${row['value']}`;
  });
  t.same(answered.toSorted(), expected.toSorted(), linkTo('/api/v1/observations?'));
  const csv = String((await get(service, linkTo('/api/v1/observations.csv?station'))).body);
  t.equal(csv.trimEnd().split('\r\n').length - 1, expected.length);
  const [head = '', ...wide] = String(
    (await get(service, linkTo('/api/v1/observations.csv?layout=wide'))).body,
  )
    .trimEnd()
    .split('\r\n');
  const cells = wide.flatMap((line) => line.split(',').slice(4));
  t.equal(cells.filter((cell) => cell !== '').length, expected.length, head);
  const book = await get(service, linkTo('/portal/station.xlsx'));
  const [sheet] = await readWorkbook(new Blob([new Uint8Array(book.body)]));
  const filled = (sheet?.data ?? []).slice(1).flatMap((row) => row.slice(2));
  t.equal(sheet?.data[0]?.length, 2 + lines.length, query);
  t.equal(filled.filter((cell) => cell !== null).length, expected.length, query);
}

void t.test('of 300 stations the nearest have links, and 200 can be chosen', async (t) => {
  const service = await startServing(
    t,
    generateDocument({ stations: 300, components: 2, hours: 30 }),
  );
  const { body } = await get(service, '/portal/station-modal?station_id=7&language=en');
  const html = String(body);
  const linked = [...html.matchAll(/<a id="compare-(\d+)"/g)].map(([, id]) => id);
  const near = await getJson(service, `/api/v1/stations?${await positionOf(service, 7)}`);
  const stations = near.body as readonly { readonly station_id: string }[];
  t.same(
    linked,
    stations.slice(1, 7).map(({ station_id: id }) => id),
  );
  t.equal(html.match(/<option value="\d+"/g)?.length, 200);
  const packed = await get(service, '/?station_id=7&language=en&compare=1,2,3,4,5,6', {
    headers: { 'Accept-Encoding': 'gzip' },
  });
  t.ok(packed.body.length < 60_000, `${packed.body.length} bytes`);
});

async function positionOf(service: Service, id: number): Promise<string> {
  const { body } = await getJson(service, `/api/v1/stations?station_id=${id}`);
  const [station] = body as readonly { readonly latitude: number; readonly longitude: number }[];
  return `lat=${station?.latitude}&lon=${station?.longitude}&radius_m=1000000`;
}
