/** The members of a document (`docs/snapshot-format.md, "Members"`): checks and converts each JSON object alone. */
import {
  STATION_TYPES,
  WINDOWS,
  type Component,
  type DocumentCounts,
  type Network,
  type Organization,
  type SnapshotHeader,
  type Station,
  type Window,
} from '../domain/model.js';
import { isSnapshotId } from '../domain/snapshot-id.js';
import {
  BOOLEAN,
  DATE,
  HOUR_MINUTE,
  ID,
  INSTANT,
  KEY,
  LIST,
  NUMBER,
  numberFrom,
  OBJECT,
  oneOf,
  TEXT,
} from './member-types.js';
import { ObjectMembers } from './members.js';
import { memberPath, unexpected, type Problems } from './problems.js';

/** A station before its references are resolved. */
export type StationDraft = Omit<Station, 'networkCode' | 'componentIds'> & {
  /** Ids in the document; undefined if it states no ids. */
  readonly componentIds: readonly number[] | undefined;
};

export function parseOrganization(members: ObjectMembers): Organization | undefined {
  const required = {
    id: members.required('organization_id', ID),
    name: members.required('name', TEXT),
    shortName: members.required('short_name', TEXT),
  };
  return isComplete(required) ? { ...required, additional: members.additional() } : undefined;
}

export function parseNetwork(members: ObjectMembers): Network | undefined {
  const required = {
    id: members.required('network_id', ID),
    code: members.required('network_code', TEXT),
    name: members.required('name', TEXT),
    shortName: members.required('short_name', TEXT),
  };
  return isComplete(required) ? { ...required, additional: members.additional() } : undefined;
}

export function parseComponent(members: ObjectMembers): Component | undefined {
  const required = {
    id: members.required('component_id', ID),
    shortName: members.required('short_name', KEY),
    unit: members.required('unit', TEXT),
    public: members.optional('public', BOOLEAN) ?? true,
  };
  const optional = present({
    casNumber: members.optionalText('cas_number'),
    description: members.optionalText('description'),
  });
  if (!isComplete(required)) return undefined;
  return { ...required, ...optional, additional: members.additional() };
}

/** Takes `parameter_name` out of the additional members; called for schema version 1.3.0 and later. */
export function withParameterName(
  component: Component,
  place: { readonly path: string; readonly problems: Problems },
): Component {
  const members = new ObjectMembers(component.additional, place);
  const optional = present({ parameterName: members.optionalText('parameter_name') });
  return { ...component, ...optional, additional: members.additional() };
}

export function parseStation(members: ObjectMembers): StationDraft | undefined {
  const required = {
    id: members.required('station_id', ID),
    name: members.required('station_name', TEXT),
    code: members.required('station_code', TEXT),
    organizationId: members.required('organization_id', ID),
    networkId: members.required('network_id', ID),
  };
  const flags = {
    active: members.optional('active', BOOLEAN) ?? true,
    public: members.optional('public', BOOLEAN) ?? true,
  };
  const optional = present({
    city: members.optionalText('city'),
    municipality: members.optionalText('municipality'),
    ...parseCoordinates(members),
    stationType: members.optional('station_type', oneOf(STATION_TYPES)),
    elevationM: members.optional('elevation_m', NUMBER),
    address: members.optionalText('address'),
    startDate: members.optional('start_date', DATE),
    endDate: members.optional('end_date', DATE),
    notes: members.optionalText('notes'),
  });
  const componentIds = members.optionalIds('component_ids');
  // The model derives these from the network and from `component_ids`.
  members.leaveOut('network_code', 'public_components');
  if (!isComplete(required)) return undefined;
  return { ...required, ...optional, ...flags, componentIds, additional: members.additional() };
}

function parseCoordinates(members: ObjectMembers) {
  const latitude = members.optional('latitude', numberFrom(-90, 90));
  const longitude = members.optional('longitude', numberFrom(-180, 180));
  // Compares presence, not validity: one bad coordinate is one problem.
  if (members.has('latitude') !== members.has('longitude')) {
    const [there, missing] = members.has('latitude')
      ? ['latitude', 'longitude']
      : ['longitude', 'latitude'];
    members.problems.add(memberPath(members.path, missing), `missing beside ${there}`);
  }
  return { latitude, longitude };
}

/** A partly read header. */
export type HeaderDraft = { [K in keyof SnapshotHeader]?: SnapshotHeader[K] | undefined };

/** Parsers of the top-level members that are read whole. */
export const HEADER: Readonly<Record<string, (members: ObjectMembers) => HeaderDraft>> = {
  schema_version: (members) => ({ schemaVersion: members.required('schema_version', TEXT) }),
  snapshot_id: (members) => ({ snapshotId: parseSnapshotId(members) }),
  generated_at: (members) => ({ generatedAtMs: parseGeneratedAt(members) }),
  supported_windows: (members) => ({ supportedWindows: parseWindows(members) }),
  counts: (members) => ({ counts: parseCounts(members) }),
  hour_minute: (members) => ({
    hourMinute: members.optional('hour_minute', HOUR_MINUTE) || undefined,
  }),
  demonstration: (members) =>
    members.optional('demonstration', BOOLEAN) === true ? { demonstration: true } : {},
};

function parseWindows(members: ObjectMembers): readonly Window[] | undefined {
  const list = members.required('supported_windows', LIST);
  if (list === undefined) return undefined;
  const windows = new Set<Window>();
  list.forEach((element, index) => {
    const path = `supported_windows[${index}]`;
    const window = WINDOWS.find((one) => one === element);
    if (window === undefined) {
      members.problems.add(path, unexpected(`one of ${WINDOWS.join(', ')}`, element));
    } else if (windows.has(window)) members.problems.add(path, `repeats ${window}`);
    else windows.add(window);
  });
  return WINDOWS.filter((window) => windows.has(window));
}

function parseCounts(members: ObjectMembers): DocumentCounts | undefined {
  const object = members.required('counts', OBJECT);
  if (object === undefined) return undefined;
  const inside = new ObjectMembers(object, { path: 'counts', problems: members.problems });
  const counts = {
    organizations: inside.required('organizations', ID),
    networks: inside.required('networks', ID),
    stations: inside.required('stations', ID),
    components: inside.required('components', ID),
    measurement_rows: inside.required('measurement_rows', ID),
  };
  return isComplete(counts) ? counts : undefined;
}

function parseSnapshotId(members: ObjectMembers): string | undefined {
  const text = members.required('snapshot_id', TEXT);
  if (text === undefined || isSnapshotId(text)) return text;
  members.problems.add(
    'snapshot_id',
    unexpected('1 to 128 of A-Z a-z 0-9 . _ - (not . or ..)', text),
  );
  return undefined;
}

function parseGeneratedAt(members: ObjectMembers): number | undefined {
  const text = members.required('generated_at', TEXT);
  const generatedAtMs = INSTANT.parse(text);
  if (text !== undefined && generatedAtMs === undefined) {
    members.problems.add('generated_at', unexpected(INSTANT.expected, text));
  }
  return generatedAtMs;
}

type Present<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Whether no member is undefined. */
export function isComplete<T extends object>(members: T): members is T & Present<T> {
  return Object.values(members).every((value) => value !== undefined);
}

/** An object without its undefined members. */
function present<T extends object>(members: T): Partial<Present<T>> {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<Present<T>>;
}
