/** Stations and components of this instance that replace those of the demonstration in examples. */
import { isDirection, prettyUnit } from '../snapshot/domain/units.js';
import type { Portal, PortalStation } from './pages/portal/portal-model.js';

/** The station in the repository's examples. */
const EXAMPLE_STATION = '28005002';

const EXAMPLE_ZONE = 'Europe/Belgrade';

/** The component codes in the repository's examples, the most frequent first. */
const EXAMPLE_CODES = ['NO2', 'PM10', 'O3', 'CO', 'SO2'];

export type InstanceExamples = NonNullable<ReturnType<typeof instanceExamples>>;

/** Chooses the examples; undefined without stations. */
export function instanceExamples({ stations, components }: Portal) {
  const isMeasured = (station: PortalStation, code: string): boolean =>
    components.some((component) => component.code === code && station.latest.has(component.id));
  // Recipes request these two parameters at one station.
  const [first = '', second = ''] = EXAMPLE_CODES;
  const wind = [
    ['WS', components.find(({ unit }) => prettyUnit(unit) === 'm/s')] as const,
    ['WD', components.find(isDirection)] as const,
  ].flatMap(([code, own]) => (own ? [[code, own] as const] : []));
  const both = stations.filter((one) => isMeasured(one, first) && isMeasured(one, second));
  const station =
    both.find(({ latest }) => wind.every(([, { id }]) => latest.has(id))) ??
    both[0] ??
    stations.find(({ latest }) => latest.size > 0) ??
    stations[0];
  if (station === undefined) return undefined;
  const newest = components.filter(({ id }) => station.latest.has(id));
  const measured = newest.length > 0 ? newest : components;
  const others = measured.filter(({ code }) => !EXAMPLE_CODES.includes(code));
  const fallbacks = others.length > 0 ? others : measured;
  const named = EXAMPLE_CODES.flatMap((code, index) => {
    const own =
      components.find((component) => component.code === code) ??
      fallbacks[index % fallbacks.length];
    return own ? [[code, own] as const] : [];
  });
  return {
    station,
    /** Another station; if there is only one, that station. */
    other: stations.find(({ id }) => id !== station.id) ?? station,
    /** Components by example code: the one with this code, else another, if possible one that `station` measures. */
    components: new Map([...named, ...wind]),
  };
}

/** Replaces the repository's examples in a program; a code with characters that could break the program is not used. */
export function withExamples(
  text: string,
  { station, components }: InstanceExamples,
  timeZone: string,
): string {
  const own = new Map<string, string>([
    [EXAMPLE_STATION, String(station.id)],
    [EXAMPLE_ZONE, timeZone],
  ]);
  for (const [code, { code: ownCode }] of components) {
    if (!/^[A-Za-z][\w.]*$/.test(ownCode)) continue;
    own.set(code, ownCode);
    // `ws` and `wd` are names of openair, not examples.
    if (EXAMPLE_CODES.includes(code))
      own.set(code.toLowerCase(), ownCode.toLowerCase().replaceAll('.', '_'));
  }
  // Only whole words are replaced; `_` separates them: `air_28005002_no2` contains two examples.
  const words = [...own.keys()].join('|');
  return text.replaceAll(
    new RegExp(`(?<![A-Za-z0-9])(?:${words})(?![A-Za-z0-9])`, 'g'),
    (word) => own.get(word) ?? word,
  );
}
