/** `GET /api/v1/stations`: the prepared records of selected stations (`docs/http-api/requests.md, "Selection"`). */
import { distanceM, stationsMatching, type Circle } from '../../../snapshot/domain/selection.js';
import type { Plan } from '../../../snapshot/local/plan.js';
import type { FilterableStation } from '../../../snapshot/local/records.js';
import { planText } from '../../formats/answers.js';
import type { PlanStationsTask } from '../../messages.js';
import { openSnapshot } from '../../open-snapshot.js';

/** @throws {SnapshotError} `copy_damaged`. */
export function planStations({ location, gzip, selection }: PlanStationsTask): Plan {
  const { circle } = selection;
  const stations = stationsMatching(openSnapshot(location).stations(), selection);
  const texts = circle ? nearestFirst(stations, circle) : stations.map(({ text }) => text);
  return planText(`[${texts.join(',')}]`, { gzip, records: texts.length });
}

/** Texts of stations, ascending by distance, then id, with the distance as an additional member. */
function nearestFirst(stations: readonly FilterableStation[], circle: Circle): readonly string[] {
  return stations
    .map((station) => ({ ...station, metres: distanceM(station, circle) ?? Infinity }))
    .sort((a, b) => a.metres - b.metres || a.id - b.id)
    .map(({ text, metres }) => withDistance(text, metres));
}

/** The text of a record, with the distance as its last member, rounded to the metre. */
export function withDistance(text: string, metres: number): string {
  return `${text.slice(0, -1)},"distance_m":${Math.round(metres)}}`;
}
