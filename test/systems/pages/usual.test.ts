/** Whether what a panel says of a station's newest value is so: its rank, and what is usual here, against an oracle's own count. */
import t, { type Test } from 'tap';
import { chanceOf, scaled, type Chance } from '../../support/faults/chance.js';
import { snapshotDocument, type PlainDocument } from '../../support/documents/documents.js';
import { unescapeHtml } from '../../support/readers/html.js';
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

interface Hour {
  readonly startMs: number;
  readonly value: number;
}

interface Series {
  readonly stationId: string;
  readonly parameterCode: string;
  /** Ascending. */
  readonly hours: readonly Hour[];
}

/** Compares the panel of every series, and answers how many there are. */
async function compareAll(t: Test, service: Service): Promise<number> {
  const all = await readSeries(service);
  const ids = await componentIds(service);
  const meta = JSON.parse(String((await get(service, '/meta')).body)) as { generated_at: string };
  const dayStartMs = Date.parse(meta.generated_at) - 24 * HOUR_MS;
  for (const series of all) {
    const query = `station_id=${series.stationId}&component_id=${ids.get(series.parameterCode)}`;
    const { body } = await get(service, `/portal/station-modal?language=en&${query}`);
    t.same(
      saidIn(body.toString()),
      expectedOf(series, all, dayStartMs),
      `${series.stationId}, ${series.parameterCode}`,
    );
    const days = await get(service, `/portal/days.csv?${query}`);
    compareDays(t, days.body.toString(), series);
  }
  return all.length;
}

/** Means within half of their last digit, which is one more than the values have. */
function compareDays(t: Test, csv: string, { stationId, parameterCode, hours }: Series): void {
  const [, ...lines] = csv.trimEnd().split('\r\n');
  const days = new Map<string, Hour[]>();
  for (const hour of hours) {
    const date = dates.format(hour.startMs);
    days.set(date, [...(days.get(date) ?? []), hour]);
  }
  const wrong = lines.flatMap((line) => {
    const [date = '', mean, lowest, highest, count] = line.split(',').slice(-6);
    const values = (days.get(date) ?? []).map(({ value }) => value);
    days.delete(date);
    const expected = values.reduce((sum, value) => sum + value, 0) / values.length;
    const figures = values.length === 0 ? ['', ''] : [Math.min(...values), Math.max(...values)];
    const isMean = values.length === 0 ? mean === '' : Math.abs(Number(mean) - expected) <= 0.0501;
    const shown = [lowest, highest].map((cell) => (cell ? Number(cell) : ''));
    return isMean && `${figures.join()},${values.length}` === `${shown.join()},${count}`
      ? []
      : [`${line}, expected ${expected}, ${figures.join()}`];
  });
  t.same(wrong, [], `days of ${stationId}, ${parameterCode}`);
  t.equal(days.size, 0, 'no day is missing');
}

const dates = new Intl.DateTimeFormat('sv-SE', { timeZone: TIME_ZONE, dateStyle: 'short' });

/** The values of the last 30 days, of which directions are left out. */
async function readSeries(service: Service): Promise<readonly Series[]> {
  const { body } = await get(service, '/api/v1/observations/stream');
  const series = new Map<string, Omit<Series, 'hours'> & { hours: Hour[] }>();
  for (const line of body.toString().trimEnd().split('\n')) {
    const row = JSON.parse(line) as Readonly<Record<string, string | number | null>>;
    const [stationId, parameterCode] = [String(row['station_id']), String(row['parameter_code'])];
    if (typeof row['value'] !== 'number' || row['unit'] === 'deg') continue;
    const key = `${stationId} ${parameterCode}`;
    const one = series.get(key) ?? { stationId, parameterCode, hours: [] };
    series.set(key, one);
    one.hours.push({ startMs: Date.parse(String(row['time_start_utc'])), value: row['value'] });
  }
  for (const { hours } of series.values()) hours.sort((a, b) => a.startMs - b.startMs);
  return [...series.values()];
}

async function componentIds(service: Service): Promise<ReadonlyMap<string, number>> {
  const components = JSON.parse(String((await get(service, '/components')).body)) as {
    readonly short_name: string;
    readonly component_id: number;
  }[];
  return new Map(components.map((one) => [one.short_name, one.component_id]));
}

