/** Findings of the gates (plausibility checks): names of mistakes, lines for an operator, and figures to compare. */
import type { Series, Snapshot } from '../snapshot/domain/model.js';
import { HOUR_MS, utcDateTime } from '../snapshot/domain/windows.js';

/** Names of the mistakes, as `--allow` takes them. */
const GATES = {
  future: 'hours or a generated_at later than now by more than an hour',
  alone: 'a generated_at far from nearly all rows',
  drop: 'more than half of the stations, the rows or the newest hour gone',
  changed:
    'of build: most rows of several series other than they were, or a row far from all others',
  sentinels: 'values such as -999 that stand for none',
  negative: 'concentrations below zero',
  jump: 'values a hundred times above what a component has had',
  moved: 'a station more than 50 km from where it was',
  unlocated: 'a station without the position that it had',
  minute: 'hours that start at another minute than they did',
  unit: 'a component with another unit than it had',
  zone: "another time zone than that of the archive's days, all of which are made anew",
  code: 'a station or a component with another code than it had',
  place:
    'coordinates at 0/0, swapped, far from the country of the others, or most of them in the sea',
  cut: 'of exports: a file that is empty, or whose last line has no end',
} as const;
export type Gate = keyof typeof GATES;

export const GATE_NAMES: readonly string[] = Object.keys(GATES);

export interface Finding {
  readonly gate: Gate;
  /** One line: the finding, its station, component, hour and value, and the expectation. */
  readonly message: string;
}

export function cutFile(name: string): Finding {
  const message = `${name}: it is empty or its last line has no end, so it may have been cut`;
  return { gate: 'cut', message };
}

export interface Figures {
  readonly stations: number;
  readonly located: number;
  /** Rows with a value in the 30 days before `generated_at`. */
  readonly rows: number;
  /** Stations with a value in the newest hour. */
  readonly current: number;
  /** Start of the newest hour in epoch milliseconds; undefined without any value. */
  readonly newestMs: number | undefined;
  /** Lowest and highest value of each component, by its code. */
  readonly ranges: ReadonlyMap<string, { readonly least: number; readonly most: number }>;
}

export function describeRow(
  snapshot: Snapshot,
  { stationId, componentId }: Series,
  { hour, value }: { readonly hour: number; readonly value: number | undefined },
): string {
  const station = snapshot.stations.find(({ id }) => id === stationId);
  const component = snapshot.components.find(({ id }) => id === componentId);
  const what = `station ${station?.code ?? stationId} (${station?.name ?? ''}), ${component?.shortName ?? ''}`;
  const valueText = value === undefined || Number.isNaN(value) ? 'no value' : value;
  return `${what}, ${utcDateTime(hour * HOUR_MS)}: ${valueText}`;
}
