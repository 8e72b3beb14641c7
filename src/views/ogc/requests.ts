/** Requests to the OGC API, as plain data between the front and its workers. */
import type { BoundingBox, Selection } from '../../snapshot/domain/selection.js';
import type { HourInterval } from '../../snapshot/domain/windows.js';

export const COLLECTIONS = ['observations', 'stations', 'latest'] as const;
export type Collection = (typeof COLLECTIONS)[number];

export const VALUE_FORMATS = ['CoverageJSON', 'GeoJSON', 'CSV'] as const;
export type ValueFormat = (typeof VALUE_FORMATS)[number];

/** Both ends are inside: epoch milliseconds, UTC; infinite where open. */
export type Times = HourInterval;

/** WGS84 decimal degrees. */
export interface Position {
  readonly longitude: number;
  readonly latitude: number;
}

export type DocumentRequest =
  | { readonly kind: 'landing' | 'conformance' | 'collections' }
  | { readonly kind: 'collection'; readonly collection: Collection };

/** A page of the features of a collection, or one of them. */
export interface FeaturesRequest {
  readonly kind: 'features';
  /** `locations` are the stations, as EDR describes them. */
  readonly collection: Collection | 'locations';
  /** Undefined: a page of features. */
  readonly featureId?: string;
  readonly box: BoundingBox | undefined;
  readonly times: Times | undefined;
  readonly limit: number;
  readonly offset: number;
  /** As the client wrote it, without `?`. */
  readonly query: string;
}

/** The values of some series in some hours. */
export interface Values {
  readonly selection: Selection;
  readonly interval: HourInterval;
  /** Selects, for each parameter, only the nearest station with a value; undefined: all stations. */
  readonly position: Position | undefined;
  /** For the links of GeoJSON: the collection's address, the rest of the path, and the query as the client wrote it. */
  readonly collection: string;
  readonly name: string;
  readonly query: string;
}

export interface ValuesRequest extends Values {
  readonly kind: 'values';
}

export type Request = DocumentRequest | FeaturesRequest | ValuesRequest;
