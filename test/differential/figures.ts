/** Figures by the clock of the service: series, newest values, days, hours; by DuckDB and its own table of time zones. */
import {
  HOUR_MS,
  hourAt,
  hoursOf,
  isAmount,
  isDirection,
  RETENTION_HOURS,
  startOf,
  textOf,
  WINDOWS,
  type Fields,
} from './network.js';
import type { Expected, Oracle } from './oracle.js';
import type { Asked } from './request.js';

const DAY_HOURS = 24;

/** Hours since the epoch, half-open. */
export type Hours = readonly [from: number, to: number];

export interface Point {
  readonly startMs: number;
  readonly value: number;
}

export type Day = Awaited<ReturnType<Figures['days']>>[number];

export class Figures {
  readonly #oracle: Oracle;
  readonly timeZone: string;
  readonly endHour: number;
  readonly stations: readonly Fields[];
  readonly components: readonly Fields[];
  /** Stations with components of which the document has a row, and a row in the thirty days. */
  readonly #documented = new Set<string>();
  readonly #measured = new Set<string>();

  constructor(oracle: Oracle, timeZone: string) {
    const { stations, components, measurements } = oracle.network;
    this.#oracle = oracle;
    this.timeZone = timeZone;
    this.endHour = hourAt(oracle.network, oracle.generatedAtMs + HOUR_MS - 1) / HOUR_MS;
    this.stations = stations.filter((one) => one['public'] !== false);
    this.components = components.filter((one) => one['public'] !== false);
    const oldestMs = oracle.generatedAtMs - RETENTION_HOURS * HOUR_MS;
    for (const row of measurements) {
      const key = `${Number(row['station_id'])} ${Number(row['component_id'])}`;
      const startMs = startOf(row);
      const isKept = startMs >= oldestMs && startMs < oracle.generatedAtMs;
      this.#documented.add(key);
      if (isKept) this.#measured.add(key);
    }
  }

  station(id: number): Fields | undefined {
    return this.stations.find((one) => one['station_id'] === id);
  }

  component(id: number): Fields | undefined {
    return this.components.find((one) => one['component_id'] === id);
  }

  isDirection(componentId: number): boolean {
    return isDirection(this.component(componentId));
  }

  /** The sum of a component's values if it is an amount, else the mean. */
  aggregateOf(componentId: number, values: readonly number[]): number {
    const sum = values.reduce((all, value) => all + value, 0);
    return isAmount(this.component(componentId)) ? sum : sum / values.length;
  }

  /** Whether a station names a component, or has rows of it: if it names some, in the thirty days. */
  isMeasured(stationId: number, componentId: number): boolean {
    const listed = this.station(stationId)?.['component_ids'];
    const key = `${stationId} ${componentId}`;
    if (!Array.isArray(listed)) return this.#documented.has(key);
    return listed.includes(componentId) || this.#measured.has(key);
  }

  measuring(componentId: number): readonly number[] {
    const ids = this.stations.map((one) => Number(one['station_id']));
    return ids.filter((id) => this.isMeasured(id, componentId));
  }

  /** The requested window if the network has it, else a day, else the first one. */
  windowOf(requested: string): string {
    const windows = this.#windows;
    return [requested, '1d'].find((one) => windows.includes(one)) ?? windows[0] ?? requested;
  }

  /** Hours of the longest window of a day or more; undefined without one. */
  get longest(): Hours | undefined {
    const window = this.#windows.findLast((one) => one !== '1h');
    return window === undefined ? undefined : this.interval(window);
  }

  interval(window: string): Hours {
    return [this.endHour - hoursOf(window), this.endHour];
  }

  /** The hours of a link, as far as the snapshot has them. */
  held(fromMs: number, toMs: number): Hours {
    const from = Math.max(fromMs / HOUR_MS, this.endHour - RETENTION_HOURS);
    return [from, Math.min(toMs / HOUR_MS, this.endHour)];
  }

