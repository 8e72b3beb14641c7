/** Days and months by contract section 12: the clock from `Intl`, sums of decimals by DuckDB, means rounded once. */
import { parse } from 'csv-parse/sync';
import { HOUR_MS, isAmount, isDirection, RETENTION_HOURS, textOf } from './network.js';
import type { Expected, Oracle, Row } from './oracle.js';
import type { Asked } from './request.js';

/** Hours before and after the retention window, so that its months are whole. */
const MORE_HOURS = 40 * 24;
const CONCENTRATIONS = ['ug/m3', 'µg/m³', 'mg.m-3'];
/** Places of the sums, and the least common multiple of 6, 7 and 8. */
const PLACES = 10;
const SHARES = 168;
const NAMES =
  'station_id parameter_code unit date mean sum minimum maximum hours hours_expected days highest_8h_mean published_at_utc updated_at_utc data_status';

interface Hour {
  readonly startMs: number;
  readonly date: string;
}

interface Period {
  readonly key: string;
  readonly firstMs: number;
  readonly firstDate: string;
  readonly hours: number;
}

export async function expectedPeriods(
  asked: Asked,
  oracle: Oracle,
  timeZone: string,
): Promise<Expected> {
  const isMonthly = asked.choices.endpoint.startsWith('monthly');
  const { generatedAtMs } = oracle;
  const part = (oracle.network.hour_minute ?? 0) / 60;
  const first = Math.ceil(generatedAtMs / HOUR_MS - part) + part - RETENTION_HOURS - MORE_HOURS;
  const clock = clockOf(first, RETENTION_HOURS + 2 * MORE_HOURS, timeZone);
  const chosen = chosenPeriods(asked, oracle, periodsOf(clock, isMonthly));
  if (chosen.length === 0) return { status: 200, rows: [] };
  await oracle.rows(`CREATE TABLE IF NOT EXISTS clock AS ${clockSql(clock)}`);
  const made = `${generatedAtMs}::BIGINT`;
  const of = `SELECT *, ${made} AS published_ms, ${made} AS updated_ms FROM seen WHERE ${oracle.where(asked.selection)}`;
  const hours = { of, clock: 'clock', endMs: generatedAtMs, isMonthly };
  const found = await oracle.rows(figuresSql(hours, list(chosen.map((one) => one.key))));
  const expected = new Map(chosen.map((one) => [one.key, one.hours]));
  return {
    status: 200,
    rows: found.map((row) => rowOf(row, Number(expected.get(textOf(row['period']))))),
  };
}

