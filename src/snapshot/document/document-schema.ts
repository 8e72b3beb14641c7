/** The members of a document (`docs/snapshot-format.md, "Members"`), object by object: JSON → the model's types, as far as one object alone can be checked. */
import {
  STATION_TYPES,
  WINDOWS,
  type Component,
  type Counts,
  type Network,
  type Organization,
  type Station,
  type Window,
} from '../domain/model.js';
import { isSnapshotId } from '../domain/snapshot-id.js';
import { parseInstant, UTC_DATE_TIME } from './rows/dates.js';
import { Members } from './members.js';
import { memberPath, unexpected, type Problems } from './problems.js';

/** A station before the lists that it refers to are known. */
export type StationDraft = Omit<Station, 'networkCode' | 'componentIds'> & {
  /** As the document says, where it does. */
  readonly componentIds: readonly number[] | undefined;
};

export function parseOrganization(members: Members): Organization | undefined {
  const id = members.id('organization_id');
  const name = members.text('name');
  const shortName = members.text('short_name');
  if (id === undefined || name === undefined || shortName === undefined) return undefined;
  return { id, name, shortName, additional: members.additional() };
}

export function parseNetwork(members: Members): Network | undefined {
  const id = members.id('network_id');
  const code = members.text('network_code');
  const name = members.text('name');
  const shortName = members.text('short_name');
  if (id === undefined || code === undefined || name === undefined || shortName === undefined) {
    return undefined;
  }
  return { id, code, name, shortName, additional: members.additional() };
}

export function parseComponent(members: Members): Component | undefined {
  const id = members.id('component_id');
  const shortName = members.key('short_name');
  const unit = members.text('unit');
  const isPublic = members.optionalBoolean('public') ?? true;
  const optional = present({
    casNumber: members.optionalText('cas_number'),
    description: members.optionalText('description'),
  });
  if (id === undefined || shortName === undefined || unit === undefined) return undefined;
  return { id, shortName, unit, public: isPublic, ...optional, additional: members.additional() };
}

/** The component with the name that is among its additional members: from schema version 1.3.0 on. */
export function withParameterName(
  component: Component,
  place: { readonly path: string; readonly problems: Problems },
): Component {
  const members = new Members(component.additional, place);
  const optional = present({ parameterName: members.optionalText('parameter_name') });
  return { ...component, ...optional, additional: members.additional() };
}

export function parseStation(members: Members, problems: Problems): StationDraft | undefined {
  const id = members.id('station_id');
  const name = members.text('station_name');
  const code = members.text('station_code');
  const organizationId = members.id('organization_id');
  const networkId = members.id('network_id');
  const flags = {
    active: members.optionalBoolean('active') ?? true,
    public: members.optionalBoolean('public') ?? true,
  };
  const optional = present({
    city: members.optionalText('city'),
    municipality: members.optionalText('municipality'),
    ...parseCoordinates(members, problems),
    stationType: members.optionalChoice('station_type', STATION_TYPES),
    elevationM: members.optionalNumber('elevation_m'),
    address: members.optionalText('address'),
    startDate: members.optionalDate('start_date'),
    endDate: members.optionalDate('end_date'),
    notes: members.optionalText('notes'),
  });
  const componentIds = members.optionalIds('component_ids');
  // The service makes these itself, from the network and from `component_ids`.
  members.leaveOut('network_code', 'public_components');
  if (
    id === undefined ||
    name === undefined ||
    code === undefined ||
    organizationId === undefined ||
    networkId === undefined
  ) {
    return undefined;
  }
  const additional = members.additional();
  return {
    id,
    name,
    code,
    organizationId,
    networkId,
    ...optional,
    ...flags,
    componentIds,
    additional,
  };
}

function parseCoordinates(members: Members, problems: Problems) {
  const latitude = members.optionalNumber('latitude', { from: -90, to: 90 });
  const longitude = members.optionalNumber('longitude', { from: -180, to: 180 });
  // Asked of the document, not of what could be read: one bad coordinate is one problem.
  if (members.has('latitude') !== members.has('longitude')) {
    const [there, missing] = members.has('latitude')
      ? ['latitude', 'longitude']
      : ['longitude', 'latitude'];
    problems.add(memberPath(members.path, missing), `missing beside ${there}`);
  }
  return { latitude, longitude };
}

/** In the order of `WINDOWS`. */
export function parseWindows(members: Members, problems: Problems): readonly Window[] | undefined {
  const list = members.list('supported_windows');
  if (list === undefined) return undefined;
  const found = new Set<Window>();
  list.forEach((element, index) => {
    const path = `supported_windows[${index}]`;
    const window = WINDOWS.find((one) => one === element);
    if (window === undefined) {
      problems.add(path, unexpected(`one of ${WINDOWS.join(', ')}`, element));
    } else if (found.has(window)) problems.add(path, `repeats ${window}`);
    else found.add(window);
  });
  return WINDOWS.filter((window) => found.has(window));
}

export function parseCounts(members: Members): Counts | undefined {
  const organizations = members.id('organizations');
  const networks = members.id('networks');
  const stations = members.id('stations');
  const components = members.id('components');
  const rows = members.id('measurement_rows');
  if (
    organizations === undefined ||
    networks === undefined ||
    stations === undefined ||
    components === undefined ||
    rows === undefined
  ) {
    return undefined;
  }
  return { organizations, networks, stations, components, measurement_rows: rows };
}

export function parseSnapshotId(members: Members, problems: Problems): string | undefined {
  const text = members.text('snapshot_id');
  if (text === undefined || isSnapshotId(text)) return text;
  problems.add('snapshot_id', unexpected('1 to 128 of A-Z a-z 0-9 . _ - (not . or ..)', text));
  return undefined;
}

/** Epoch milliseconds. */
export function parseGeneratedAt(members: Members, problems: Problems): number | undefined {
  const text = members.text('generated_at');
  if (text === undefined) return undefined;
  const generatedAtMs = parseInstant(text);
  if (generatedAtMs === undefined) {
    problems.add('generated_at', unexpected(UTC_DATE_TIME, text));
  }
  return generatedAtMs;
}

/** An object without its undefined members: for the optional ones of the model. */
function present<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const out: { [K in keyof T]?: Exclude<T[K], undefined> } = {};
  for (const name in members) {
    const value = members[name];
    if (isPresent(value)) out[name] = value;
  }
  return out;
}

function isPresent<T>(value: T): value is Exclude<T, undefined> {
  return value !== undefined;
}
