/** Days and months of 100,000 local days equal those of whole numbers, over clock changes, gaps, ties and units. */
import t from 'tap';
import { createPeriods, type PeriodFigures } from '../../../src/snapshot/domain/days.js';
import { createZoneClock } from '../../../src/snapshot/domain/zone-clock.js';
import { chanceOf, type Chance } from '../../support/faults/chance.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FROM = Date.UTC(2023, 11, 20) / HOUR_MS;
const HOURS = 1105 * 24;
const SERIES = 16;
const DAYS = 100_000;
/** Zones, and how much later than whole hours their networks' hours start. */
const ZONES = [
  ['Europe/Belgrade', 0],
  ['Asia/Kolkata', 0.5],
  ['America/Santiago', 0],
  ['Australia/Lord_Howe', 0],
  ['Atlantic/Azores', 0],
  ['America/St_Johns', 0.5],
] as const;
const UNITS = ['ug/m3', 'µg.m-3', 'ppb', 'mg/m³', 'mm', 'h', 'deg', '°', 'Cel', '%'] as const;
const RUNNING = new Set<string>(UNITS.slice(0, 4));

/** A value as a whole number of 1e-9, where null is no value and undefined no row. */
type Cell = number | null | undefined;

/** Decimals of 0 to 9 places, many of them equal, with rows and values that are missing alone and for days. */
function cellsOf(chance: Chance): readonly Cell[] {
  const unit = 10 ** (9 - chance.integer(10));
  const size = chance.oneOf([3, 40, 999]) * (1e9 / unit);
  const [rows, values] = [chance.oneOf([1, 0.97, 0.75, 0.3]), chance.oneOf([1, 0.95, 0.7])];
  let gap = 0;
  return Array.from({ length: HOURS }, () => {
    gap = gap > 0 ? gap - 1 : chance.number() < 0.003 ? chance.integer(60) : 0;
    if (gap > 0 || chance.number() > rows) return undefined;
    return chance.number() > values ? null : (chance.integer(size) - Math.floor(size / 9)) * unit;
  });
}

/** The double next to a quotient of whole numbers, by 1e9. */
function quotient(dividend: number | bigint, divisor: number | bigint): number {
  const [size, by] = [BigInt(dividend) * 10n ** 40n, BigInt(divisor) * 10n ** 9n];
  // A last digit stands for the remainder.
  return Number(`${String(size / by)}${size % by === 0n ? '0' : '1'}e-41`);
}

type Expected = Pick<PeriodFigures, 'hours' | 'fullDays' | 'sum' | 'minimum' | 'maximum'> & {
  readonly expected: number;
  readonly mean: number | null;
  readonly highest: number | null;
};

/** Figures of hours, from their indexes; the mean of a direction is not rounded. */
function figures(
  at: readonly number[],
  cells: readonly Cell[],
  unit: string,
  running: readonly Cell[],
  fullDays?: number,
): Expected | undefined {
  if (at.every((index) => cells[index] === undefined)) return undefined;
  const known = at.flatMap((index) => cells[index] ?? []);
  const [hours, total] = [known.length, known.reduce((sum, one) => sum + one, 0)];
  const isDirection = /^(?:deg|°)$/.test(unit);
  const isSum = unit === 'mm' || unit === 'h';
  const highest = Math.max(...at.flatMap((index) => running[index] ?? []));
  const ends = known.length === 0 || isDirection ? [] : [Math.min(...known), Math.max(...known)];
  const [minimum = null, maximum = null] = ends.map((one) => quotient(one, 1));
  const mean = isDirection ? direction(known) : hours > 0 && !isSum ? quotient(total, hours) : null;
  return {
    expected: at.length,
    hours,
    fullDays: fullDays ?? Number(hours >= 0.75 * at.length),
    mean,
    sum: isSum && hours > 0 ? quotient(total, 1) : null,
    minimum,
    maximum,
    highest: Number.isFinite(highest) ? quotient(highest, 168) : null,
  };
}

/** 168 times the mean of the eight hours to each hour before `ended`, with six values at least: a whole number. */
function runningOf(cells: readonly Cell[], unit: string, ended: number): readonly Cell[] {
  if (!RUNNING.has(unit)) return [];
  let [count, sum] = [0, 0];
  return cells.slice(0, ended).map((cell, index) => {
    const gone = cells[index - 8];
    count += Number(typeof cell === 'number') - Number(typeof gone === 'number');
    sum += (cell ?? 0) - (gone ?? 0);
    return count < 6 ? null : (168 / count) * sum;
  });
}

