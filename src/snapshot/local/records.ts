/** Named records of a local copy, encoded and decoded; the only file that loads msgpack. */
import { decode, Encoder } from '@msgpack/msgpack';
import type { Digest } from '../domain/digest.js';
import type { Organization, Snapshot, SnapshotHeader } from '../domain/model.js';
import type { SelectableStation } from '../domain/selection.js';
import { SnapshotError } from '../domain/snapshot-error.js';

/** A file of the bulk bundle, stored as `bulkFileName(name)`. */
export interface BundleFile extends Digest {
  readonly name: string;
  readonly contentType: string;
  /** Digest of its gzip form, `bulkFileName(name, 'gzip')`; undefined without one. */
  readonly gzip?: Digest | undefined;
}

/** A station as filters and file names need it, with the prepared text of its record. */
export interface FilterableStation extends SelectableStation {
  readonly text: string;
  readonly name: string;
}

/** The newest value of one series, as its record's text. */
export interface LatestObservation {
  readonly stationId: string;
  readonly parameterCode: string;
  readonly text: string;
}

/** Public ids and codes, ascending. */
interface PublicIds {
  readonly stations: readonly number[];
  readonly components: readonly number[];
  /** Components whose values are directions, which have no rank. */
  readonly directions: readonly number[];
  readonly parameterCodes: readonly string[];
}

/** Hidden stations and parameters, for the archive alone, with its ids. */
export interface HiddenIds {
  readonly stationIds: readonly string[];
  /** Codes without a public component. */
  readonly parameterCodes: readonly string[];
}

/** The public part of a snapshot for portal and exports. */
interface PublicNetwork extends Pick<Snapshot, 'components' | 'stations'> {
  readonly organizations: readonly Pick<Organization, 'id' | 'name'>[];
  /** Newest value of each series with values. */
  readonly newest: readonly (readonly [
    stationId: number,
    componentId: number,
    hour: number,
    value: number,
  ])[];
  /** By component: lowest and highest value of the longest window. */
  readonly ranges: readonly (readonly [componentId: number, lowest: number, highest: number])[];
}

export interface StoredFile {
  readonly name: string;
  readonly sizeBytes: number;
}

export interface CopyRecords {
  /** Written last: a copy with it is complete. */
  readonly header: SnapshotHeader;
  /** In the order of their numbers. */
  readonly files: readonly StoredFile[];
  /** Number of groups of names (`keys.ts`). */
  readonly names: number;
  /** In the order of the observations: ids as `Float64Array`, and the code of each component. */
  readonly series: {
    readonly codes: readonly (readonly [componentId: number, parameterCode: string])[];
    readonly stations: Uint8Array;
    readonly components: Uint8Array;
  };
  readonly bundle: readonly BundleFile[];
  readonly stations: readonly FilterableStation[];
  /** In the order of the observations. */
  readonly latest: readonly LatestObservation[];
  /** The publishing organization; null without one. */
  readonly publisher: Organization | null;
  /** The catalogue's text, split at the base URL. */
  readonly catalog: readonly string[];
  readonly 'public-ids': PublicIds;
  readonly 'hidden-ids': HiddenIds;
  readonly network: PublicNetwork;
}

/** Shared, since each new encoder allocates a buffer, for thousands of small records. */
const encoder = new Encoder({ ignoreUndefined: true });

export function encodeRecord(value: CopyRecords[keyof CopyRecords]): Uint8Array {
  return encoder.encode(value);
}

/** @param bytes of a record with a verified checksum and this layout. Throws `copy_damaged`. */
export function decodeRecord<K extends keyof CopyRecords>(
  name: K,
  bytes: Uint8Array,
): CopyRecords[K] {
  try {
    return decode(bytes) as CopyRecords[K];
  } catch (cause) {
    throw new SnapshotError('copy_damaged', `record ${name} cannot be decoded`, { cause });
  }
}
