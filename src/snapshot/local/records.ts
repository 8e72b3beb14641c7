/** The records of a local copy as bytes, and back. */
import {
  asArray,
  asBoolean,
  asNumber,
  asNumbers,
  asObject,
  asOptional,
  asString,
  decodeRecord,
  encodeRecord,
} from './msgpack.js';
import {
  WINDOWS,
  type AdditionalMembers,
  type Counts,
  type Organization,
  type SnapshotHeader,
} from '../domain/model.js';
import type { Digest } from '../domain/digest.js';
import type { BundleFile } from './bundle.js';
import type { FileList } from './files.js';

/** The header is the record that is written last: where it can be read, the copy is complete. */
export function encodeHeader(header: SnapshotHeader): Uint8Array {
  return encodeRecord(header);
}

/** @throws {SnapshotError} `copy_damaged` for bytes that `encodeHeader` did not make. */
export function decodeHeader(bytes: Uint8Array): SnapshotHeader {
  const header = asObject(decodeRecord(bytes));
  const windows = asArray(header['supportedWindows']);
  return {
    schemaVersion: asString(header['schemaVersion']),
    snapshotId: asString(header['snapshotId']),
    generatedAtMs: asNumber(header['generatedAtMs']),
    supportedWindows: WINDOWS.filter((window) => windows.includes(window)),
    counts: decodeCounts(asObject(header['counts'])),
    ...(header['demonstration'] === true && { demonstration: true }),
  };
}

function decodeCounts(counts: Readonly<Record<string, unknown>>): Counts {
  return {
    organizations: asNumber(counts['organizations']),
    networks: asNumber(counts['networks']),
    stations: asNumber(counts['stations']),
    components: asNumber(counts['components']),
    measurement_rows: asNumber(counts['measurement_rows']),
  };
}

export function encodeFileList(files: FileList): Uint8Array {
  return encodeRecord(files.map(({ name, sizeBytes }) => [name, sizeBytes]));
}

/** @throws {SnapshotError} `copy_damaged` for bytes that `encodeFileList` did not make. */
export function decodeFileList(bytes: Uint8Array): FileList {
  return asArray(decodeRecord(bytes)).map((file) => {
    const [name, sizeBytes] = asArray(file);
    return { name: asString(name), sizeBytes: asNumber(sizeBytes) };
  });
}

/** In how many groups the names of finished answers are listed. */
export function encodeGroupCount(groups: number): Uint8Array {
  return encodeRecord(groups);
}

/** @throws {SnapshotError} `copy_damaged` for bytes that `encodeGroupCount` did not make. */
export function decodeGroupCount(bytes: Uint8Array): number {
  return asNumber(decodeRecord(bytes));
}

export function encodeBundle(files: readonly BundleFile[]): Uint8Array {
  return encodeRecord(
    files.map(({ gzip, ...file }) => (gzip === undefined ? file : { ...file, gzip })),
  );
}

/** @throws {SnapshotError} `copy_damaged` for bytes that `encodeBundle` did not make. */
export function decodeBundle(bytes: Uint8Array): readonly BundleFile[] {
  return asArray(decodeRecord(bytes)).map((file) => {
    const { name, contentType, gzip } = asObject(file);
    return {
      name: asString(name),
      contentType: asString(contentType),
      ...decodeDigest(file),
      gzip: asOptional(gzip, decodeDigest),
    };
  });
}

function decodeDigest(value: unknown): Digest {
  const { sizeBytes, sha256 } = asObject(value);
  return { sizeBytes: asNumber(sizeBytes), sha256: asString(sha256) };
}

/** What `GET /api/v1/stations` filters by, beside the finished text of each record. */
export interface FilterableStation {
  readonly text: string;
  readonly active: boolean;
  readonly municipality: string | undefined;
  readonly stationType: string | undefined;
  /** WGS84 decimal degrees; both or neither. */
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
}

export function encodeStations(stations: readonly FilterableStation[]): Uint8Array {
  return encodeRecord(
    stations.map(({ text, active, municipality, stationType, latitude, longitude }) => [
      ...[text, active, municipality ?? null, stationType ?? null],
      ...[latitude ?? null, longitude ?? null],
    ]),
  );
}

/** @throws {SnapshotError} `copy_damaged` for bytes that `encodeStations` did not make. */
export function decodeStations(bytes: Uint8Array): readonly FilterableStation[] {
  return asArray(decodeRecord(bytes)).map((station) => {
    const [text, active, municipality, stationType, latitude, longitude] = asArray(station);
    return {
      text: asString(text),
      active: asBoolean(active),
      municipality: asOptional(municipality, asString),
      stationType: asOptional(stationType, asString),
      latitude: asOptional(latitude, asNumber),
      longitude: asOptional(longitude, asNumber),
    };
  });
}

export function encodePublisher(publisher: Organization | undefined): Uint8Array {
  return encodeRecord(publisher ?? null);
}

/** @throws {SnapshotError} `copy_damaged` for bytes that `encodePublisher` did not make. */
export function decodePublisher(bytes: Uint8Array): Organization | undefined {
  return asOptional(decodeRecord(bytes), (value) => {
    const publisher = asObject(value);
    return {
      id: asNumber(publisher['id']),
      name: asString(publisher['name']),
      shortName: asString(publisher['shortName']),
      // JSON of the document, as it was read.
      additional: asObject(publisher['additional']) as AdditionalMembers,
    };
  });
}

/** What a client may name: ids of public stations and components, each list ascending. */
export interface PublicIds {
  readonly stations: readonly number[];
  readonly components: readonly number[];
}

export function encodePublicIds({ stations, components }: PublicIds): Uint8Array {
  return encodeRecord([stations, components]);
}

/** @throws {SnapshotError} `copy_damaged` for bytes that `encodePublicIds` did not make. */
export function decodePublicIds(bytes: Uint8Array): PublicIds {
  const [stations, components] = asArray(decodeRecord(bytes));
  return { stations: asNumbers(stations), components: asNumbers(components) };
}

/** The newest value of one series, as the finished text of its record. */
export interface LatestObservation {
  readonly stationId: string;
  readonly parameterCode: string;
  readonly text: string;
}

export function encodeLatest(latest: readonly LatestObservation[]): Uint8Array {
  return encodeRecord(
    latest.map(({ stationId, parameterCode, text }) => [stationId, parameterCode, text]),
  );
}

/** @throws {SnapshotError} `copy_damaged` for bytes that `encodeLatest` did not make. */
export function decodeLatest(bytes: Uint8Array): readonly LatestObservation[] {
  return asArray(decodeRecord(bytes)).map((observation) => {
    const [stationId, parameterCode, text] = asArray(observation);
    return {
      stationId: asString(stationId),
      parameterCode: asString(parameterCode),
      text: asString(text),
    };
  });
}

export function encodeTexts(texts: readonly string[]): Uint8Array {
  return encodeRecord(texts);
}

/** @throws {SnapshotError} `copy_damaged` for bytes that `encodeTexts` did not make. */
export function decodeTexts(bytes: Uint8Array): readonly string[] {
  return asArray(decodeRecord(bytes)).map(asString);
}
