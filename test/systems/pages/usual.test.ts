/** Statements of a panel and its file of days, compared with an oracle's own count. */
import t, { type Test } from 'tap';
import { chanceOf, scaled, type Chance } from '../../support/faults/chance.js';
import { snapshotDocument, type PlainDocument } from '../../support/documents/documents.js';
import { unescapeHtml } from '../../support/readers/html.js';
import {
  dayLines,
  difference,
  oracleOf,
  type Hour,
  type OracleOptions,
} from '../../views/pages/portal/figures-oracle.js';
import { get } from '../../support/service/requests.js';
import { publishAndServe, startServing } from '../../support/service/serve-documents.js';
import type { Service } from '../../support/service/service.js';

const HOUR_MS = 3_600_000;
const DOCUMENTS = scaled(4);
const TIME_ZONE = 'Europe/Madrid';
const env = { TIME_ZONE, DEFAULT_LANGUAGE: 'en' };

void t.test('random networks, on both sides of a change of clocks', async (t) => {
  const chance = chanceOf(t);
  let service: Service | undefined;
  let compared = 0;
  for (let at = 0; at < DOCUMENTS; at += 1) {
    const document = randomDocument(chance, at);
    if (service === undefined) service = await startServing(t, document, { env });
    else await publishAndServe(service, document);
    compared += await compareAll(t, service);
  }
  t.ok(compared > DOCUMENTS, `${compared} series`);
});

interface Series {
  readonly stationId: string;
  readonly parameterCode: string;
  readonly unit: string;
  /** Ascending. */
  readonly hours: readonly Hour[];
}

/** Compares the panel of every series, and answers how many there are. */
async function compareAll(t: Test, service: Service): Promise<number> {
  const all = await readSeries(service);
  const ids = await componentIds(service);
  const meta = JSON.parse(String((await get(service, '/meta')).body)) as { generated_at: string };
  const end = Date.parse(meta.generated_at) / HOUR_MS;
  const measured = all.filter(({ unit }) => unit !== 'deg');
  for (const series of measured) {
    const { stationId, parameterCode, hours, unit } = series;
    const query = `station_id=${stationId}&component_id=${ids.get(parameterCode)}`;
    const modal = `/portal/station-modal?language=en&window=30d&${query}`;
    const html = String((await get(service, modal)).body);
    const wind = all.find((one) => one.stationId === stationId && one.unit === 'deg');
    const options: OracleOptions = {
      hours,
      network: all.filter((one) => one.parameterCode === parameterCode).map((one) => one.hours),
      wind: wind?.hours ?? [],
      interval: { from: end - 720, to: end },
      timeZone: TIME_ZONE,
      unit: unescapeHtml(/data-unit="([^"]*)"/.exec(html)?.[1] ?? ''),
      isSum: unit === 'mm',
      isRose: unit.includes('g'),
    };
    const name = `${stationId}, ${parameterCode}`;
    t.same(differences(saidIn(html), oracleOf(options)), [], name);
    const days = await get(service, `/portal/days.csv?${query}`);
    t.same(differences(daysIn(String(days.body)), dayLines(options)), [], `days of ${name}`);
  }
  return measured.length;
}

function differences(said: readonly string[], expected: readonly string[]): readonly string[] {
  const lines = Array.from({ length: Math.max(said.length, expected.length) }, (_, index) => index);
  return lines.flatMap((index) => difference(said[index], expected[index]) ?? []);
}

/** The lines of an English panel, dates without their year. */
function saidIn(html: string): readonly string[] {
  const [newest = ''] = /<div class="newest">.*?<\/div>/s.exec(html) ?? [];
  const [usual = ''] = /<p class="usual-now">.*?<\/p>/s.exec(newest) ?? [];
  const [says = ''] = /<div class="chart-says">.*?<\/div>/s.exec(html) ?? [];
  const [rose = ''] = /<div class="rose">.*?<details>/s.exec(html) ?? [];
  const days = /<details class="days">.*?<\/details>/s.exec(html)?.[0] ?? '';
  return [
    ...usual.split('</strong>'),
    ...(newest.match(/<p>.*?<\/p>/gs) ?? []),
    // The last one is of the band.
    ...(says.match(/<p>(?!<svg).*?<\/p>/gs) ?? []),
    ...(days.match(/<tr><th scope="row">.*?<\/tr>/gs) ?? []).map((row) => {
      const cells = [...row.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell = '']) => cell);
      return `${/datetime="([^"]*)"/.exec(row)?.[1]}: ${cells.join(' ')}`;
    }),
    ...(rose.match(/<p>.*?<\/p>/gs) ?? []).flatMap((one) => one.split(/(?<=circle.*\.) (?=\d)/)),
  ]
    .map((line) => unescapeHtml(line.replaceAll(/<[^>]*>/g, '')).trim())
    .map((line) => line.replaceAll(/(?<=[A-Z][a-z]{2,3}) 20\d\d(?=, )/g, ''))
    .filter((line) => line !== '');
}

