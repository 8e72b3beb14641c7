/** The records of a local copy: what there is one of, by name, as bytes and back. The door to msgpack. */
import { decode, Encoder } from '@msgpack/msgpack';
import type { Digest } from '../domain/digest.js';
import type { Organization, Snapshot, SnapshotHeader } from '../domain/model.js';
import type { SelectableStation } from '../domain/selection.js';
import { SnapshotError } from '../domain/snapshot-error.js';

/** One finished file of the bulk bundle; its bytes are the file `bulkFileName(name)` of the copy. */
export interface BundleFile extends Digest {
  readonly name: string;
  readonly contentType: string;
  /** Digest of its gzip form, `bulkFileName(name, 'gzip')`; undefined when compression gains nothing. */
  readonly gzip?: Digest | undefined;
}

/** A station as filters and file names need it, with the prepared text of its record. */
export interface FilterableStation extends SelectableStation {
  readonly text: string;
  readonly name: string;
}

/** The newest value of one series, as the finished text of its record. */
export interface LatestObservation {
  readonly stationId: string;
  readonly parameterCode: string;
  readonly text: string;
}

/** Ids that a client may name: public stations and components, each list ascending, and the components' codes. */
interface PublicIds {
  readonly stations: readonly number[];
  readonly components: readonly number[];
  /** Components whose values are directions, which are ranked nowhere. */
  readonly directions: readonly number[];
  readonly parameterCodes: readonly string[];
}

/** Hidden stations and parameters: never in an answer, and left out of the archive. Ids as the archive has them. */
export interface HiddenIds {
  readonly stationIds: readonly string[];
  /** Codes that no public component has. */
  readonly parameterCodes: readonly string[];
}

/** The public part of a snapshot as the portal and exports show it. */
interface PublicNetwork extends Pick<Snapshot, 'components' | 'stations'> {
  readonly organizations: readonly Pick<Organization, 'id' | 'name'>[];
  /** Newest value of each series that has any value. */
  readonly newest: readonly (readonly [
    stationId: number,
    componentId: number,
    hour: number,
    value: number,
  ])[];
  /** By component: the lowest and the highest value in the longest window. */
  readonly ranges: readonly (readonly [componentId: number, lowest: number, highest: number])[];
}

export interface StoredFile {
  readonly name: string;
  readonly sizeBytes: number;
}

export interface CopyRecords {
  /** Written last: where it can be read, the copy is complete. */
  readonly header: SnapshotHeader;
  /** In the order of their numbers. */
  readonly files: readonly StoredFile[];
  /** In how many groups the names of finished answers are listed (`keys.ts`). */
  readonly names: number;
  /** In the order of the observations: ids as `Float64Array`, and the code of each component. */
  readonly series: {
    readonly codes: readonly (readonly [componentId: number, parameterCode: string])[];
    readonly stations: Uint8Array;
    readonly components: Uint8Array;
  };
  readonly bundle: readonly BundleFile[];
  /** In their order. */
  readonly stations: readonly FilterableStation[];
  /** In the order of the observations. */
  readonly latest: readonly LatestObservation[];
  /** The organization that publishes the data; null without one, and so without data. */
  readonly publisher: Organization | null;
  /** The catalogue's text, as the texts that the base URL goes between. */
  readonly catalog: readonly string[];
  readonly 'public-ids': PublicIds;
  readonly 'hidden-ids': HiddenIds;
  readonly network: PublicNetwork;
}

/** One for all records: an import writes thousands of small ones, and a new encoder begins with a new buffer. */
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
