/** What a request selects by and the snapshot has not, in a header field (`docs/http-api/requests.md, "Parameters"`). */
import { listItems, type BoundingBox } from '../../snapshot/domain/selection.js';
import type { FrontHistory } from '../answers/front-history.js';
import { lettersOf, type ServedSnapshot } from '../answers/served-snapshot.js';

/** Values that the field names, each so long. */
const VALUES_MAX = 8;
const LENGTH_MAX = 64;

/** One degree of latitude in metres; of longitude no more than that. */
const DEGREE_M = 111_195;

interface UnknownValue {
  readonly name: string;
  readonly text: string;
  readonly nearest?: string | undefined;
}

/** @returns `parameter_code=no2; did you mean NO2`, escaped as in a URL; empty where all is known. */
export function unknownValues(
  values: Readonly<Record<string, unknown>>,
  served: ServedSnapshot,
  history: FrontHistory,
): string {
  let found = '';
  let count = 0;
  for (const { name, text, nearest } of unknownOf(values, served, history)) {
    if ((count += 1) > VALUES_MAX) return `${found}, ...`;
    const shown = encodeURIComponent(Array.from(text).slice(0, LENGTH_MAX).join(''));
    const hint = nearest === undefined ? '' : `; did you mean ${encodeURIComponent(nearest)}`;
    found += `${found === '' ? '' : ', '}${name}=${shown}${hint}`;
  }
  return found;
}

function* unknownOf(
  values: Readonly<Record<string, unknown>>,
  { stations, parameterCodes, codesByLetters, box, snapshot }: ServedSnapshot,
  history: FrontHistory,
): Generator<UnknownValue> {
  for (const text of textsOf(values['station_id']).flatMap(listItems)) {
    const isThere = stations.has(Number(text));
    if (isThere && String(Number(text)) === text) continue;
    yield { name: 'station_id', text, nearest: isThere ? String(Number(text)) : undefined };
  }
  for (const whole of textsOf(values['parameter_code'])) {
    for (const text of parameterCodes.has(whole) ? [] : listItems(whole)) {
      if (parameterCodes.has(text)) continue;
      yield { name: 'parameter_code', text, nearest: codesByLetters.get(lettersOf(text)) };
    }
  }
  const { since, bbox } = values;
  if (typeof since === 'string' && since !== snapshot.snapshotId && !history.keeps(since)) {
    yield { name: 'since', text: since };
  }
  if (box !== undefined) yield* unknownPositions(values, bbox, box);
}

/** Positions whose circle, and boxes, that do not touch the box of the stations; with the two coordinates swapped they may. */
function* unknownPositions(
  { lat, lon, radius_m: radiusM }: Readonly<Record<string, unknown>>,
  bbox: unknown,
  stations: BoundingBox,
): Generator<UnknownValue> {
  if (typeof lat === 'number' && typeof lon === 'number' && typeof radiusM === 'number') {
    if (isNear(stations, around(lat, lon, radiusM))) return;
    const isSwapped = isNear(stations, around(lon, lat, radiusM));
    yield { name: 'lat', text: String(lat), nearest: isSwapped ? String(lon) : undefined };
    yield { name: 'lon', text: String(lon), nearest: isSwapped ? String(lat) : undefined };
  }
  if (!isBox(bbox) || isNear(stations, bbox)) return;
  const { west, south, east, north } = bbox;
  const swapped = { west: south, south: west, east: north, north: east };
  const nearest = isNear(stations, swapped) ? boxText(swapped) : undefined;
  yield { name: 'bbox', text: boxText(bbox), nearest };
}

/** The box around a circle; near a pole it goes all around. */
function around(latitude: number, longitude: number, radiusM: number): BoundingBox {
  const height = radiusM / DEGREE_M;
  const cosine = Math.cos(((Math.abs(latitude) + height) * Math.PI) / 180);
  const width = cosine > 0.01 ? height / cosine : 360;
  return {
    ...{ west: longitude - width, east: longitude + width },
    ...{ south: latitude - height, north: latitude + height },
  };
}

/** Whether two boxes touch, also where one crosses the antimeridian. */
function isNear(one: BoundingBox, other: BoundingBox): boolean {
  if (one.south > other.north || other.south > one.north) return false;
  return [-360, 0, 360].some(
    (turn) => one.west <= other.east + turn && other.west + turn <= one.east,
  );
}

function isBox(value: unknown): value is BoundingBox {
  return typeof value === 'object' && value !== null && 'west' in value && 'north' in value;
}

function boxText({ west, south, east, north }: BoundingBox): string {
  return [west, south, east, north].join(',');
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