/** The numbers that an English panel says, undefined where it says none. */
function saidIn(html: string) {
  const block = /<div class="newest">(.*?)<\/div>/s.exec(html)?.[1] ?? '';
  const text = unescapeHtml(block.replaceAll(/<[^>]*>/g, ' ')).replaceAll(/\s+/g, ' ');
  const [, change] = /([+-][\d.,]+)[^.]* since the hour before/.exec(text) ?? [];
  const [, place, side, count] =
    /(?:(\d+)(?:st|nd|rd|th) )?([Hh]ighest|[Ll]owest) of (\d+) stations/.exec(text) ?? [];
  const hours =
    /(Higher|Lower|The same as|The highest|The lowest)[a-z ]*(\d+)?%?[a-z ]* (?:hours of the )?last 30 days/.exec(
      text,
    );
  const days =
    /(Higher|Lower|The same as|The highest|The lowest)(?: than)? at [\d:–]+ (?:of all these days|on (\d+)% of the days)/.exec(
      text,
    );
  const outside = /Higher than usual: (\d+) of (\d+) hours\. Lower: (\d+)\./.exec(
    unescapeHtml(html),
  );
  const range = /Usual at this hour: (-?[\d.,]+) to (-?[\d.,]+)/.exec(text);
  return {
    change: /The same as the hour before/.test(text) ? 0 : numberOf(change),
    rank: side && `${place ?? 1} ${side.toLowerCase()} of ${count}`,
    hours: hours && `${hours[1]} ${hours[2] ?? ''}`,
    days: days && `${days[1]} ${days[2] ?? ''}`,
    range: range && [range[1], range[2]].map(numberOf),
    outside: outside && [outside[1], outside[2], outside[3]].map(numberOf),
  };
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text.replaceAll(',', ''));
}

/** The same, counted from the values in the plainest way. */
function expectedOf({ parameterCode, hours }: Series, all: readonly Series[], dayStartMs: number) {
  const newest = hours.at(-1) ?? { startMs: NaN, value: NaN };
  const before = hours.find(({ startMs }) => startMs === newest.startMs - HOUR_MS);
  const same = all.filter((one) => one.parameterCode === parameterCode);
  const newestOfAll = Math.max(...same.map((one) => one.hours.at(-1)?.startMs ?? 0));
  const network = same.flatMap((one) =>
    one.hours.filter(({ startMs }) => startMs === newestOfAll).map(({ value }) => value),
  );
  const clock = clockOf(newest.startMs);
  const days = hours.filter(({ startMs }) => clockOf(startMs) === clock);
  const others = (list: readonly Hour[]): readonly number[] =>
    list.filter((one) => one !== newest).map(({ value }) => value);
  const sorted = days.map(({ value }) => value).toSorted((a, b) => a - b);
  return {
    change: before && Number((newest.value - before.value).toFixed(3)),
    rank: newest.startMs === newestOfAll ? rankOf(newest.value, network) : undefined,
    hours: hours.length > 24 ? standingOf(newest.value, others(hours)) : null,
    days: days.length > 7 ? standingOf(newest.value, others(days)) : null,
    range: days.length > 7 ? [0.1, 0.9].map((share) => shown(quantile(sorted, share))) : null,
    outside: outsideOf(hours, dayStartMs),
  };
}

/** Hours of the last day above what is usual at their hour of the clock, all that can be compared, and those below. */
function outsideOf(hours: readonly Hour[], dayStartMs: number): readonly number[] | null {
  const compared = hours.flatMap(({ startMs, value }) => {
    if (startMs < dayStartMs) return [];
    const clock = clockOf(startMs);
    const sorted = hours
      .filter((one) => clockOf(one.startMs) === clock)
      .map((one) => one.value)
      .toSorted((a, b) => a - b);
    if (sorted.length <= 7) return [];
    return { value, low: quantile(sorted, 0.1), high: quantile(sorted, 0.9) };
  });
  // Without such an hour, or without a value of the day, there is no band.
  if (compared.length === 0) return null;
  return [
    compared.filter(({ value, high }) => value > high).length,
    compared.length,
    compared.filter(({ value, low }) => value < low).length,
  ];
}

const clocks = new Intl.DateTimeFormat('en-GB', { timeZone: TIME_ZONE, hour: '2-digit' });
const clockOf = (startMs: number): string => clocks.format(startMs);

function rankOf(value: number, network: readonly number[]): string | undefined {
  const sorted = network.toSorted((a, b) => b - a);
  if (sorted[0] === sorted.at(-1)) return undefined;
  const fromTop = sorted.indexOf(value);
  const fromBottom = sorted.toReversed().indexOf(value);
  const [place, side] = fromTop <= fromBottom ? [fromTop, 'highest'] : [fromBottom, 'lowest'];
  return `${place + 1} ${side} of ${network.length}`;
}

function standingOf(value: number, others: readonly number[]): string {
  const percent = (count: number): string => String(Math.floor((100 * count) / others.length));
  const [lower, higher] = [
    others.filter((one) => one < value).length,
    others.filter((one) => one > value).length,
  ];
  const same = others.length - lower - higher;
  if (lower === others.length) return 'The highest ';
  if (higher === others.length) return 'The lowest ';
  if (same > lower && same > higher) return `The same as ${percent(same)}`;
  return lower >= higher ? `Higher ${percent(lower)}` : `Lower ${percent(higher)}`;
}

/** Between the two nearest values, as NumPy has it. */
function quantile(sorted: readonly number[], share: number): number {
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? NaN;
  const above = sorted[Math.ceil(position)] ?? NaN;
  return below + (above - below) * (position - Math.floor(position));
}

/** To the digits that numbers of that size have on pages. */
function shown(value: number): number {
  const size = Math.abs(value);
  const digits = size < 1 ? 3 : size < 10 ? 2 : size < 1000 ? 1 : 0;
  const text = new Intl.NumberFormat('en-GB', { maximumFractionDigits: digits });
  return Number(text.format(value).replaceAll(',', ''));
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
