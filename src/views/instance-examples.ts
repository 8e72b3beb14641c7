/** Stations and components of this instance that replace those of the demonstration in examples. */
import type { Portal, PortalComponent, PortalStation } from './pages/portal/portal-model.js';

/** The example station in the repository. */
const EXAMPLE_STATION = '28005002';

/** The example time zone. */
const EXAMPLE_ZONE = 'Europe/Belgrade';

/** The example codes, the most frequent first. */
const EXAMPLE_CODES = ['NO2', 'PM10', 'O3', 'CO', 'SO2'];

export interface InstanceExamples {
  readonly station: PortalStation;
  /** Another station, or the same one. */
  readonly other: PortalStation;
  /** By example code: the same, else another that the station measures. */
  readonly components: ReadonlyMap<string, PortalComponent>;
}

/** Undefined without stations. */
export function instanceExamples({ stations, components }: Portal): InstanceExamples | undefined {
  const isMeasured = (station: PortalStation, code: string): boolean =>
    components.some((component) => component.code === code && station.latest.has(component.id));
  // Parameters that the recipes request at one station.
  const [first = '', second = ''] = EXAMPLE_CODES;
  const station =
    stations.find((one) => isMeasured(one, first) && isMeasured(one, second)) ??
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
    other: stations.find(({ id }) => id !== station.id) ?? station,
    components: new Map(named),
  };
}

/** Replaces examples in a program; codes that no program can contain are not used. */
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
    own.set(code.toLowerCase(), ownCode.toLowerCase().replaceAll('.', '_'));
  }
  // As words: `air_28005002_no2` has two of them.
  const words = [...own.keys()].join('|');
  return text.replaceAll(
    new RegExp(`(?<![A-Za-z0-9])(?:${words})(?![A-Za-z0-9])`, 'g'),
    (word) => own.get(word) ?? word,
  );
}
