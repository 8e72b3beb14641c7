/** Which stations and series a request is about: the same words wherever either is answered (`docs/http-api/requests.md, "Selection"`). */
import type { StationType } from './model.js';
import { compareCodes } from './observation-order.js';

/** WGS84 decimal degrees; edges count as inside. */
export interface BoundingBox {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** WGS84 decimal degrees, and a great-circle distance in metres; its edge counts as inside. */
export interface Circle {
  readonly latitude: number;
  readonly longitude: number;
  readonly radiusM: number;
}

/** All that is given must hold; undefined is what a request does not select by. */
export interface StationSelection {
  /** Ascending, each once; those that no station has add nothing. */
  readonly stationIds: readonly number[] | undefined;
  readonly active: boolean | undefined;
  /** Trimmed; compared without regard to case. */
  readonly municipality: string | undefined;
  readonly stationType: StationType | undefined;
  readonly box: BoundingBox | undefined;
  readonly circle: Circle | undefined;
}

/** Lists are in one order, so that the same selection is the same text in JSON, however it was written. */
export interface Selection extends StationSelection {
  /** By UTF-16 code units, each once. */
  readonly parameterCodes: readonly string[] | undefined;
}

/** Members by which a station is selected; coordinates are both there, or neither. */
export interface SelectableStation {
  readonly id: number;
  readonly active: boolean;
  readonly municipality: string | undefined;
  readonly stationType: string | undefined;
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
}

/** A selection of stations, by the names of a request's parameters; positions are whole or missing. */
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

/** Values of series that a selection looks at. */
export interface SeriesValues extends StationValues {
  readonly parameter_code: readonly string[] | undefined;
}

export function stationSelectionOf(values: StationValues): StationSelection {
  return selectionOf({ ...values, parameter_code: undefined });
}

/** @param known codes of the snapshot's public parameters, by which the texts are split. */
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

/** Whether it asks of stations more than their ids, so that they have to be looked at. */
export function looksAtStations(selection: StationSelection): boolean {
  const { active, municipality, stationType, box, circle } = selection;
  return (
    active !== undefined ||
    municipality !== undefined ||
    stationType !== undefined ||
    box !== undefined ||
    circle !== undefined
  );
}

/** The stations that the selection leaves, in their order. */
export function stationsMatching<S extends SelectableStation>(
  stations: readonly S[],
  selection: StationSelection,
): readonly S[] {
  const { stationIds, active, municipality, stationType, box, circle } = selection;
  const ids = stationIds && new Set(stationIds);
  const name = municipality === undefined ? undefined : normalizedForSearch(municipality);
  return stations.filter(
    (station) =>
      (ids === undefined || ids.has(station.id)) &&
      (active === undefined || station.active === active) &&
      (name === undefined || isNamed(station.municipality, name)) &&
      (stationType === undefined || station.stationType === stationType) &&
      (box === undefined || isInside(station, box)) &&
      (circle === undefined || (distanceM(station, circle) ?? Infinity) <= circle.radiusM),
  );
}

/**
 * The codes that a client's texts name: a text that is a known code (`m,p-Xylene`), else the known codes of its list.
 */
export function selectedCodes(
  texts: readonly string[],
  known: ReadonlySet<string>,
): readonly string[] {
  // Most requests name one; so does the next function.
  const [only = ''] = texts;
  if (texts.length === 1 && known.has(only)) return texts;
  const codes = texts.flatMap((text) => (known.has(text) ? [text] : listItems(text)));
  return [...new Set(codes)].filter((code) => known.has(code)).sort(compareCodes);
}

/** The ids that a client's texts name, each spelled as answers spell it; other texts name nothing. */
export function selectedIds(texts: readonly string[]): readonly number[] {
  const [only = ''] = texts;
  if (texts.length === 1 && !only.includes(',')) return idsOf(only);
  return [...new Set(texts.flatMap(listItems).flatMap(idsOf))].sort((a, b) => a - b);
}

function idsOf(text: string): readonly number[] {
  const id = Number(text);
  return String(id) === text && Number.isFinite(id) ? [id] : [];
}

/** The values of a list with commas, trimmed; blanks between two commas are ignored. */
export function listItems(text: string): readonly string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** The mean radius of the Earth (IUGG). */
const EARTH_RADIUS_M = 6_371_008.8;

/** The great-circle distance by the haversine formula; undefined for a station without coordinates. */
export function distanceM(
  { latitude, longitude }: Pick<SelectableStation, 'latitude' | 'longitude'>,
  from: Pick<Circle, 'latitude' | 'longitude'>,
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

/** Whole names, whatever their case; of one that is written in two ways, either. */
function isNamed(name: string | undefined, wanted: string): boolean {
  return name !== undefined && normalizedForSearch(name) === wanted;
}

function normalizedForSearch(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** A station without coordinates is outside every box. */
function isInside(
  { latitude, longitude }: Pick<SelectableStation, 'latitude' | 'longitude'>,
  box: BoundingBox,
): boolean {
  return (
    latitude !== undefined &&
    longitude !== undefined &&
    longitude >= box.west &&
    longitude <= box.east &&
    latitude >= box.south &&
    latitude <= box.north
  );
}
