/**
 * Searches for stations, on the server and in the browser. Every searched word must begin a word of the same field: of
 * the name, else of the code, else of the municipality. If no station matches, a town of the map may match, with the
 * stations near it; addresses are searched last.
 */
import { distanceM } from '../../../snapshot/domain/selection.js';
import type { Coordinates } from '../map/frame.js';

const NEAREST = 5;

/** Separates the fields of a station, which are searched in order. */
const FIELD_END = '|';

/** A town, or another point of the map. */
export interface Place extends Coordinates {
  readonly name: string;
}

export interface Searched extends Partial<Coordinates> {
  /** Text that `searchText` has made. */
  readonly text: string;
  /** Whether the station measures the component. */
  readonly isMeasuring: boolean;
}

type SearchedFields = Readonly<Record<'name' | 'code', string>> &
  Readonly<Partial<Record<'municipality' | 'address', string | undefined>>>;

/** Searched text: name, code, municipality, address. */
export function searchText({ name, code, municipality = '', address = '' }: SearchedFields) {
  return [name, code, municipality, address]
    .map((field) => normalizeForSearch(field).replaceAll(FIELD_END, ' '))
    .join(FIELD_END);
}

/** @returns matches, the best first; or stations near `place`, the nearest first; all stations for an empty search. */
export function searchStations<S extends Searched>(
  query: string,
  stations: readonly S[],
  places: readonly Place[],
) {
  const words = wordsOf(normalizeForSearch(query));
  if (words.length === 0) return { stations, place: undefined };
  const ranked = stations.flatMap((station) => {
    const rank = station.text.split(FIELD_END).findIndex((field) => matches(field, words));
    return rank < 0 ? [] : { station, rank };
  });
  // Addresses count only without other matches: many streets are named after towns.
  const named = ranked.filter(({ rank }) => rank < ADDRESS);
  const place =
    named.length > 0
      ? undefined
      : places.find(({ name }) => matches(normalizeForSearch(name), words));
  if (place !== undefined) return { stations: nearestTo(place, stations), place };
  const matching = named.length > 0 ? named : ranked;
  return {
    stations: matching.toSorted((a, b) => a.rank - b.rank).map(({ station }) => station),
    place: undefined,
  };
}

/** Position of the address among the fields. */
const ADDRESS = 3;

/** The nearest stations that measure the component, then other stations that are as near. */
export function nearestTo<S extends Searched>(
  place: Coordinates,
  stations: readonly S[],
): readonly S[] {
  const near = stations
    .flatMap((station) => {
      const metres = distanceM(station, place);
      return metres === undefined ? [] : { station, metres };
    })
    .toSorted((a, b) => a.metres - b.metres);
  const measuring = near.filter(({ station }) => station.isMeasuring).slice(0, NEAREST);
  const limit = measuring.at(-1)?.metres ?? Infinity;
  const others = near
    .filter(({ station, metres }) => !station.isMeasuring && metres <= limit)
    .slice(0, NEAREST);
  return [...measuring, ...others].map(({ station }) => station);
}

/** Formats metres: `420 m`, `4.2 km`, `42 km`. */
export function distanceFormat(locale: string): (metres: number) => string {
  const inUnit = (unit: string, maximumFractionDigits: number): Intl.NumberFormat =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits });
  const [metre, near, far] = [inUnit('meter', 0), inUnit('kilometer', 1), inUnit('kilometer', 0)];
  return (metres) => {
    if (metres < 1000) return metre.format(Math.round(metres / 10) * 10);
    return (metres < 10_000 ? near : far).format(metres / 1000);
  };
}

/** Whether every searched word begins a word of the field. */
function matches(field: string, words: readonly string[]): boolean {
  const ofField = wordsOf(field);
  return words.every((word) => ofField.some((one) => one.startsWith(word)));
}

function wordsOf(normalized: string): readonly string[] {
  return normalized.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}

/** One form of all spellings of a name: `Čačak`, `cacak` and `Чачак` are equal. */
export function normalizeForSearch(text: string): string {
  return text
    .toLowerCase()
    .replace(/[а-џ]/g, (letter) => LATIN_OF.get(letter) ?? letter)
    .replaceAll('đ', 'dj')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .trim();
}

const CYRILLIC = 'а б в г д ђ е ж з и ј к л љ м н њ о п р с т ћ у ф х ц ч џ ш'.split(' ');
const LATIN = 'a b v g d dj e z z i j k l lj m n nj o p r s t c u f h c c dz s'.split(' ');
const LATIN_OF = new Map(CYRILLIC.map((letter, at) => [letter, LATIN[at]]));
