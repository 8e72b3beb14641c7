/** What a check of a recipe is given, and what it compares with: the JSON API, read by a few lines of our own. */
import type { Test } from 'tap';
import type { RecipeName } from '../../../../src/views/recipes.js';
import { get, getJson } from '../../../support/service/requests.js';
import type { Service } from '../../../support/service/service.js';

/** A recipe in a folder of its own, where its file lies. */
interface Place {
  readonly folder: string;
  /** Name of the file there. */
  readonly file: string;
  readonly code: string;
  /** What serves the demonstration; `code` has its address. */
  readonly service: Service;
  /** All recipes, for those that use what another one has left. */
  readonly recipes: ReadonlyMap<RecipeName, string>;
}

export type Check = (t: Test, place: Place) => Promise<void>;

export interface Observation {
  readonly station_id: string;
  readonly parameter_code: string;
  readonly time_start_utc: string;
  readonly time_end_utc: string;
  readonly value: number | null;
}

/** The station of the recipes. */
export const STATION = '28005002';

/** Name of the files of all observations, without its ending. */
export const DATASET = 'observations_hourly_preliminary_last30days';

/** `/api/v1/observations`, or another list of observations, with a query. */
export async function observations(
  service: Service,
  query: string,
  path = '/api/v1/observations',
): Promise<readonly Observation[]> {
  const { body } = await getJson(service, `${path}?${query}`);
  return (body as { readonly data: readonly Observation[] }).data;
}

/** How many series have a newest value. */
export async function newestValues(service: Service, query = ''): Promise<number> {
  const { headers } = await get(service, `/api/v1/observations/latest?${query}`);
  return Number(headers['x-record-count']);
}

/** The clock of Europe/Belgrade in winter, the season of the demonstration: an hour later than UTC. */
export function localTime({ time_start_utc: time }: Observation): {
  readonly day: string;
  readonly hour: number;
} {
  const local = new Date(Date.parse(time) + 3_600_000);
  return { day: local.toISOString().slice(0, 10), hour: local.getUTCHours() };
}

/** Of those that have a value. */
export function meanOf(observed: readonly Observation[]): number {
  const values = observed.flatMap(({ value }) => (value === null ? [] : [value]));
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function highestOf(observed: readonly Observation[]): number {
  return Math.max(...observed.flatMap(({ value }) => value ?? []));
}

/** Means by local day; of a day with fewer hours than that `NaN`. */
export async function dailyMeans(
  service: Service,
  code: string,
  {
    hoursMin,
    station = STATION,
  }: { readonly hoursMin: number; readonly station?: string | undefined },
): Promise<ReadonlyMap<string, number>> {
  const days = new Map<string, Observation[]>();
  const query = `station_id=${station}&parameter_code=${code}`;
  for (const observed of await observations(service, query)) {
    if (observed.value === null) continue;
    const { day } = localTime(observed);
    days.set(day, [...(days.get(day) ?? []), observed]);
  }
  return new Map(
    [...days].map(([day, hours]) => [day, hours.length < hoursMin ? NaN : meanOf(hours)]),
  );
}

/** Passes where both are no number, or differ by no more than `by`. */
export function closeTo(
  t: Test,
  [actual, expected]: readonly [number, number | undefined],
  by: number,
  what: string,
): void {
  const isSame = Number.isNaN(actual)
    ? Number.isNaN(expected)
    : expected !== undefined && Math.abs(actual - expected) <= by;
  t.ok(isSame, `${what}: ${actual}, expected ${expected}`);
}
