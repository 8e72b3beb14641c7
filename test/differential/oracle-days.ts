/**
 * Expected days of the clock at a station, at all stations, and hours of a workbook: by DuckDB and its own table of time
 * zones, from the documentation alone.
 */
import { HOUR_MS, isAmount, isDirection, RETENTION_HOURS, textOf, type Fields } from './network.js';
import type { Expected, Oracle, Row } from './oracle.js';
import type { Asked } from './request.js';

/** An oracle, and the clock of the service. */
interface Place {
  readonly oracle: Oracle;
  readonly timeZone: string;
}

/** Starts of hours in milliseconds, half-open. */
interface Interval {
  readonly fromMs: number;
  readonly toMs: number;
}

const WINDOW_HOURS: readonly (readonly [string, number])[] = [
  ['30d', 720],
  ['14d', 336],
  ['7d', 168],
  ['1d', 24],
];

/** Days of one series; without a window of days only the names of the columns. */
export async function expectedDays(asked: Asked, place: Place): Promise<Expected> {
  const { oracle } = place;
  const station = publicOne(oracle.network.stations, 'station_id', asked.stationId);
  const component = publicOne(oracle.network.components, 'component_id', asked.componentId);
  if (station === undefined || component === undefined) return { status: 404 };
  const interval = fixedHours(asked, oracle) ?? longestWindow(oracle);
  if (interval === undefined) return { status: 200, rows: [] };
  return { status: 200, rows: await dayRows(place, { stations: [station], component, interval }) };
}

/** The last seven days and today at all stations that measure a component, as far as the longest window has them. */
export async function expectedWeek(asked: Asked, place: Place): Promise<Expected> {
  const { oracle } = place;
  const component = publicOne(oracle.network.components, 'component_id', asked.componentId);
  if (component === undefined || isDirection(component)) return { status: 404 };
  const interval = longestWindow(oracle);
  const measured = await measuredPairs(oracle);
  const stations = oracle.network.stations.filter(
    (one) => one['public'] !== false && measures(one, component, measured),
  );
  if (interval === undefined || stations.length === 0) return { status: 200, rows: [] };
  const rows = await dayRows(place, { stations, component, interval });
  const firstMs = Date.parse(textOf(rows.at(-1)?.['date'])) - 7 * 24 * HOUR_MS;
  return { status: 200, rows: rows.filter((row) => Date.parse(textOf(row['date'])) >= firstMs) };
}

/** Every hour of a station with its clock and its values. */
export async function expectedWorkbook(asked: Asked, place: Place): Promise<Expected> {
  const { oracle, timeZone } = place;
  const station = publicOne(oracle.network.stations, 'station_id', asked.stationId);
  const component = publicOne(oracle.network.components, 'component_id', asked.componentId);
  if (station === undefined || component === undefined) return { status: 404 };
  const measured = await measuredPairs(oracle);
  const ids = oracle.network.components
    .filter((one) => one['public'] !== false && measures(station, one, measured))
    .map(componentId);
  const interval =
    fixedHours(asked, oracle) ?? longestWindow(oracle) ?? (await lastHour(asked, { oracle, ids }));
  const rows = await oracle.rows(`WITH hours AS (${hoursSql(interval)})
    SELECT start_ms, epoch_ms(${localSql(timeZone)})::DOUBLE AS local_ms,
      list(value ORDER BY value) FILTER (value IS NOT NULL) AS found
    FROM hours LEFT JOIN (FROM seen WHERE station_id = ${asked.stationId} AND component_id IN (${inList(ids)}))
      USING (start_ms)
    GROUP BY start_ms ORDER BY start_ms`);
  return { status: 200, rows, codes: ids.map(String) };
}

