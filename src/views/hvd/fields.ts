/**
 * The table of all fields of the high-value datasets (docs/http-api/values.md, "HVD records").
 *
 * Records, CSV columns, the Parquet schema, the data dictionary and OpenAPI schemas are made from it. A new field does
 * not compile until every view sets it in `HvdRecord` (docs/contributing.md, "Add a field").
 */
import { STATION_TYPES } from '../../snapshot/domain/model.js';

export const HVD_COMPONENTS = ['stations', 'parameters', 'observations'] as const;
export type HvdComponent = (typeof HVD_COMPONENTS)[number];

/** Version of both HTTP APIs. */
export const API_VERSION = '1.2.0';
export const HVD_SCHEMA_VERSION = '1.0';
export const DATASET_VERSION = '1.0';
export const DATA_STATUS = 'preliminary';
export const AGGREGATION_TYPE = 'hourly_mean';
export const AVERAGING_PERIOD = '1h';

/**
 * Types of fields, as types of schema.org in Croissant 1.0, which has no date-times. `datetime` is
 * `YYYY-MM-DDTHH:MM:SSZ`, `date` is `YYYY-MM-DD`; `decimal` and `integer` are JSON numbers.
 */
export const FIELD_TYPES = {
  string: 'Text',
  decimal: 'Float',
  integer: 'Integer',
  boolean: 'Boolean',
  datetime: 'Date',
  date: 'Date',
  enum: 'Text',
} as const;
type FieldType = keyof typeof FIELD_TYPES;

export interface Field {
  readonly name: string;
  readonly type: FieldType;
  /** Whether the standard requires the field; its key is in every record anyway. */
  readonly required: boolean;
  readonly nullable: boolean;
  /** The only value of the field, if it is constant. */
  readonly constant: string | null;
  /** The referenced field, as `component.field`. */
  readonly references: string | null;
  /** Values of an `enum`. */
  readonly values?: readonly string[];
  /** Range of a number, ends included. */
  readonly minimum?: number;
  readonly maximum?: number;
}

const NONE = { constant: null, references: null } as const;
const KEY = { required: true, nullable: false, ...NONE } as const;
/** Required by the standard, but not known for every station or hour. */
const KNOWN_OR_NULL = { required: true, nullable: true, ...NONE } as const;
const OPTIONAL = { required: false, nullable: true, ...NONE } as const;

export const HVD_FIELDS = {
  stations: [
    { name: 'station_id', type: 'string', ...KEY },
    { name: 'station_name', type: 'string', ...KEY },
    { name: 'station_code', type: 'string', ...OPTIONAL },
    { name: 'latitude', type: 'decimal', ...KNOWN_OR_NULL, minimum: -90, maximum: 90 },
    { name: 'longitude', type: 'decimal', ...KNOWN_OR_NULL, minimum: -180, maximum: 180 },
    { name: 'municipality', type: 'string', ...KNOWN_OR_NULL },
    { name: 'station_type', type: 'enum', ...KNOWN_OR_NULL, values: STATION_TYPES },
    { name: 'operator', type: 'string', ...KEY },
    { name: 'active', type: 'boolean', ...KEY },
    { name: 'last_updated_utc', type: 'datetime', ...KEY },
    { name: 'elevation_m', type: 'decimal', ...OPTIONAL },
    { name: 'address', type: 'string', ...OPTIONAL },
    { name: 'start_date', type: 'date', ...OPTIONAL },
    { name: 'end_date', type: 'date', ...OPTIONAL },
    { name: 'notes', type: 'string', ...OPTIONAL },
    { name: 'network_id', type: 'integer', ...OPTIONAL },
    { name: 'network_code', type: 'string', ...OPTIONAL },
  ],
  parameters: [
    { name: 'parameter_code', type: 'string', ...KEY },
    { name: 'parameter_name', type: 'string', ...KEY },
    { name: 'unit', type: 'string', ...KEY },
    { name: 'averaging_period', type: 'string', ...KEY, constant: AVERAGING_PERIOD },
    { name: 'cas_number', type: 'string', ...OPTIONAL },
    { name: 'description', type: 'string', ...OPTIONAL },
  ],
  observations: [
    { name: 'station_id', type: 'string', ...KEY, references: 'stations.station_id' },
    { name: 'parameter_code', type: 'string', ...KEY, references: 'parameters.parameter_code' },
    { name: 'time_start_utc', type: 'datetime', ...KEY },
    { name: 'time_end_utc', type: 'datetime', ...KEY },
    { name: 'value', type: 'decimal', ...KNOWN_OR_NULL },
    { name: 'unit', type: 'string', ...KEY, references: 'parameters.unit' },
    { name: 'data_status', type: 'string', ...KEY, constant: DATA_STATUS },
    { name: 'aggregation_type', type: 'string', ...KEY, constant: AGGREGATION_TYPE },
    { name: 'published_at_utc', type: 'datetime', ...KEY },
    { name: 'updated_at_utc', type: 'datetime', ...KEY },
    { name: 'coverage', type: 'decimal', ...OPTIONAL, minimum: 0, maximum: 1 },
  ],
} as const satisfies Record<HvdComponent, readonly Field[]>;

type FieldOf<C extends HvdComponent> = (typeof HVD_FIELDS)[C][number];
export type FieldName<C extends HvdComponent> = FieldOf<C>['name'];

export type FieldValue = string | number | boolean | null;

type ValueOf<F extends Field> =
  | (F extends { constant: infer Constant extends string }
      ? Constant
      : F extends { values: readonly (infer Choice)[] }
        ? Choice
        : F['type'] extends 'decimal' | 'integer'
          ? number
          : F['type'] extends 'boolean'
            ? boolean
            : string)
  | (F['nullable'] extends true ? null : never);

/** One record of a component, with null for unknown values. */
type HvdRecord<C extends HvdComponent> = {
  readonly [F in FieldOf<C> as F['name']]: ValueOf<F>;
};

export type StationRecord = HvdRecord<'stations'>;
export type ParameterRecord = HvdRecord<'parameters'>;
export type ObservationRecord = HvdRecord<'observations'>;

export function fieldsOf<C extends HvdComponent>(
  component: C,
): readonly (Field & { readonly name: FieldName<C> })[] {
  return HVD_FIELDS[component];
}

/** Names of a component's fields, in the order of keys and columns. */
export function fieldNames<C extends HvdComponent>(component: C): readonly FieldName<C>[] {
  return fieldsOf(component).map(({ name }) => name);
}
