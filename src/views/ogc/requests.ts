/** Requests to the OGC API, as plain data between the front and its workers. */
import type { BoundingBox, Selection } from '../../snapshot/domain/selection.js';
import type { HourInterval } from '../../snapshot/domain/windows.js';

export const COLLECTIONS = ['observations', 'stations', 'latest'] as const;
export type Collection = (typeof COLLECTIONS)[number];

/** A closed interval: epoch milliseconds, UTC; infinite where it is open. */
export interface Times {
  readonly from: number;
  readonly to: number;
}

export interface DocumentRequest {
  readonly kind: 'document';
  readonly name: Collection | 'landing' | 'conformance' | 'collections';
}

/** A page of the features of a collection, or one feature. */
export interface FeaturesRequest {
  readonly kind: 'features';
  /** `locations` are the stations, as EDR describes them. */
  readonly collection: Collection | 'locations';
  /** Undefined: a page of features. */
  readonly featureId?: string;
  readonly bbox?: BoundingBox | undefined;
  readonly datetime?: Times | undefined;
  /** Default: all features. */
  readonly limit?: number;
  readonly offset?: number | undefined;
  /** As the client wrote it, without `?`. */
  readonly query: string;
}

/** The address of an answer: the collection's URL, the rest of the path, and the query as the client wrote it. */
export interface Address {
  readonly collection: string;
  readonly name: string;
  readonly query: string;
}

/** The values of some series in some hours. */
export interface ValuesRequest {
  readonly kind: 'values';
  readonly selection: Selection;
  readonly interval: HourInterval;
  readonly address: Address;
}

export type Request = DocumentRequest | FeaturesRequest | ValuesRequest;