/** Hours with their local dates. @param first hours since the epoch. */
export function clockOf(first: number, count: number, timeZone: string): readonly Hour[] {
  const options = { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const dates = new Intl.DateTimeFormat('en-CA', options);
  return Array.from({ length: count }, (_, at) => {
    const startMs = (first + at) * HOUR_MS;
    return { startMs, date: dates.format(startMs) };
  });
}

export function clockSql(clock: readonly Hour[]): string {
  return `SELECT unnest([${list(clock.map((one) => one.startMs))}])::BIGINT AS start_ms,
    unnest([${list(clock.map((one) => one.date))}]) AS date`;
}

export function list(values: readonly unknown[]): string {
  return values.map((one) => `'${String(one)}'`).join();
}

export function periodsOf(clock: readonly Hour[], isMonthly: boolean): readonly Period[] {
  const periods = new Map<string, Period>();
  for (const { startMs, date } of clock) {
    const key = isMonthly ? date.slice(0, 7) : date;
    const { hours = 0, ...first } = periods.get(key) ?? { key, firstMs: startMs, firstDate: date };
    periods.set(key, { ...first, hours: hours + 1 });
  }
  return [...periods.values()];
}

/** The requested periods, as far as they begin in the retention window. */
function chosenPeriods(
  { path, choices }: Asked,
  { generatedAtMs }: Oracle,
  all: readonly Period[],
): readonly Period[] {
  const query = new URL(path, 'http://a').searchParams;
  const isBefore = (period: Period, name: string): boolean | undefined => {
    const text = (query.getAll(name).at(-1) ?? '').trim();
    if (text === '') return undefined;
    if (text.length === 10) return period.firstDate < text;
    const isUtc = /T[\d:.]+$/.test(text);
    return (
      period.firstMs <
      Math.ceil(Date.parse(isUtc ? `${text}Z` : text.replace(/ (?=\d\d:?\d\d$)/, '+')))
    );
  };
  const newestMs = generatedAtMs - 1;
  const begun = all.filter((one) => one.firstMs <= newestMs && isBefore(one, 'to') !== false);
  const usual = begun.slice(choices.endpoint.startsWith('monthly') ? -12 : -30);
  const oldestMs = generatedAtMs - RETENTION_HOURS * HOUR_MS;
  return begun.filter(
    (one) => one.firstMs >= oldestMs && !(isBefore(one, 'from') ?? !usual.includes(one)),
  );
}

interface HoursSql {
  /** SQL for the rows of hours, with the times of their publication. */
  readonly of: string;
  /** A table of hours and their dates. */
  readonly clock: string;
  /** No hour begins at this time or later. */
  readonly endMs: number;
  readonly isMonthly: boolean;
}

export function figuresSql({ of, clock, endMs, isMonthly }: HoursSql, chosen: string): string {
  const period = isMonthly ? 'date[:7]' : 'date';
  const series = 'station_id, code, code_rank, unit';
  return `WITH days AS (SELECT date, count(*) AS day_hours FROM ${clock} GROUP BY date),
    found AS (SELECT *, value::VARCHAR::DECIMAL(38, ${PLACES}) AS exact FROM (${of})),
    timed AS (SELECT found.*, date, ${period} AS period, day_hours FROM found JOIN ${clock} USING (start_ms)
      JOIN days USING (date)),
    full_days AS (SELECT ${series}, period, count(*) AS days FROM (SELECT ${series}, period, date FROM timed
      GROUP BY ALL HAVING count(value) >= 0.75 * any_value(day_hours)) GROUP BY ALL),
    running AS (SELECT ${series}, start_ms, sum(exact) * (${SHARES} // count(exact))::INTEGER AS score
      FROM (SELECT ${series}, start_ms + unnest(range(8)) * ${HOUR_MS} AS start_ms, exact FROM found)
      WHERE start_ms < ${endMs} GROUP BY ALL HAVING count(exact) >= 6),
    highest AS (SELECT ${series}, ${period} AS period, max(score) AS score FROM running JOIN ${clock} USING (start_ms)
      GROUP BY ALL)
    SELECT ${series}, period, count(value)::INTEGER AS hours, sum(exact)::VARCHAR AS total, min(value) AS minimum,
      max(value) AS maximum, favg(sin(radians(value))) AS east, favg(cos(radians(value))) AS north,
      coalesce(any_value(days), 0)::INTEGER AS days, any_value(score)::VARCHAR AS score,
      min(published_ms)::DOUBLE AS published_ms, max(updated_ms)::DOUBLE AS updated_ms
    FROM timed LEFT JOIN full_days USING (${series}, period) LEFT JOIN highest USING (${series}, period)
    WHERE period IN (${chosen}) GROUP BY ${series}, period
    ORDER BY station_id, code_rank, period`;
}

export function rowOf(row: Row, hoursExpected: number): Row {
  const hours = Number(row['hours']);
  const unit = { unit: textOf(row['unit']) };
  const has = hours > 0;
  const extreme = (name: string): unknown => (isDirection(unit) ? null : row[name]);
  const mean = has ? quotient(row['total'], hours) : null;
  const timeOf = (ms: unknown): string => `${new Date(Number(ms)).toISOString().slice(0, 19)}Z`;
  const isConcentration = CONCENTRATIONS.includes(unit.unit);
  return {
    station_id: textOf(String(row['station_id'])),
    parameter_code: row['code'],
    unit: row['unit'],
    date: row['period'],
    mean: isDirection(unit) ? direction(row, has) : isAmount(unit) ? null : mean,
    sum: has && isAmount(unit) ? quotient(row['total'], 1) : null,
    minimum: extreme('minimum'),
    maximum: extreme('maximum'),
    hours,
    hours_expected: hoursExpected,
    days: row['days'],
    highest_8h_mean:
      isConcentration && row['score'] !== null ? quotient(row['score'], SHARES) : null,
    published_at_utc: timeOf(row['published_ms']),
    updated_at_utc: timeOf(row['updated_ms']),
    data_status: 'preliminary',
  };
}

/** A decimal with its places, divided and rounded once to a double. */
function quotient(decimal: unknown, divisor: number): number {
  const scaled = BigInt(String(decimal).replace('.', '')) * 10n ** 30n;
  const whole = BigInt(divisor) * 10n ** BigInt(PLACES);
  const [digits, rest] = [scaled / whole, scaled % whole];
  // A digit more says on which side of a tie the quotient is.
  return Number(`${digits}${rest === 0n ? 0 : 1}e-31`);
}

function direction({ east, north }: Row, has: boolean): number | null {
  if (!has || Math.abs(Number(east)) + Math.abs(Number(north)) <= 1e-9) return null;
  return ((Math.atan2(Number(east), Number(north)) * 180) / Math.PI + 360) % 360;
}

/** Cells or members, exactly, but for directions and for sums of numbers with more digits than a double. */
export function periodCells(
  text: string,
  { choices }: Asked,
  rows: readonly Row[],
): readonly [unknown, unknown] {
  const isMonthly = choices.endpoint.startsWith('monthly');
  const names = NAMES.split(' ').filter((name) => isMonthly || name !== 'days');
  const shownNames = names.map((name) => (isMonthly && name === 'date' ? 'month' : name));
  const isJson = choices.endpoint.endsWith('json');
  const members = isJson ? (JSON.parse(text) as readonly object[]) : [];
  const got: readonly (readonly unknown[])[] = isJson
    ? members.map((one) => Object.values(one) as readonly unknown[])
    : parse(text);
  const lines = isJson ? got : got.slice(1);
  const want = rows.map((row, line) =>
    names.map((name, at) => {
      const value = row[name] ?? null;
      const shown = lines[line]?.[at];
      if (typeof value === 'number' && isNear(Number(shown), value, row)) return shown;
      return isJson ? value : cell(name, value);
    }),
  );
  if (!isJson) return [got, [shownNames, ...want]];
  return [
    [got, members.map((one) => Object.keys(one))],
    [want, want.map(() => shownNames)],
  ];
}

/** Whether a figure is right that is not exact: of directions, and of numbers with more digits than a double. */
export function isNear(shown: number, value: number, row: Row): boolean {
  if (isDirection({ unit: textOf(row['unit']) })) {
    const turn = Math.abs(shown - value) % 360;
    return value === row['mean'] && Math.min(turn, 360 - turn) <= 2e-9;
  }
  const isLong =
    Math.max(Math.abs(Number(row['maximum'])), Math.abs(Number(row['minimum']))) > 1e12;
  return isLong && Math.abs(shown - value) <= 4e-16 * Math.abs(value);
}

function cell(name: string, value: unknown): string {
  if (value === null) return '';
  if (typeof value !== 'number' || /^(?:hours|days)/.test(name))
    return typeof value === 'string' ? value : JSON.stringify(value);
  const [digits = '', exponent] = JSON.stringify(value).split('e');
  const decimal = digits.includes('.') ? digits : `${digits}.0`;
  return exponent === undefined ? decimal : `${decimal}e${exponent}`;
}
