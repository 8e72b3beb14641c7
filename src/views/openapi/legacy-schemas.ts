/** Schemas of the first API, for the records in `legacy.ts` and `series.ts`. */
import { STATION_TYPES, WINDOWS } from '../../snapshot/domain/model.js';
import {
  choice,
  closed,
  constant,
  COUNT,
  DATE,
  DATE_TIME,
  described,
  FLAG,
  INTEGER,
  listOf,
  NUMBER,
  open,
  reference,
  TEXT,
  TIME,
} from './json-schema.js';

export const SUPPORTED_WINDOWS = described(
  'The windows that `/measurements` can be asked for.',
  listOf(choice(WINDOWS)),
);

const ORGANIZATION_ID = described('Identifier of the organization.', INTEGER);
const STATION_ID = described('Identifier of the station.', INTEGER);
const COMPONENT_ID = described('Identifier of the component.', INTEGER);
const NETWORK_ID = described('Identifier of the network.', INTEGER);
const NETWORK_CODE = described('Code of the network.', TEXT);
const UNIT = described('Unit of the values, as the operator writes it.', TEXT);
const VALUE = described('Hourly mean, with every digit it came with.', NUMBER);
const DAY = described('Day of the hour, UTC.', DATE);
const HOUR = described('Start of the hour, UTC.', TIME);

const STATION_MEMBERS = {
  station_id: STATION_ID,
  station_name: TEXT,
  station_code: described("The operator's own code.", TEXT),
  organization_id: ORGANIZATION_ID,
  network_id: NETWORK_ID,
  network_code: NETWORK_CODE,
  active: described('Whether the station is in operation.', FLAG),
};

/** Optional members, omitted where unknown, never null. */
const KNOWN_STATION_MEMBERS = {
  city: TEXT,
  municipality: TEXT,
  latitude: described('Decimal degrees, WGS84.', { ...NUMBER, minimum: -90, maximum: 90 }),
  longitude: described('Decimal degrees, WGS84.', { ...NUMBER, minimum: -180, maximum: 180 }),
  station_type: choice(STATION_TYPES),
  elevation_m: described('Metres above sea level.', NUMBER),
  address: TEXT,
  start_date: described('First day of operation.', DATE),
  end_date: described('Last day of operation.', DATE),
  notes: TEXT,
};

export const LEGACY_SCHEMAS = {
  Manifest: described(
    'What the active snapshot is.',
    open(
      {
        schema_version: described('Version of the snapshot schema.', TEXT),
        snapshot_id: described('Identifier of the snapshot; never used again for another.', TEXT),
        generated_at: described(
          'When the snapshot was made; every window ends here, whatever the time of the request.',
          DATE_TIME,
        ),
        supported_windows: SUPPORTED_WINDOWS,
        counts: described("Lengths of the document's own lists.", reference('Counts')),
      },
      {
        demonstration: described(
          'That these are data of a past time, to show the service with. Absent where they are not.',
          constant(true),
        ),
        hour_minute: described('Minute at which all hours start. Absent where it is 0.', INTEGER),
      },
    ),
  ),
  Counts: closed({
    organizations: COUNT,
    networks: COUNT,
    stations: COUNT,
    components: COUNT,
    measurement_rows: COUNT,
  }),
  Organization: open({ organization_id: ORGANIZATION_ID, name: TEXT, short_name: TEXT }),
  Network: open({
    network_id: NETWORK_ID,
    network_code: NETWORK_CODE,
    name: TEXT,
    short_name: TEXT,
  }),
  Station: described(
    'A public station. Members that are not known are left out; the operator may add others.',
    open(STATION_MEMBERS, KNOWN_STATION_MEMBERS),
  ),
  StationMetadata: described(
    'A public station with the components that it measures.',
    open(
      { ...STATION_MEMBERS, public_components: listOf(reference('Component')) },
      KNOWN_STATION_MEMBERS,
    ),
  ),
  Component: described(
    'A pollutant or a meteorological quantity.',
    open(
      {
        component_id: COMPONENT_ID,
        short_name: described('Code such as `PM10` or `NO2`; the HVD `parameter_code`.', TEXT),
        unit: UNIT,
      },
      { cas_number: TEXT, description: TEXT, parameter_name: TEXT },
    ),
  ),
  Organizations: listOf(reference('Organization')),
  Networks: listOf(reference('Network')),
  Stations: listOf(reference('Station')),
  Components: listOf(reference('Component')),
  Hours: described(
    'Hours with data, ascending; an hour without any value is not among them.',
    closed({
      hours: {
        type: 'array',
        minItems: 1,
        maxItems: 24,
        items: closed({
          date: DAY,
          time: HOUR,
          components: described('Ascending by `component_id`.', {
            ...listOf(closed({ component_id: COMPONENT_ID, value: VALUE })),
            minItems: 1,
          }),
        }),
      },
    }),
  ),
  TimeSeries: described(
    'One component of one station in one window.',
    open({
      organization_id: ORGANIZATION_ID,
      station_id: STATION_ID,
      station_name: TEXT,
      component_id: COMPONENT_ID,
      component_short_name: TEXT,
      unit: UNIT,
      window: choice(WINDOWS),
      points: described('Ascending by time; hours without a value are not among them.', {
        ...listOf(closed({ date: DAY, time: HOUR, value: VALUE })),
        minItems: 1,
      }),
    }),
  ),
} as const;