  get #windows(): readonly string[] {
    const has = this.#oracle.network.supported_windows;
    return WINDOWS.filter((one) => has.includes(one));
  }

  async points(
    { stationId, componentId }: { readonly stationId: number; readonly componentId: number },
    [from, to]: Hours = [0, this.endHour],
  ): Promise<readonly Point[]> {
    const rows = await this.#oracle.rows(`SELECT start_ms, value FROM seen
      WHERE station_id = ${stationId} AND component_id = ${componentId} AND value IS NOT NULL
        AND start_ms >= ${from * HOUR_MS} AND start_ms < ${to * HOUR_MS} ORDER BY start_ms`);
    return rows.map((row) => ({ startMs: Number(row['start_ms']), value: Number(row['value']) }));
  }

  get dayMs(): number {
    return (this.endHour - DAY_HOURS) * HOUR_MS;
  }

  async newest(sinceMs: number, hourMs?: number) {
    const hours = hourMs === undefined ? `start_ms >= ${sinceMs}` : `start_ms = ${hourMs}`;
    const rows = await this.#oracle.rows(`SELECT station_id, component_id, start_ms, value
      FROM seen WHERE value IS NOT NULL AND ${hours}
      QUALIFY start_ms = max(start_ms) OVER (PARTITION BY station_id, component_id)`);
    return rows.map((row) => ({
      stationId: Number(row['station_id']),
      componentId: Number(row['component_id']),
      startMs: Number(row['start_ms']),
      value: Number(row['value']),
    }));
  }

  /** Local days of series. Figures are null without a value, those of a direction always; an amount has no mean. */
  async days(ids: readonly number[], componentId: number, hours: Hours) {
    const measuring = ids.filter((id) => this.isMeasured(id, componentId));
    const rows = await this.#oracle.rows(`WITH hours AS (${this.#hoursSql(hours)}),
        places AS (SELECT unnest([${inList(ids)}]) AS station_id),
        found AS (SELECT station_id, start_ms, value FROM seen WHERE value IS NOT NULL
          AND component_id = ${componentId} AND station_id IN (${inList(measuring)}))
      SELECT places.station_id AS station_id, strftime(clock, '%Y-%m-%d') AS date, count(*) AS hours,
        count(value) AS count, fsum(value) AS sum, favg(value) AS mean, min(value) AS lowest, max(value) AS highest,
        arg_min(start_ms, (-value, start_ms)) FILTER (value IS NOT NULL) AS highest_ms,
        list(value) FILTER (value IS NOT NULL) AS found
      FROM places CROSS JOIN hours LEFT JOIN found USING (station_id, start_ms)
      GROUP BY places.station_id, date ORDER BY places.station_id, date`);
    const component = this.component(componentId);
    const isSum = isAmount(component);
    const figure = (value: unknown): number | null =>
      value === null || isDirection(component) ? null : Number(value);
    return rows.map((row) => ({
      stationId: Number(row['station_id']),
      date: textOf(row['date']),
      hours: Number(row['hours']),
      count: Number(row['count']),
      mean: isSum ? null : figure(row['mean']),
      sum: isSum ? figure(row['sum']) : null,
      lowest: figure(row['lowest']),
      highest: figure(row['highest']),
      highestMs: figure(row['highest_ms']),
      found: row['found'],
    }));
  }

  /** The last seven local days and today at all stations that measure a component, as far as the longest window goes. */
  async week(componentId: number): Promise<readonly Day[]> {
    const ids = this.measuring(componentId);
    if (this.longest === undefined || ids.length === 0) return [];
    const first = Math.max(this.endHour - 9 * DAY_HOURS, this.longest[0]);
    const days = await this.days(ids, componentId, [first, this.endHour]);
    const dates = new Set([...new Set(days.map(({ date }) => date))].toSorted().slice(-8));
    return days.filter(({ date }) => dates.has(date));
  }

  /** Days of one series, or the week at all stations, as rows of CSV; without a window of days only the names of the columns. */
  async expectedDays(asked: Asked): Promise<Expected> {
    const { stationId, componentId } = asked;
    const component = this.component(componentId);
    const isWeek = asked.choices.endpoint === 'week';
    const isThere = isWeek ? !isDirection(component) : this.station(stationId) !== undefined;
    if (component === undefined || !isThere) return { status: 404 };
    const hours: Hours = this.#hoursOf(asked) ?? this.longest ?? [0, 0];
    const days = isWeek
      ? await this.week(componentId)
      : await this.days([stationId], componentId, hours);
    const rows = days.map((day) => ({
      ...day,
      station_id: `${day.stationId}`,
      station_name: textOf(this.station(day.stationId)?.['station_name']),
      component: textOf(component['short_name']),
      unit: textOf(component['unit']),
      time_zone: this.timeZone,
      hours_with_value: day.count,
    }));
    return { status: 200, rows };
  }

  /** Every hour of a station with its clock and its values. */
  async expectedWorkbook(asked: Asked): Promise<Expected> {
    const { stationId, componentId } = asked;
    const isThere = this.station(stationId) && this.component(componentId);
    if (isThere === undefined) return { status: 404 };
    const all = this.components.map((one) => Number(one['component_id']));
    const ids = all.filter((id) => this.isMeasured(stationId, id));
    const values = `FROM seen WHERE station_id = ${stationId} AND component_id IN (${inList(ids)})`;
    const hours = this.#hoursOf(asked) ?? this.longest ?? (await this.#lastHour(values));
    const rows = await this.#oracle.rows(`WITH hours AS (${this.#hoursSql(hours)})
      SELECT start_ms, epoch_ms(clock)::DOUBLE AS local_ms,
        list(value ORDER BY value) FILTER (value IS NOT NULL) AS found
      FROM hours LEFT JOIN (${values}) USING (start_ms)
      GROUP BY start_ms, clock ORDER BY start_ms`);
    return { status: 200, rows, codes: ids.map(String) };
  }

  /** The last hour with data of the last day; the last hour without any. */
  async #lastHour(values: string): Promise<Hours> {
    const [found] = await this.#oracle.rows(`SELECT max(start_ms) AS start_ms FROM (${values})
      WHERE value IS NOT NULL AND start_ms >= ${this.dayMs}`);
    const from = Number(found?.['start_ms']) / HOUR_MS || this.endHour - 1;
    return [from, from + 1];
  }

  /** Hours of a link; undefined where either is absent or counts as that. */
  #hoursOf({ fromMs, toMs }: Asked): Hours | undefined {
    if (fromMs === undefined || toMs === undefined || fromMs >= toMs) return undefined;
    const isWhole = [fromMs, toMs].every((ms) => hourAt(this.#oracle.network, ms) === ms);
    return isWhole ? this.held(fromMs, toMs) : undefined;
  }

  #hoursSql([from, to]: Hours): string {
    const starts = `range(${from * HOUR_MS}, ${to * HOUR_MS}, ${HOUR_MS})`;
    return `SELECT start_ms, timezone('${this.timeZone}', make_timestamptz(start_ms * 1000)) AS clock
      FROM (SELECT unnest(${starts}) AS start_ms)`;
  }

  clockTime(ms: number): string {
    const options = { timeZone: this.timeZone, hour: '2-digit', minute: '2-digit' } as const;
    return new Intl.DateTimeFormat('en-GB', options).format(ms);
  }
}

function inList(ids: readonly number[]): string {
  return ids.length === 0 ? 'NULL' : ids.join(', ');
}
