/** Selects stations and series by the parameters of all endpoints (`docs/http-api/requests.md, "Selection"`). */
import type { StationType } from './model.js';
import { compareCodes } from './observation-order.js';

/** WGS84 decimal degrees; edges are inside. A west that is east of `east` means a box over the antimeridian. */
export interface BoundingBox {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Closed rings of WGS84 decimal degrees; what an odd number of rings encloses is inside, and so are edges. */
export type Polygon = readonly (readonly (readonly [longitude: number, latitude: number])[])[];

/** WGS84 decimal degrees. */
export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** A position, and a great-circle distance in metres; the edge is inside. */
export interface Circle extends Position {
  readonly radiusM: number;
}

/** Conditions, all of which a station must meet; undefined ones are ignored. */
export interface StationSelection {
  /** Ascending, unique; unknown ids are ignored. */
  readonly stationIds?: readonly number[] | undefined;
  readonly active?: boolean | undefined;
  /** Trimmed; compared without case. */
  readonly municipality?: string | undefined;
  readonly stationType?: StationType | undefined;
  readonly box?: BoundingBox | undefined;
  readonly circle?: Circle | undefined;
  readonly polygon?: Polygon | undefined;
}

/** Sorted lists, so that equal selections have equal JSON. */
export interface Selection extends StationSelection {
  /** Sorted by UTF-16 units, unique. */
  readonly parameterCodes?: readonly string[] | undefined;
  /** For each parameter, only the nearest station with a value is selected. */
  readonly nearestTo?: Position | undefined;
}

/** A station for selections, with both coordinates or neither. */
export interface SelectableStation {
  readonly id: number;
  readonly active: boolean;
  readonly municipality: string | undefined;
  readonly stationType: string | undefined;
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
}

/** Parameters of a request that select stations; `lat` and `lon` are both given or both undefined. */
export interface StationValues {
  readonly station_id: readonly string[] | undefined;
  readonly active: boolean | undefined;
  readonly municipality: string | undefined;
  readonly station_type: StationType | undefined;
  readonly bbox: BoundingBox | undefined;
  readonly lat: number | undefined;
  readonly lon: number | undefined;
  readonly radius_m: number;
}

export interface SeriesValues extends StationValues {
  readonly parameter_code: readonly string[] | undefined;
}

export function stationSelectionOf(values: StationValues): StationSelection {
  return selectionOf({ ...values, parameter_code: undefined });
}

/** @param known codes of public parameters; a text that is one of them is not split at its commas. */
export function selectionOf(
  values: SeriesValues,
  known: ReadonlySet<string> = new Set(),
): Selection {
  const { station_id: ids, parameter_code: codes, lat, lon } = values;
  const { active, municipality, station_type: stationType, bbox: box } = values;
  const isCircle = lat !== undefined && lon !== undefined;
  return {
    stationIds: ids && selectedIds(ids),
    parameterCodes: codes && selectedCodes(codes, known),
    active,
    municipality,
    stationType,
    box,
    circle: isCircle ? { latitude: lat, longitude: lon, radiusM: values.radius_m } : undefined,
  };
}

/** Whether the selection depends on more than the ids of stations. */
export function looksAtStations(selection: Selection): boolean {
  const { active, municipality, stationType, box, circle, polygon, nearestTo } = selection;
  const conditions = [active, municipality, stationType, box, circle, polygon, nearestTo];
  return conditions.some((one) => one !== undefined);
}

export function stationsMatching<S extends SelectableStation>(
  stations: readonly S[],
  selection: StationSelection,
): readonly S[] {
  const { stationIds, active, municipality, stationType, box, circle, polygon } = selection;
  const ids = stationIds && new Set(stationIds);
  const name = normalizedForSearch(municipality);
  return stations.filter(
    (station) =>
      (ids === undefined || ids.has(station.id)) &&
      (active === undefined || station.active === active) &&
      (name === undefined || normalizedForSearch(station.municipality) === name) &&
      (stationType === undefined || station.stationType === stationType) &&
      (box === undefined || isInside(station, box)) &&
      (polygon === undefined || isWithin(station, polygon)) &&
      (circle === undefined || (distanceM(station, circle) ?? Infinity) <= circle.radiusM),
  );
}

/** The known codes in a client's texts: the text itself if it is a code (`m,p-Xylene`), else the codes of its list. */
export function selectedCodes(
  texts: readonly string[],
  known: ReadonlySet<string>,
): readonly string[] {
  // Fast path for a single code; `selectedIds` has one for a single id.
  const [only = ''] = texts;
  if (texts.length === 1 && known.has(only)) return texts;
  const codes = texts.flatMap((text) => (known.has(text) ? [text] : listItems(text)));
  return [...new Set(codes)].filter((code) => known.has(code)).sort(compareCodes);
}

/** The ids in a client's texts, spelled as in answers; texts such as `07` are ignored. */
function selectedIds(texts: readonly string[]): readonly number[] {
  const [only = ''] = texts;
  if (texts.length === 1 && !only.includes(',')) return idsOf(only);
  return [...new Set(texts.flatMap(listItems).flatMap(idsOf))].sort((a, b) => a - b);
}

function idsOf(text: string): readonly number[] {
  const id = Number(text);
  return String(id) === text && Number.isFinite(id) ? [id] : [];
}

/** The trimmed, non-blank values of a comma-separated list. */
export function listItems(text: string): readonly string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** The mean radius of the Earth (IUGG). */
const EARTH_RADIUS_M = 6_371_008.8;

/** The great-circle distance (haversine); undefined for a station without coordinates. */
export function distanceM(
  { latitude, longitude }: Partial<Pick<SelectableStation, 'latitude' | 'longitude'>>,
  from: Position,
): number | undefined {
  if (latitude === undefined || longitude === undefined) return undefined;
  const north = Math.sin(radians(latitude - from.latitude) / 2);
  const east = Math.sin(radians(longitude - from.longitude) / 2);
  const cosines = Math.cos(radians(from.latitude)) * Math.cos(radians(latitude));
  const chord = north * north + cosines * east * east;
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(chord)));
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

