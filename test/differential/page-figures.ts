/** Figures that pages must show, by DuckDB: series, newest values and days of the network's clock. */
import { HOUR_MS, isAmount, isDirection, type Fields } from './network.js';
import type { Oracle } from './oracle.js';

const DAY_HOURS = 24;
const WINDOW_HOURS: Readonly<Record<string, number>> = {
  '1d': 24,
  '7d': 168,
  '14d': 336,
  '30d': 720,
};

/** Start of an hour in milliseconds since the epoch, and its value. */
export interface Point {
  readonly startMs: number;
  readonly value: number;
}

export interface Newest extends Point {
  readonly stationId: number;
  readonly componentId: number;
}

/** A local day of a series; figures are null without a value. */
export interface Day {
  readonly stationId: number;
  /** `2026-04-01`. */
  readonly date: string;
  readonly hours: number;
  readonly count: number;
  /** The sum of an amount, else the mean. */
  readonly aggregate: number | null;
  readonly lowest: number | null;
  readonly highest: number | null;
  /** Start of the first hour with the highest value. */
  readonly highestMs: number;
}

export class PageFigures {
  readonly #oracle: Oracle;
  readonly #timeZone: string;
  /** The hour after the last one that may have a value, in hours since the epoch. */
  readonly endHour: number;

  /** @param timeZone the clock of the service. */
  constructor(oracle: Oracle, timeZone: string) {
    this.#oracle = oracle;
    this.#timeZone = timeZone;
    this.endHour = Math.ceil(oracle.generatedAtMs / HOUR_MS);
  }

  /** The public stations. */
  get stations(): readonly Fields[] {
    return this.#oracle.network.stations.filter((one) => one['public'] !== false);
  }

  station(id: number): Fields | undefined {
    return this.stations.find((one) => one['station_id'] === id);
  }

  /** The public components. */
  get components(): readonly Fields[] {
    return this.#oracle.network.components.filter((one) => one['public'] !== false);
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

  /** Whether a station names a component, or has rows of it if it names none. */
  isMeasured(stationId: number, componentId: number): boolean {
    const { measurements } = this.#oracle.network;
    const listed = this.station(stationId)?.['component_ids'];
    if (Array.isArray(listed)) return listed.includes(componentId);
    return measurements.some(
      (row) => row['station_id'] === stationId && row['component_id'] === componentId,
    );
  }

  /** The requested window if the network has it, else a day, else the first one. */
  windowOf(requested: string): string {
    const windows = this.#windows;
    return [requested, '1d'].find((one) => windows.includes(one)) ?? windows[0] ?? requested;
  }

  /** Hours of the longest window of a day or more; undefined without one. */
  get longest(): readonly [from: number, to: number] | undefined {
    const window = this.#windows.findLast((one) => one !== '1h');
    return window === undefined ? undefined : this.interval(window);
  }

  interval(window: string): readonly [from: number, to: number] {
    return [this.endHour - (WINDOW_HOURS[window] ?? 1), this.endHour];
  }

  get #windows(): readonly string[] {
    const has = this.#oracle.network.supported_windows;
    return ['1h', ...Object.keys(WINDOW_HOURS)].filter((one) => has.includes(one));
  }

  /** The values of a series in some hours, ascending. */
  async points(
    { stationId, componentId }: { readonly stationId: number; readonly componentId: number },
    [from, to]: readonly [number, number] = [0, this.endHour],
  ): Promise<readonly Point[]> {
    const rows = await this.#oracle.rows(`SELECT start_ms, value FROM seen
      WHERE station_id = ${stationId} AND component_id = ${componentId} AND value IS NOT NULL
        AND start_ms >= ${from * HOUR_MS} AND start_ms < ${to * HOUR_MS} ORDER BY start_ms`);
    return rows.map((row) => ({ startMs: Number(row['start_ms']), value: Number(row['value']) }));
  }

  /** Before it, a value is not current. */
  get dayMs(): number {
    return (this.endHour - DAY_HOURS) * HOUR_MS;
  }

  /** The newest values since a time, or those of one hour. */
  async newest(sinceMs: number, hourMs?: number): Promise<readonly Newest[]> {
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

  /** Every local day that has one of these hours, of each station. */
  async days(
    stationIds: readonly number[],
    componentId: number,
    [from, to]: readonly [number, number],
  ): Promise<readonly Day[]> {
    if (stationIds.length === 0) return [];
    const rows = await this.#oracle.rows(`WITH grid AS (
        SELECT station, hour, timezone('${this.#timeZone}', to_timestamp(hour * 3600))::DATE AS date
        FROM (SELECT unnest([${stationIds.join(', ')}]) AS station), range(${from}, ${to}) AS h(hour))
      SELECT station, date::VARCHAR AS date, count(*) AS hours, count(value) AS count,
        ${isAmount(this.component(componentId)) ? 'fsum' : 'favg'}(value) AS aggregate,
        min(value) AS lowest, max(value) AS highest, first(hour ORDER BY value DESC NULLS LAST, hour) AS highest_hour
      FROM grid LEFT JOIN (SELECT station_id, start_ms, value FROM seen WHERE component_id = ${componentId}) v
        ON v.station_id = station AND v.start_ms = hour * ${HOUR_MS}
      GROUP BY station, date ORDER BY station, date`);
    const figure = (value: unknown): number | null => (value === null ? null : Number(value));
    return rows.map((row) => ({
      stationId: Number(row['station']),
      date: String(row['date']),
      hours: Number(row['hours']),
      count: Number(row['count']),
      aggregate: figure(row['aggregate']),
      lowest: figure(row['lowest']),
      highest: figure(row['highest']),
      highestMs: Number(row['highest_hour']) * HOUR_MS,
    }));
  }

  /** The last seven local days and today, as far as the longest window has them. */
  async week(stationIds: readonly number[], componentId: number): Promise<readonly Day[]> {
    if (this.longest === undefined) return [];
    const first = Math.max(this.endHour - 9 * DAY_HOURS, this.longest[0]);
    const hours = [first, this.endHour] as const;
    const days = await this.days(stationIds, componentId, hours);
    const dates = new Set([...new Set(days.map(({ date }) => date))].toSorted().slice(-8));
    return days.filter(({ date }) => dates.has(date));
  }

  /** `18:00` on the clock of the service. */
  clockTime(ms: number): string {
    return new Intl.DateTimeFormat('en-GB', {
      timeZone: this.#timeZone,
      hour: '2-digit',
      minute: '2-digit',
    }).format(ms);
  }
}
