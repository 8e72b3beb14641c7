/** The columns of the five tables: required columns, types, and common other names. */
import { describeValue, type Problems } from '../../snapshot/document/problems.js';
import { FORBIDDEN_FIELDS } from '../../snapshot/domain/model.js';

export const LISTS = ['organizations', 'networks', 'components', 'stations'] as const;
export type ListName = (typeof LISTS)[number];
export type Table = ListName | 'measurements';

export type Kind = 'number' | 'amount' | 'boolean' | 'ids' | 'text';

const REQUIRED: Readonly<Record<Table, readonly string[]>> = {
  organizations: ['organization_id', 'name', 'short_name'],
  networks: ['network_id', 'network_code', 'name', 'short_name'],
  components: ['component_id', 'short_name', 'unit'],
  stations: ['station_id', 'station_name', 'station_code', 'organization_id', 'network_id'],
  measurements: ['station_id', 'component_id', 'date', 'time', 'value'],
};

/** Optional columns with a meaning. */
const OPTIONAL: Readonly<Record<Table, readonly string[]>> = {
  organizations: [],
  networks: [],
  components: ['public', 'cas_number', 'description', 'parameter_name'],
  stations: [
    'city',
    'municipality',
    'latitude',
    'longitude',
    'station_type',
    'elevation_m',
    'address',
    'start_date',
    'end_date',
    'notes',
    'active',
    'public',
    'component_ids',
  ],
  measurements: ['published_at_utc', 'updated_at_utc'],
};

/** Common other names of columns, which are refused: as additional members they would have no meaning. */
const USUAL: Readonly<Record<Table, Readonly<Record<string, string>>>> = {
  organizations: {
    id: 'organization_id',
    organisation_id: 'organization_id',
    organization_name: 'name',
    short: 'short_name',
    abbreviation: 'short_name',
  },
  networks: { id: 'network_id', code: 'network_code', network_name: 'name', short: 'short_name' },
  components: {
    id: 'component_id',
    parameter_id: 'component_id',
    pollutant_id: 'component_id',
    name: 'short_name',
    code: 'short_name',
    parameter: 'short_name',
    pollutant: 'short_name',
    units: 'unit',
    cas: 'cas_number',
  },
  stations: {
    id: 'station_id',
    name: 'station_name',
    code: 'station_code',
    type: 'station_type',
    lat: 'latitude',
    lon: 'longitude',
    lng: 'longitude',
    long: 'longitude',
    elevation: 'elevation_m',
    altitude: 'elevation_m',
    organisation_id: 'organization_id',
  },
  measurements: {
    station: 'station_id',
    component: 'component_id',
    parameter: 'component_id',
    pollutant: 'component_id',
    hour: 'time',
    concentration: 'value',
    datetime: 'date and time',
    date_time: 'date and time',
    timestamp: 'date and time',
  },
};

/** Columns of other types than text. */
const KINDS: Readonly<Record<string, Kind>> = {
  organization_id: 'number',
  network_id: 'number',
  component_id: 'number',
  station_id: 'number',
  latitude: 'number',
  longitude: 'number',
  elevation_m: 'amount',
  active: 'boolean',
  public: 'boolean',
  component_ids: 'ids',
  value: 'amount',
};

/** Whether a column has a meaning in a table. */
export function isMember(table: Table, name: string): boolean {
  return REQUIRED[table].includes(name) || OPTIONAL[table].includes(name);
}

export function kindOf(table: Table, name: string): Kind {
  return isMember(table, name) ? (KINDS[name] ?? 'text') : 'text';
}

export interface TableColumn {
  readonly name: string;
  readonly position: number;
}

interface Header {
  readonly table: Table;
  /** Name in messages, such as `stations.csv`. */
  readonly name: string;
  readonly titles: readonly string[];
  /** Required columns that may be missing here. */
  readonly optional?: readonly string[];
}

/** The columns of a table without forbidden ones. Reports missing and repeated columns, and common other names. */
export function columnsOf(
  { table, name: where, titles, optional = [] }: Header,
  problems: Problems,
): readonly TableColumn[] {
  const names = titles.map((title) => title.trim());
  const columns = names.flatMap((name, position): readonly TableColumn[] => {
    // A comma at the end of lines makes a nameless column.
    if (name === '' && position === names.length - 1) return [];
    if (name === '') problems.add(where, `column ${position + 1} has no name`);
    if (name !== '' && names.indexOf(name) < position) {
      problems.add(where, `column ${describeValue(name)} appears twice`);
    }
    const usual = usualWord(table, name);
    if (usual !== undefined) {
      problems.add(where, `column ${describeValue(name)} is not known: call it ${usual}`);
    }
    return FORBIDDEN_FIELDS.some((forbidden) => forbidden === name) ? [] : [{ name, position }];
  });
  for (const name of REQUIRED[table]) {
    if (!optional.includes(name) && !names.includes(name)) {
      problems.add(where, `no column ${name}`);
    }
  }
  return columns;
}

/** The member that a common other name stands for; undefined for all other names. */
export function usualWord(table: Table, name: string): string | undefined {
  const word = name.toLowerCase();
  return !isMember(table, name) && Object.hasOwn(USUAL[table], word)
    ? USUAL[table][word]
    : undefined;
}