/** A name for comparison without case; composed and decomposed characters (Unicode NFC, NFD) are equal. */
function normalizedForSearch(name: string | undefined): string | undefined {
  return name?.normalize('NFC').toLowerCase();
}

type Located = Pick<SelectableStation, 'latitude' | 'longitude'>;

/** A station without coordinates is outside every box. */
export function isInside({ latitude, longitude }: Located, box: BoundingBox): boolean {
  if (latitude === undefined || longitude === undefined) return false;
  const [isEast, isWest] = [longitude >= box.west, longitude <= box.east];
  const isBetween = box.west <= box.east ? isEast && isWest : isEast || isWest;
  return isBetween && latitude >= box.south && latitude <= box.north;
}

/** Farthest from an edge that a station on it is: few decimal numbers are exact in binary. */
const EDGE_DEGREES = 1e-12;

/** A station without coordinates is outside every polygon. */
function isWithin({ latitude: y, longitude: x }: Located, polygon: Polygon): boolean {
  if (x === undefined || y === undefined) return false;
  let isOdd = false;
  for (const ring of polygon) {
    for (const [at, [x2, y2]] of ring.entries()) {
      const [x1, y1] = ring[at - 1] ?? [x2, y2];
      const side = (x2 - x1) * (y - y1) - (x - x1) * (y2 - y1);
      const isOn = Math.abs(side) <= EDGE_DEGREES * (Math.abs(x2 - x1) + Math.abs(y2 - y1));
      const isBeside = Math.min(x1, x2) <= x && x <= Math.max(x1, x2);
      if (isOn && isBeside && Math.min(y1, y2) <= y && y <= Math.max(y1, y2)) return true;
      if (y1 > y !== y2 > y && side > 0 === y2 > y1) isOdd = !isOdd;
    }
  }
  return isOdd;
}
