/**
 * The expected sentences of an English panel about a station, computed in plain loops; the fuzzer compares its tables.
 * Numbers are written `⟦value±tolerance⟧`, because the service chooses the digits; zero must be exact.
 */
import { clockIn, type Clock } from './portals.js';

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
const COMPASS = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'];

interface Hour {
  readonly hour: number;
  readonly value: number;
}

interface OracleOptions {
  /** Hours of the station, in 30 days, ascending. */
  readonly hours: readonly Hour[];
  /** Hours of all stations, this one first. */
  readonly network: readonly (readonly Hour[])[];
  readonly wind: readonly Hour[];
  readonly timeZone: string;
  readonly unit: string;
  readonly isRose: boolean;
}

export function oracleOf(options: OracleOptions): readonly string[] {
  const clock = clockIn(options.timeZone);
  return [
    ...usualLines(options, clock),
    [changeText(options), rankText(options)].filter((one) => one !== '').join(' '),
    ...roseLines(options, clock),
  ].filter((line) => line !== '');
}

/** Undefined where the line is the expected one. */
export function difference(said: string | undefined, expected: string | undefined) {
  const numbers = [...(expected ?? '').matchAll(/⟦(.*?)±(.*?)⟧/g)].map((one) => one.slice(1));
  const pattern = (expected ?? '')
    .split(/⟦.*?⟧/)
    .map((literal) => literal.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join(String.raw`([+-]?\d[\d,]*(?:\.\d+)?(?:E-?\d+)?)`);
  const found = new RegExp(`^${pattern}$`).exec(said ?? '')?.slice(1);
  const isSame = numbers.every(([value, tolerance], at) => {
    const shown = Number(found?.[at]?.replaceAll(',', ''));
    const distance = Math.abs(shown - Number(value));
    return distance <= Number(tolerance) && (shown === 0) === (Number(value) === 0);
  });
  return found !== undefined && isSame ? undefined : `said ${said}, expected ${expected}`;
}

/** A number with its tolerance: three decimals below one, two below ten, else one, but at most `decimals`. */
function n(value: number, decimals = 9): string {
  const size = Math.abs(value);
  const own = size >= 10 ? 0.05 : size >= 1 ? 0.005 : Math.min(0.0005, size / 18);
  return `⟦${value}±${Math.max(own, 0.5 / 10 ** decimals) * 1.01 + 1e-12}⟧`;
}

function count(value: number): string {
  return `⟦${value}±0⟧`;
}

function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
}

function newestOf(hours: readonly Hour[]): Hour {
  return hours.at(-1) ?? { hour: NaN, value: NaN };
}

const valuesOf = (hours: readonly Hour[]) => hours.map(({ value }) => value);

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? NaN;
  const above = sorted[Math.ceil(position)] ?? NaN;
  return below + (above - below) * (position - Math.floor(position));
}

/** In whole numbers, since a mean such as 0.000605 may end in a five, and is rounded up then. */
function mean(values: readonly number[]): number {
  const millionths = values.reduce((sum, value) => sum + Math.round(value * 1e6), 0);
  return millionths / (values.length * 1e6);
}

function decimalsOf(values: readonly number[]): number {
  return Math.max(...values.map((value) => String(value).split('.')[1]?.length ?? 0));
}

function compare(value: number, others: readonly number[]) {
  let [lower, higher, same] = [0, 0, 0];
  for (const other of others) {
    if (other < value) lower += 1;
    else if (other > value) higher += 1;
    else same += 1;
  }
  return { lower, higher, same };
}

function usualLines({ hours, unit }: OracleOptions, clock: Clock): readonly string[] {
  const newest = newestOf(hours);
  const { clockHour, date, time } = clock(newest.hour * HOUR_MS);
  const all = hours.filter(({ hour }) => clock(hour * HOUR_MS).clockHour === clockHour);
  if (all.length < 8) return [];
  const others = all.filter(({ hour }) => clock(hour * HOUR_MS).date !== date);
  const { lower, higher, same } = compare(newest.value, valuesOf(others));
  const [low = NaN, high = NaN] = [0.1, 0.9].map((share) => quantile(valuesOf(all), share));
  const ofDays = `of ${count(others.length)} days had`;
  const answer =
    newest.value > high
      ? `Higher than usual at this hour: ${count(lower)} ${ofDays} less.`
      : newest.value < low
        ? `Lower than usual at this hour: ${count(higher)} ${ofDays} more.`
        : same > lower && same > higher
          ? `Usual for this hour: ${count(same)} ${ofDays} the same.`
          : `Usual for this hour: ${count(lower)} ${ofDays} less, ${count(higher)} had more.`;
  const end = `${String((clockHour + 1) % DAY_HOURS).padStart(2, '0')}${time.slice(2)}`;
  return [answer, `Usual at ${time}–${end}: ${n(low)} to ${n(high)} ${unit}.`];
}

