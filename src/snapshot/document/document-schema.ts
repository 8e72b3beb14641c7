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
  const required = {
    id: members.id('organization_id'),
    name: members.text('name'),
    shortName: members.text('short_name'),
  };
  return isComplete(required) ? { ...required, additional: members.additional() } : undefined;
}

export function parseNetwork(members: Members): Network | undefined {
  const required = {
    id: members.id('network_id'),
    code: members.text('network_code'),
    name: members.text('name'),
    shortName: members.text('short_name'),
  };
  return isComplete(required) ? { ...required, additional: members.additional() } : undefined;
}

export function parseComponent(members: Members): Component | undefined {
  const required = {
    id: members.id('component_id'),
    shortName: members.key('short_name'),
    unit: members.text('unit'),
    public: members.optionalBoolean('public') ?? true,
  };
  const optional = present({
    casNumber: members.optionalText('cas_number'),
    description: members.optionalText('description'),
  });
  if (!isComplete(required)) return undefined;
  return { ...required, ...optional, additional: members.additional() };
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
  const required = {
    id: members.id('station_id'),
    name: members.text('station_name'),
    code: members.text('station_code'),
    organizationId: members.id('organization_id'),
    networkId: members.id('network_id'),
  };
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
  if (!isComplete(required)) return undefined;
  return { ...required, ...optional, ...flags, componentIds, additional: members.additional() };
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
  const counts = {
    organizations: members.id('organizations'),
    networks: members.id('networks'),
    stations: members.id('stations'),
    components: members.id('components'),
    measurement_rows: members.id('measurement_rows'),
  };
  return isComplete(counts) ? counts : undefined;
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

type Present<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Whether no member is undefined: those of the model that a document must have. */
export function isComplete<T extends object>(members: T): members is T & Present<T> {
  return Object.values(members).every((value) => value !== undefined);
}

/** An object without its undefined members: for the optional ones of the model. */
function present<T extends object>(members: T): Partial<Present<T>> {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<Present<T>>;
}