function direction(known: readonly number[]): number | null {
  const sum = (of: (radians: number) => number) =>
    known.reduce((all, one) => all + of((one / 180e9) * Math.PI), 0) / known.length;
  const [east, north] = [sum(Math.sin), sum(Math.cos)];
  if (known.length === 0 || Math.abs(east) + Math.abs(north) < 1e-9) return null;
  return (Math.atan2(east, north) * 180) / Math.PI;
}

function isSame(period: PeriodFigures | undefined, one: Expected, unit: string): boolean {
  if (period === undefined) return false;
  const { interval, mean, sum, minimum, maximum, hours, highest8hMean, fullDays } = period;
  const apart = ((((mean ?? 0) - (one.mean ?? 0)) % 360) + 540) % 360;
  const isMean = /^(?:deg|°)$/.test(unit)
    ? (mean === null) === (one.mean === null) && Math.abs(apart - 180) < 0.501e-9
    : mean === one.mean;
  const others = [
    interval.to - interval.from,
    sum,
    minimum,
    maximum,
    hours,
    highest8hMean,
    fullDays,
  ];
  const { expected, highest } = one;
  const wanted = [expected, one.sum, one.minimum, one.maximum, one.hours, highest, one.fullDays];
  return isMean && others.every((value, index) => value === wanted[index]);
}

type Periods = ReadonlyMap<number, PeriodFigures>;

function byStart(periods: readonly PeriodFigures[]): Periods {
  return new Map(periods.map((one) => [one.firstDay, one]));
}

void t.test('days and months are those of an independent calculation', (t) => {
  const chance = chanceOf(t);
  const counts = { days: 0, months: 0, different: 0 };
  for (const [timeZone, shift] of ZONES) {
    const clock = createZoneClock(timeZone);
    const calendar = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
    const hoursOf = new Map<string, number[]>();
    for (let index = 0; index < HOURS; index += 1) {
      const date = calendar.format((FROM + shift + index) * HOUR_MS);
      const hours = hoursOf.get(date) ?? [];
      hoursOf.set(date, [...hours, index]);
    }
    // The first and the last day are not whole, nor are their months.
    const dates = [...hoursOf.keys()].slice(1, -1);
    const months = [...new Set(dates.map((date) => date.slice(0, 7)))].slice(1, -1);
    for (let number = 0; number < SERIES; number += 1) {
      const [cells, unit] = [cellsOf(chance), chance.oneOf(UNITS)];
      const ended = HOURS - 24 - chance.integer(48);
      const { daysOf, monthsOf } = createPeriods(clock, FROM + shift + ended);
      const running = runningOf(cells, unit, ended);
      const rows = cells.flatMap((cell, index) => (cell === undefined ? [] : index));
      const hours = rows.map((index) => FROM + shift + index);
      const values = rows.map((index) => Number(`${cells[index] ?? NaN}e-9`));
      const series = { hours, values, unit };
      const compare = (periods: Periods, date: string, wanted?: Expected) => {
        const period = periods.get(Date.parse(date) / DAY_MS);
        if (wanted === undefined ? period === undefined : isSame(period, wanted, unit)) return;
        counts.different += 1;
        if (counts.different < 5) t.same(period, wanted, `${timeZone} ${date} ${unit}`);
      };
      const days = byStart(daysOf(series));
      const fullDays = new Map<string, number>();
      for (const date of dates) {
        const wanted = figures(hoursOf.get(date) ?? [], cells, unit, running);
        compare(days, date, wanted);
        const month = date.slice(0, 7);
        fullDays.set(month, (fullDays.get(month) ?? 0) + (wanted?.fullDays ?? 0));
        counts.days += 1;
      }
      const all = byStart(monthsOf(series));
      for (const month of months) {
        const at = dates.flatMap((date) =>
          date.startsWith(month) ? (hoursOf.get(date) ?? []) : [],
        );
        const full = fullDays.get(month) ?? 0;
        compare(all, `${month}-01`, figures(at, cells, unit, running, full));
        counts.months += 1;
      }
    }
  }
  t.comment(JSON.stringify(counts));
  t.ok(counts.days >= DAYS);
  t.equal(counts.different, 0);
  t.end();
});