async function dayRows(
  { oracle, timeZone }: Place,
  of: {
    readonly stations: readonly Fields[];
    readonly component: Fields;
    readonly interval: Interval;
  },
): Promise<readonly Row[]> {
  const { stations, component, interval } = of;
  const measured = await measuredPairs(oracle);
  const names = new Map(stations.map((one) => [`${idOf(one)}`, one['station_name']]));
  const measuring = stations.filter((one) => measures(one, component, measured));
  const rows = await oracle.rows(`WITH hours AS (${hoursSql(interval)}),
      places AS (SELECT unnest([${inList(stations.map(idOf))}]) AS station_id),
      found AS (SELECT station_id, start_ms, value FROM seen WHERE value IS NOT NULL
        AND component_id = ${componentId(component)} AND station_id IN (${inList(measuring.map(idOf))}))
    SELECT station_id::VARCHAR AS station_id, strftime(${localSql(timeZone)}, '%Y-%m-%d') AS date,
      count(*)::INTEGER AS hours, count(value)::INTEGER AS hours_with_value, fsum(value) AS sum, favg(value) AS mean,
      min(value) AS lowest, max(value) AS highest, arg_min(start_ms, (-value, start_ms)) FILTER (value IS NOT NULL) AS highest_ms,
      list(value) FILTER (value IS NOT NULL) AS found
    FROM places CROSS JOIN hours LEFT JOIN found USING (station_id, start_ms)
    GROUP BY places.station_id, date ORDER BY places.station_id, date`);
  const isSum = isAmount(component);
  const none = { lowest: null, highest: null, highest_ms: null };
  return rows.map((row) => ({
    component: textOf(component['short_name']),
    unit: textOf(component['unit']),
    time_zone: timeZone,
    station_name: textOf(names.get(textOf(row['station_id']))),
    ...row,
    ...(isDirection(component) ? none : {}),
    mean: isDirection(component) || isSum ? null : row['mean'],
    sum: isSum ? row['sum'] : null,
  }));
}

function hoursSql({ fromMs, toMs }: Interval): string {
  return `SELECT unnest(range(${fromMs}, ${toMs}, ${HOUR_MS})) AS start_ms`;
}

/** The clock's time of `start_ms`. */
function localSql(timeZone: string): string {
  return `timezone('${timeZone}', make_timestamptz(start_ms * 1000))`;
}

/** Whole hours of a link, as far as the snapshot has them; undefined where either is absent or counts as that. */
function fixedHours({ fromMs, toMs }: Asked, oracle: Oracle): Interval | undefined {
  if (fromMs === undefined || toMs === undefined || fromMs >= toMs) return undefined;
  if (fromMs % HOUR_MS !== 0 || toMs % HOUR_MS !== 0) return undefined;
  const held = newest(oracle, RETENTION_HOURS);
  return { fromMs: Math.max(fromMs, held.fromMs), toMs: Math.min(toMs, held.toMs) };
}

function longestWindow(oracle: Oracle): Interval | undefined {
  const [, hours] =
    WINDOW_HOURS.find(([name]) => oracle.network.supported_windows.includes(name)) ?? [];
  return hours === undefined ? undefined : newest(oracle, hours);
}

/** The last hour with data of the last day; the last hour without any. */
async function lastHour(
  { stationId }: Asked,
  { oracle, ids }: { readonly oracle: Oracle; readonly ids: readonly number[] },
): Promise<Interval> {
  const day = newest(oracle, 24);
  const [found] =
    await oracle.rows(`SELECT max(start_ms) AS start_ms FROM seen WHERE value IS NOT NULL
    AND station_id = ${stationId} AND component_id IN (${inList(ids)}) AND start_ms >= ${day.fromMs}`);
  const fromMs = Number(found?.['start_ms']) || day.toMs - HOUR_MS;
  return { fromMs, toMs: fromMs + HOUR_MS };
}

/** Hours with `generated_at` - N h <= start < `generated_at`. */
function newest({ generatedAtMs }: Oracle, hours: number): Interval {
  const first = (ms: number): number => Math.ceil(ms / HOUR_MS) * HOUR_MS;
  return { fromMs: first(generatedAtMs - hours * HOUR_MS), toMs: first(generatedAtMs) };
}

/** Stations and components with a row, as `station component`. */
async function measuredPairs(oracle: Oracle): Promise<ReadonlySet<string>> {
  const rows = await oracle.rows(
    `SELECT DISTINCT station_id || ' ' || component_id AS pair FROM all_rows`,
  );
  return new Set(rows.map(({ pair }) => textOf(pair)));
}

/** Whether a station lists a component, or, without a list, has a row of it. */
function measures(station: Fields, component: Fields, measured: ReadonlySet<string>): boolean {
  const { component_ids: listed } = station;
  return Array.isArray(listed)
    ? listed.includes(componentId(component))
    : measured.has(`${idOf(station)} ${componentId(component)}`);
}

function idOf(station: Fields): number {
  return Number(station['station_id']);
}

function componentId(component: Fields): number {
  return Number(component['component_id']);
}

function inList(ids: readonly number[]): string {
  return ids.length === 0 ? 'NULL' : ids.join(', ');
}

function publicOne(records: readonly Fields[], name: string, id: number): Fields | undefined {
  return records.find((one) => one[name] === id && one['public'] !== false);
}
