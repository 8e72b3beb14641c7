/** The model of a checked snapshot as readonly types. No code. */

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [member: string]: JsonValue };

/** Members that `docs/snapshot-format.md, "Members"` does not list; legacy answers repeat them. */
export type AdditionalMembers = Readonly<Record<string, JsonValue>>;

export const WINDOWS = ['1h', '1d', '7d', '14d', '30d'] as const;
export type Window = (typeof WINDOWS)[number];

export const STATION_TYPES = [
  'traffic',
  'urban',
  'background',
  'industrial',
  'rural',
  'other',
] as const;
export type StationType = (typeof STATION_TYPES)[number];

/** Names that no distribution may have: data are preliminary, without statements on quality. */
export const FORBIDDEN_FIELDS = ['validated', 'qa_flag', 'compliance', 'exceedance'] as const;

/** Minutes of the hour at which networks start their hours: offsets of time zones are multiples of 15 minutes. */
export const HOUR_MINUTES = [0, 15, 30, 45] as const;
export type HourMinute = (typeof HOUR_MINUTES)[number];

/** Counts in the document, checked against its arrays. */
export interface DocumentCounts {
  readonly organizations: number;
  readonly networks: number;
  readonly stations: number;
  readonly components: number;
  readonly measurement_rows: number;
}

export interface SnapshotHeader {
  readonly schemaVersion: string;
  /** `[A-Za-z0-9._-]{1,128}`, never reused. */
  readonly snapshotId: string;
  /** Epoch milliseconds, UTC: the anchor of every window. */
  readonly generatedAtMs: number;
  /** Minute of the hour, UTC, at which all hours start; default: 0. */
  readonly hourMinute?: HourMinute | undefined;
  readonly supportedWindows: readonly Window[];
  readonly counts: DocumentCounts;
  /** Whether these are past data for demonstration. */
  readonly demonstration?: true;
}

export interface Organization {
  readonly id: number;
  readonly name: string;
  readonly shortName: string;
  readonly additional: AdditionalMembers;
}

export interface Network {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly shortName: string;
  readonly additional: AdditionalMembers;
}

export interface Component {
  readonly id: number;
  /** Also the HVD parameter code: opaque text. */
  readonly shortName: string;
  readonly unit: string;
  readonly public: boolean;
  readonly casNumber?: string;
  readonly description?: string;
  /** From schema version 1.3.0 on; default: the code. */
  readonly parameterName?: string;
  readonly additional: AdditionalMembers;
}

export interface Station {
  readonly id: number;
  readonly name: string;
  readonly code: string;
  readonly organizationId: number;
  readonly networkId: number;
  /** From the station's network. */
  readonly networkCode: string;
  readonly city?: string;
  readonly municipality?: string;
  /** WGS84 decimal degrees; both or neither. */
  readonly latitude?: number;
  readonly longitude?: number;
  readonly stationType?: StationType;
  readonly elevationM?: number;
  readonly address?: string;
  /** `YYYY-MM-DD`. */
  readonly startDate?: string;
  readonly endDate?: string;
  readonly notes?: string;
  readonly active: boolean;
  readonly public: boolean;
  /** Ascending; by default the components with rows. */
  readonly componentIds: readonly number[];
  readonly additional: AdditionalMembers;
}

/** One station's rows of one component: `[start, end)` of the observation columns. */
export interface Series {
  readonly stationId: number;
  readonly componentId: number;
  readonly start: number;
  readonly end: number;
}

/** Hours since the epoch, UTC (`windows.ts`): whole numbers, unless the snapshot has an `hourMinute`. */
export type Hours<Buffer extends ArrayBufferLike = ArrayBufferLike> =
  Int32Array<Buffer> | Float64Array<Buffer>;

/** Every row of a document in columns of shared memory, ordered by station id, component id and hour (all numeric). */
export interface Observations {
  /** Ascending by station id, then component id; no series is empty. */
  readonly series: readonly Series[];
  /** Ascending within a series. */
  readonly hours: Hours<SharedArrayBuffer>;
  /** In the component's unit; NaN where the document says null. */
  readonly values: Float64Array<SharedArrayBuffer>;
  /** From schema version 1.3.0 on: epoch milliseconds, UTC; NaN where unstated. */
  readonly publishedAtMs?: Float64Array<SharedArrayBuffer>;
  readonly updatedAtMs?: Float64Array<SharedArrayBuffer>;
}

/** A checked document: ids are unique, references resolve, lists ascend by id. */
export interface Snapshot {
  readonly header: SnapshotHeader;
  readonly organizations: readonly Organization[];
  readonly networks: readonly Network[];
  readonly components: readonly Component[];
  readonly stations: readonly Station[];
  readonly observations: Observations;
}
