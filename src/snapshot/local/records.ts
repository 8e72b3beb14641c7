/** Named records of a local copy, encoded and decoded; the only file that loads msgpack. */
import { decode, Encoder } from '@msgpack/msgpack';
import type { Digest } from '../domain/digest.js';
import type { Organization, Snapshot, SnapshotHeader } from '../domain/model.js';
import type { SelectableStation } from '../domain/selection.js';
import { SnapshotError } from '../domain/snapshot-error.js';

/** A file of the bulk bundle, stored under the name `bulkFileName(name)`. */
export interface BundleFile extends Digest {
  readonly name: string;
  readonly contentType: string;
  /** Digest of the gzip file, `bulkFileName(name, 'gzip')`; undefined if there is no such file. */
  readonly gzip?: Digest | undefined;
}

/** A station with the members for filters and file names, and the prepared text of its record. */
export interface FilterableStation extends SelectableStation {
  readonly text: string;
  readonly name: string;
}

/** The newest observation of one series, with the text of its record. */
export interface LatestObservation {
  readonly stationId: string;
  readonly parameterCode: string;
  /** Hours since the epoch. */
  readonly hour: number;
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

/** Hidden stations and parameters, with the ids and codes of the archive, whose answers leave them out. */
export interface HiddenIds {
  readonly stationIds: readonly string[];
  /** Parameters without a public component. */
  readonly parameterCodes: readonly string[];
}

/** The public part of a snapshot, for the portal and exports. */
interface PublicNetwork extends Pick<Snapshot, 'components' | 'stations'> {
  readonly organizations: readonly Pick<Organization, 'id' | 'name'>[];
  /** The newest value of each series; series without values are left out. */
  readonly newest: readonly (readonly [
    stationId: number,
    componentId: number,
    hour: number,
    value: number,
  ])[];
  /** Lowest and highest value of each component in the longest window. */
  readonly ranges: readonly (readonly [componentId: number, lowest: number, highest: number])[];
}

export interface StoredFile {
  readonly name: string;
  readonly sizeBytes: number;
}

export interface CopyRecords {
  /** Written last: a copy with a header is complete. */
  readonly header: SnapshotHeader;
  /** The stored files in the order of their numbers. */
  readonly files: readonly StoredFile[];
  /** Number of groups of names (`keys.ts`). */
  readonly names: number;
  /** Series in the order of the observations: ids as `Float64Array`, and the parameter code of each component. */
  readonly series: {
    readonly codes: readonly (readonly [componentId: number, parameterCode: string])[];
    readonly stations: Uint8Array;
    readonly components: Uint8Array;
  };
  readonly bundle: readonly BundleFile[];
  readonly stations: readonly FilterableStation[];
  /** In the order of the observations. */
  readonly latest: readonly LatestObservation[];
  /** The publishing organization, or null. */
  readonly publisher: Organization | null;
  readonly 'public-ids': PublicIds;
  readonly 'hidden-ids': HiddenIds;
  readonly network: PublicNetwork;
}

/** One encoder for thousands of small records, since each new encoder allocates a buffer. */
const encoder = new Encoder({ ignoreUndefined: true });

export function encodeRecord(value: CopyRecords[keyof CopyRecords]): Uint8Array {
  return encoder.encode(value);
}

/** @param bytes of a record in this layout, with a verified checksum. Throws `copy_damaged`. */
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
