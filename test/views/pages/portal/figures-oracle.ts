/**
 * The expected lines of an English panel about a station, computed in plain loops. Numbers are written
 * `⟦value±tolerance⟧`, because the service chooses the digits; zero must be exact.
 */

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
const COMPASS = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'];

export interface Hour {
  readonly hour: number;
  readonly value: number;
}

export interface OracleOptions {
  /** Hours of the station, in 30 days, ascending. */
  readonly hours: readonly Hour[];
  /** Hours of all stations, this one first. */
  readonly network: readonly (readonly Hour[])[];
  readonly wind: readonly Hour[];
  readonly interval: { readonly from: number; readonly to: number };
  readonly timeZone: string;
  readonly unit: string;
  readonly isSum: boolean;
  readonly isRose: boolean;
}

/** The lines, in the order of the panel. */
export function oracleOf(options: OracleOptions): readonly string[] {
  const clock = clockIn(options.timeZone);
  return [
    ...usualLines(options, clock),
    joined(changeText(options), rankText(options)),
    summaryText(options, clock),
    ...dayLines(options),
    ...roseLines(options, clock),
  ].filter((line) => line !== '');
}

function joined(...sentences: readonly string[]): string {
  return sentences.filter((one) => one !== '').join(' ');
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

/** A number that is compared exactly. */
function count(value: number): string {
  return `⟦${value}±0⟧`;
}

function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
}

type Clock = ReturnType<typeof clockIn>;

function clockIn(timeZone: string) {
  const times = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  const zones = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'short' });
  const read = (hour: number) => {
    const [date = '', time = ''] = times.format(hour * HOUR_MS).split(' ');
    const zone = zones.format(hour * HOUR_MS).split(', ')[1];
    return { date, time, zone, clockHour: Number(time.slice(0, 2)) };
  };
  const known = new Map<number, ReturnType<typeof read>>();
  return (hour: number) => {
    const made = known.get(hour) ?? read(hour);
    known.set(hour, made);
    return made;
  };
}

function newestOf(hours: readonly Hour[]): Hour {
  return hours.at(-1) ?? { hour: NaN, value: NaN };
}

function atClockHour(hours: readonly Hour[], clock: Clock, clockHour: number): readonly Hour[] {
  return hours.filter((one) => clock(one.hour).clockHour === clockHour);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? NaN;
  const above = sorted[Math.ceil(position)] ?? NaN;
  return below + (above - below) * (position - Math.floor(position));
}

function mean(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
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
  const { clockHour, date, time } = clock(newest.hour);
  const all = atClockHour(hours, clock, clockHour);
  if (all.length < 8) return [];
  const others = all.filter((one) => clock(one.hour).date !== date).map(({ value }) => value);
  const { lower, higher, same } = compare(newest.value, others);
  const [low = NaN, high = NaN] = [0.1, 0.9].map((share) =>
    quantile(
      all.map(({ value }) => value),
      share,
    ),
  );
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

function coverage(hours: readonly Hour[], clock: Clock): string {
  const days = new Set(hours.map(({ hour }) => clock(hour).date)).size;
  return `${counted(hours.length, 'hour')} with a value, ${counted(days, 'day')}`;
}

/** The mean of the values; for amounts, their sum. */
function aggregate(values: readonly number[], { isSum }: Pick<OracleOptions, 'isSum'>): string {
  if (!isSum) return n(mean(values), decimalsOf(values) + 1);
  return n(Number((mean(values) * values.length).toFixed(4)), decimalsOf(values));
}

function summaryText(options: OracleOptions, clock: Clock): string {
  const { hours, interval, unit, isSum } = options;
  const values = hours.map(({ value }) => value);
  const extreme = (name: string, value: number): string => {
    const equal = hours.filter((one) => one.value === value);
    const others = equal.length - 1;
    const more =
      others === 0 ? '' : ` and ${count(others)} more ${others === 1 ? 'hour' : 'hours'}`;
    return `${name} ${n(value)} ${unit}, ${momentOf(equal[0]?.hour ?? 0, clock)}${more}`;
  };
  const all = interval.to - interval.from;
  const gaps =
    all === hours.length
      ? ''
      : `; ${count(all - hours.length)} of ${count(all)} hours without a value`;
  return `${extreme('Lowest', Math.min(...values))}; ${isSum ? 'Sum' : 'Mean'} ${aggregate(values, options)} ${unit}; ${extreme('Highest', Math.max(...values))}${gaps}.`;
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec'.split(' ');

/** Day and time without the year; with the zone's name where the clock shows that time twice. */
function momentOf(hour: number, clock: Clock): string {
  const { date, time, zone } = clock(hour);
  const [, month, day] = date.split('-').map(Number);
  // Clocks of Lord Howe Island change by half an hour.
  const isTwice = [hour - 1, hour - 0.5, hour + 0.5, hour + 1].some(
    (other) => clock(other).date === date && clock(other).time === time,
  );
  return `${day} ${MONTHS[Number(month) - 1]}, ${time}${isTwice ? ` ${zone}` : ''}`;
}

/** A line for each day, the newest first: mean or sum, lowest, highest, and numbers of hours. */
function dayLines(options: OracleOptions): readonly string[] {
  const { hours, interval, timeZone } = options;
  const clock = clockIn(timeZone);
  const dates = new Map<string, number>();
  for (let hour = interval.from; hour < interval.to; hour += 1) {
    const { date } = clock(hour);
    dates.set(date, (dates.get(date) ?? 0) + 1);
  }
  return [...dates]
    .map(([date, all]) => {
      const values = hours.flatMap((one) => (clock(one.hour).date === date ? one.value : []));
      const figures =
        values.length === 0
          ? '– – –'
          : `${aggregate(values, options)} ${n(Math.min(...values))} ${n(Math.max(...values))}`;
      return `${date}: ${figures} ${count(values.length)} / ${count(all)}`;
    })
    .toReversed();
}

/** Lines about wind, from sectors with six hours or more; sectors whose means read the same share a rank. */
function roseLines({ hours, wind, unit, isRose }: OracleOptions, clock: Clock): readonly string[] {
  if (!isRose) return [];
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
  return [
    `Highest mean with wind from ${names.join(' / ')}: ${n(highest, first.decimals)} ${unit}.`,
    `Outer circle: ${n(highest, first.decimals)} ${unit}, inner circle: ${n(highest / 2)} ${unit}.`,
    `${periodOf(both, clock)}: ${coverage(both, clock)}.`,
  ];
}

/** Decimal places for a number of this size. */
function digitsOf(value: number): number {
  if (value >= 10) return 1;
  return value >= 1 ? 2 : Math.max(3, 1 - Math.floor(Math.log10(value)));
}

const LONG_MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

function periodOf(hours: readonly Hour[], clock: Clock): string {
  const [from, to] = [hours[0], hours.at(-1)].map((one) => {
    const [year, month, day] = clock(one?.hour ?? 0)
      .date.split('-')
      .map(Number);
    return { year, text: `${day} ${LONG_MONTHS[Number(month) - 1]}` };
  });
  return `${from?.text} – ${to?.text} ${to?.year}`;
}