function changeText({ hours, unit }: OracleOptions): string {
  const values = new Map(hours.map(({ hour, value }) => [hour, value]));
  const { hour, value } = newestOf(hours);
  const before = values.get(hour - 1);
  if (before === undefined) return '';
  if (before === value) return 'The same as the hour before.';
  let steps = 0;
  for (let at = hour; ; at -= 1) {
    const [now = NaN, then = NaN] = [values.get(at), values.get(at - 1)];
    if (value > before ? !(now > then) : !(now < then)) break;
    steps += 1;
  }
  const decimals = Math.max(...[value, before].map((one) => (Math.abs(one) < 10 ? 2 : 1)));
  const change = `${n(Number((value - before).toFixed(6)), decimals)} ${unit} since the hour before.`;
  if (steps < 2) return change;
  return `${value > before ? 'Rising' : 'Falling'} for ${counted(steps, 'hour')}: ${change}`;
}

function rankText({ hours, network }: OracleOptions): string {
  const newest = newestOf(hours);
  const hour = Math.max(...network.map((one) => one.at(-1)?.hour ?? 0));
  if (newest.hour !== hour) return '';
  const values = network.flatMap((one) => one.flatMap((at) => (at.hour === hour ? at.value : [])));
  const stations = values.length;
  if (stations < 2) return '';
  const { lower, higher, same } = compare(newest.value, values);
  if (same === stations) return `The same at all ${counted(stations, 'station')}.`;
  const place = Math.min(lower, higher) + 1;
  const end = higher <= lower ? 'ighest' : 'owest';
  const letter = higher <= lower ? 'h' : 'l';
  const suffix = ['st', 'nd', 'rd'][place - 1] ?? 'th';
  const rank =
    place === 1 ? `${letter.toUpperCase()}${end}` : `${count(place)}${suffix} ${letter}${end}`;
  const shared = same === 1 ? '' : ` The same at ${counted(same - 1, 'other station')}.`;
  return `${rank} of ${counted(stations, 'station')}.${shared}`;
}

/** Lines about wind, from sectors with six hours or more; sectors whose means read the same share a rank. */
function roseLines(options: OracleOptions, clock: Clock): readonly string[] {
  const { hours, wind, unit, timeZone } = options;
  if (!options.isRose) return [];
  const directions = new Map(wind.map(({ hour, value }) => [hour, Math.round(value / 45) % 8]));
  const both = hours.filter(({ hour }) => directions.has(hour));
  const sectors = COMPASS.map((name, at) => {
    const values = both.flatMap((one) => (directions.get(one.hour) === at ? one.value : []));
    const decimals = decimalsOf(values) + 1;
    return { name, values, decimals, mean: mean(values) };
  }).filter((one) => one.values.length >= 6 && one.mean > 0);
  const highest = Math.max(...sectors.map((one) => one.mean));
  const first = sectors.find((one) => one.mean === highest);
  if (first === undefined) return [];
  const written = (one: typeof first): string =>
    new Intl.NumberFormat('en', {
      maximumFractionDigits: Math.min(one.decimals, digitsOf(one.mean)),
    }).format(one.mean);
  const names = sectors.filter((one) => written(one) === written(first)).map(({ name }) => name);
  const day = new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', month: 'long' });
  const [from = '', to = ''] = [both[0], both.at(-1)].map((one) =>
    day.format((one?.hour ?? 0) * HOUR_MS),
  );
  const dates = both.map(({ hour }) => clock(hour * HOUR_MS).date);
  const days = counted(new Set(dates).size, 'day');
  return [
    `Highest mean with wind from ${names.join(' / ')}: ${n(highest, first.decimals)} ${unit}.`,
    `Outer circle: ${n(highest, first.decimals)} ${unit}, inner circle: ${n(highest / 2)} ${unit}.`,
    `${from} – ${to} ${dates.at(-1)?.slice(0, 4)}: ${counted(both.length, 'hour')} with a value, ${days}.`,
  ];
}

/** Decimal places for a number of this size. */
function digitsOf(value: number): number {
  if (value >= 10) return 1;
  return value >= 1 ? 2 : Math.max(3, 1 - Math.floor(Math.log10(value)));
}
