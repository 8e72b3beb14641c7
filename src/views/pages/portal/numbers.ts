/** Formats numbers in a language: values, aggregates with derived digits, and short forms. */
import { meanOf, sumOf } from '../../../snapshot/domain/days.js';

export function numbersIn(tag: string) {
  const toPlaces = (most: number, options: Intl.NumberFormatOptions = {}) =>
    Array.from({ length: most + 1 }, (_, maximumFractionDigits) => {
      const all = { signDisplay: 'negative', maximumFractionDigits, ...options } as const;
      return new Intl.NumberFormat(tag, all);
    });
  const written = toPlaces(PLACES_MAX);
  const bare = toPlaces(3, { useGrouping: false });
  const powers = toPlaces(2, { notation: 'scientific' });
  const rounded = (value: number, places: number): string => {
    const size = Math.abs(value);
    if (size >= LARGE || (size > 0 && size < SMALL)) return powers[2]?.format(value) ?? '';
    const digits = isZero(value, places) ? placesOf(value) : places;
    return written[Math.min(digits, PLACES_MAX)]?.format(value) ?? '';
  };
  /** The first form that fits: fewer decimals, thousands, millions, a power of ten. */
  const narrow = (value: number, places: number): string => {
    for (const { unit, sign } of UNITS) {
      for (let fewer = Math.min(sign === '' ? places : 1, 3); fewer >= 0; fewer -= 1) {
        const text = `${bare[fewer]?.format(value / unit) ?? ''}${sign}`;
        if (widthOf(text) <= NARROW && !isZero(value / unit, fewer)) return text;
      }
    }
    return powers[0]?.format(value) ?? '';
  };
  return {
    /** A measured value: 3 decimals below one, 2 below ten, 1 below a million, no added zeros; `0` only for zero. */
    number: (value: number) => rounded(value, placesOf(value)),
    /** The mean, with one digit more than its values. */
    mean: (values: readonly number[]) => {
      // Rounds once: 16.047 to 16.05 and that to 16.1 would be wrong.
      const middle = meanOf(values);
      return rounded(middle, Math.min(placesOf(middle), decimalsOfAll(values) + 1));
    },
    roundedMean,
    /** The sum, with the digits of its values. */
    sum: (values: readonly number[]) => rounded(roundedSum(values), decimalsOfAll(values)),
    roundedSum,
    /** A difference with its sign, with at most the digits of its values. */
    difference: (value: number, before: number) => {
      const change = roundedChange(value, before);
      const text = rounded(change, Math.max(placesOf(value), placesOf(before)));
      return change > 0 ? `+${text}` : text;
    },
    /** Short form for a cell of the calendar. */
    shortNumber: (value: number) => narrow(value, shortPlacesOf(value)),
    /** Short form for a marker of the map. */
    markerNumber: (value: number) => narrow(value, placesOf(value)),
  };
}

function roundedChange(value: number, before: number): number {
  const exact = value - before;
  return Number(exact.toFixed(decimalsOfAll([value, before]))) || exact;
}

/** Numbers from `LARGE` on, and below `SMALL`, are written with powers of ten: `1.5E9`. */
const LARGE = 1e9;
const SMALL = 1e-6;
const PLACES_MAX = 8;

/** Width of a marker or a cell, in digits. */
const NARROW = 4;

const UNITS = [
  { unit: 1, sign: '' },
  { unit: 1e3, sign: 'k' },
  { unit: 1e6, sign: 'M' },
] as const;

function widthOf(text: string): number {
  if (text.length <= NARROW) return text.length;
  return text.replaceAll(/[^\d\p{L}]/gu, '').length + text.replaceAll(/[\d\p{L}]/gu, '').length / 2;
}

/** Whether a non-zero value would be written as zero. */
function isZero(value: number, places: number): boolean {
  return value !== 0 && Math.abs(value) < 1 && Number(value.toFixed(places)) === 0;
}

function placesOf(value: number): number {
  const size = Math.abs(value);
  // Numbers below 0.01 keep two digits.
  if (size < 1) return size < SMALL ? 3 : Math.max(3, 1 - Math.floor(Math.log10(size)));
  if (size < 10) return 2;
  return size < 1e6 ? 1 : 0;
}

/** Decimal places of a number: at most three, but more for a small number. */
function decimalsOf(value: number): number {
  const most = Math.max(placesOf(value), 3);
  let places = 0;
  while (places < most && Number(value.toFixed(places)) !== value) places += 1;
  return places;
}

/** The mean with one digit more than the values, or with two digits if it would otherwise be zero. */
function roundedMean(values: readonly number[]): number {
  const middle = meanOf(values);
  return roundTo(middle, decimalsOfAll(values) + 1) || Number(middle.toPrecision(2));
}

/** The sum with the decimal places of the values. */
function roundedSum(values: readonly number[]): number {
  return roundTo(sumOf(values), decimalsOfAll(values));
}

/** Rounds halves away from zero, as texts do: `toFixed` alone would make 2.005, which is stored as less, 2.00. */
function roundTo(value: number, places: number): number {
  return Number((value * (1 + Number.EPSILON)).toFixed(places));
}

function decimalsOfAll(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, decimalsOf(value)), 0);
}

function shortPlacesOf(value: number): number {
  const size = Math.abs(value);
  if (size < 0.0995) return size === 0 ? 0 : 2;
  return size < 9.95 ? 1 : 0;
}