/** Days of the file, which ascend. */
function daysIn(csv: string): readonly string[] {
  const [head = '', ...lines] = csv.trimEnd().split('\r\n');
  const at = head.split(',').indexOf('date');
  return lines.toReversed().map((line) => {
    const [date, mean, lowest, highest, count, hours, sum] = line.split(',').slice(at);
    const figures = [mean || sum, lowest, highest].map((cell) => cell || '–');
    return `${date}: ${figures.join(' ')} ${count} / ${hours}`;
  });
}

/** The values of the last 30 days. */
async function readSeries(service: Service): Promise<readonly Series[]> {
  const { body } = await get(service, '/api/v1/observations/stream');
  const series = new Map<string, Omit<Series, 'hours'> & { hours: Hour[] }>();
  for (const line of body.toString().trimEnd().split('\n')) {
    const row = JSON.parse(line) as Readonly<Record<string, string | number | null>>;
    const [stationId, parameterCode] = [String(row['station_id']), String(row['parameter_code'])];
    if (typeof row['value'] !== 'number') continue;
    const key = `${stationId} ${parameterCode}`;
    const one = series.get(key) ?? {
      stationId,
      parameterCode,
      unit: String(row['unit']),
      hours: [],
    };
    series.set(key, one);
    const hour = Date.parse(String(row['time_start_utc'])) / HOUR_MS;
    one.hours.push({ hour, value: row['value'] });
  }
  for (const { hours } of series.values()) hours.sort((a, b) => a.hour - b.hour);
  return [...series.values()];
}

async function componentIds(service: Service): Promise<ReadonlyMap<string, number>> {
  const components = JSON.parse(String((await get(service, '/components')).body)) as {
    readonly short_name: string;
    readonly component_id: number;
  }[];
  return new Map(components.map((one) => [one.short_name, one.component_id]));
}

/** Up to six stations over up to thirty days, with gaps, equal values, and a station that is late. */
function randomDocument({ integer, number }: Chance, at: number): PlainDocument {
  const endMs = Date.parse(at % 2 === 0 ? '2026-04-09T00:00:00Z' : '2025-11-09T00:00:00Z');
  const stations = Array.from({ length: 1 + integer(6) }, (_, index) => index + 1);
  const days = 1 + integer(30);
  const [steps, gaps, digits] = [2 + integer(60), integer(40) / 100, integer(2)];
  const measurements = stations.flatMap((station_id) => {
    const lateHours = integer(4) === 0 ? integer(30) : 0;
    return Array.from({ length: days * 24 }, (_, age) => age + 1)
      .filter((age) => age > lateHours && number() >= gaps)
      .flatMap((age) => {
        const start = new Date(endMs - age * HOUR_MS).toISOString();
        const row = { station_id, date: start.slice(0, 10), time: start.slice(11, 16) };
        const value = (): number => Number((integer(steps) / 10 ** digits).toFixed(digits));
        return [1, 2].map((component_id) => ({ ...row, component_id, value: value() }));
      });
  });
  return snapshotDocument({
    snapshot_id: `random-${at}`,
    generated_at: new Date(endMs).toISOString(),
    components: [
      { component_id: 1, short_name: 'PM10', unit: 'ug.m-3' },
      { component_id: 2, short_name: 'TEMP', unit: 'Cel' },
    ],
    stations: stations.map((id) => ({
      station_id: id,
      station_name: `Station ${id}`,
      station_code: `RS${id}`,
      organization_id: 1,
      network_id: 1,
      longitude: 20 + id / 10,
      latitude: 44,
      component_ids: [1, 2],
    })),
    measurements,
  });
}
