/** Schemas of the high-value-dataset API, from the table of fields and the English dictionary. */
import { FORBIDDEN_FIELDS } from '../../snapshot/domain/model.js';
import { RETENTION_DAYS } from '../../snapshot/domain/windows.js';
import { periodFields, type Period } from '../hvd/archive.js';
import { BULK_FILES } from '../hvd/bulk.js';
import {
  APPLICABLE_LEGISLATION,
  DESCRIPTOR_ARCHIVE,
  DESCRIPTOR_LINKS,
  OGC_API,
} from '../hvd/descriptor.js';
import * as fields from '../hvd/fields.js';
import { licenseOf } from '../operator-links.js';
import { LANGUAGES, messagesOf } from '../../texts/texts.js';
import { SUPPORTED_WINDOWS } from './legacy-schemas.js';
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
  jsonLines,
  listOf,
  NUMBER,
  open,
  orNull,
  reference,
  TEXT,
  type SchemaMembers,
  type Schema,
} from './json-schema.js';

const MEANING = messagesOf('en', 'dictionary');

/** Schema of a record: every key, in order, null where unknown (`docs/http-api/values.md, "HVD records"`). */
function recordSchema(component: fields.HvdComponent, optional: SchemaMembers = {}): Schema {
  const members: Record<string, Schema> = {};
  for (const field of fields.fieldsOf(component)) {
    members[field.name] = described(
      MEANING(`${component}-field-${field.name}`),
      fieldSchema(field),
    );
  }
  return described(MEANING(`${component}-description`), closed(members, optional));
}

function fieldSchema(field: fields.Field): Schema {
  if (field.constant !== null) return constant(field.constant);
  const { type, values = [], minimum, maximum } = field;
  const schema = {
    ...(type === 'enum' ? choice(values) : TYPES[type]),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  };
  return field.nullable ? orNull(schema) : schema;
}

const TYPES = {
  string: TEXT,
  decimal: NUMBER,
  integer: INTEGER,
  boolean: FLAG,
  datetime: DATE_TIME,
  date: DATE,
} satisfies Partial<Record<fields.Field['type'], Schema>>;

function periodsSchema(period: Period): Schema {
  const members = periodFields(period).map(({ name, type }) => {
    const nullable = type === 'decimal' || name === 'unit' || name === 'hours_expected';
    return [name, nullable ? orNull(TYPES[type]) : TYPES[type]] as const;
  });
  return listOf(closed(Object.fromEntries(members)));
}

const SNAPSHOT_ID = described('The snapshot that the answer is wholly made from.', TEXT);
const GENERATED_AT = described('When the snapshot was made.', DATE_TIME);
const RETENTION = described('Days of data that are kept.', constant(RETENTION_DAYS));

const DISTANCE = described(
  'Metres from the position that was asked about, rounded; absent where none was.',
  INTEGER,
);

const META = {
  snapshot_id: SNAPSHOT_ID,
  generated_at_utc: GENERATED_AT,
  retention_days: RETENTION,
  data_status: constant(fields.DATA_STATUS),
  aggregation_type: constant(fields.AGGREGATION_TYPE),
  requested_window: described(
    'The window as it was asked for, in UTC; null for an end that was not given, and null as a whole if neither was.',
    orNull(closed({ from: orNull(DATE_TIME), to: orNull(DATE_TIME) })),
  ),
  actual_window: described(
    'The window that is answered, `from` inclusive, `to` exclusive: each end moved into the retention window.',
    closed({ from: DATE_TIME, to: DATE_TIME }),
  ),
  out_of_retention_window: described(
    'True exactly if nothing of the window that was asked for lies in the retention window.',
    FLAG,
  ),
};

const POINT = closed({
  type: constant('Point'),
  coordinates: described('Longitude, latitude: decimal degrees, WGS84.', {
    ...listOf(NUMBER),
    minItems: 2,
    maxItems: 2,
  }),
});

/** An object whose members each have one constant value. */
function constants(values: Readonly<Record<string, string>>): Schema {
  return closed(
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, constant(value)])),
  );
}

function stationFeatures(stations: string, properties: Schema, more: SchemaMembers = {}): Schema {
  const feature = closed({
    type: constant('Feature'),
    id: TEXT,
    geometry: orNull(POINT),
    properties,
  });
  return described(
    `GeoJSON (RFC 7946): one feature for every ${stations}, with a null geometry where its position is not known.`,
    closed(
      { type: constant('FeatureCollection'), ...more, features: listOf(feature) },
      { bbox: { ...listOf(NUMBER), minItems: 4, maxItems: 4 } },
    ),
  );
}

export const HVD_SCHEMAS = {
  HvdStation: recordSchema('stations', { distance_m: DISTANCE }),
  HvdParameter: recordSchema('parameters'),
  HvdObservation: recordSchema('observations', { distance_m: DISTANCE }),
  Days: periodsSchema('daily'),
  Months: periodsSchema('monthly'),
  HvdStations: listOf(reference('HvdStation')),
  HvdParameters: listOf(reference('HvdParameter')),
  Observations: closed({
    data: listOf(reference('HvdObservation')),
    meta: closed({ ...META, count: described('Records in `data`.', COUNT) }),
  }),
  StreamMeta: described(
    'The first line of a stream.',
    closed({
      meta: closed({
        ...META,
        streaming: constant(true),
        record_order: described('The order in which the records follow.', TEXT),
      }),
    }),
  ),
  ObservationLines: jsonLines('StreamMeta', 'HvdObservation'),
  DatasetDescriptor: closed({
    snapshot_schema_version: described('Version of the snapshot schema.', TEXT),
    hvd_schema_version: constant(fields.HVD_SCHEMA_VERSION),
    schema_version: constant(fields.HVD_SCHEMA_VERSION),
    dataset_version: constant(fields.DATASET_VERSION),
    snapshot_id: SNAPSHOT_ID,
    generated_at_utc: GENERATED_AT,
    retention_days: RETENTION,
    data_status: constant(fields.DATA_STATUS),
    aggregation_type: constant(fields.AGGREGATION_TYPE),
    averaging_period: constant(fields.AVERAGING_PERIOD),
    supported_windows: SUPPORTED_WINDOWS,
    counts: described("Lengths of the document's own lists.", reference('Counts')),
    applicable_legislation: constant(APPLICABLE_LEGISLATION),
    license: closed({ name: constant(licenseOf().name), url: constant(licenseOf().url) }),
    links: described(
      'Paths of pages and documents about the dataset.',
      constants(DESCRIPTOR_LINKS),
    ),
    archive: described('Paths of the archive.', constants(DESCRIPTOR_ARCHIVE)),
    ogc_api: constant(OGC_API),
  }),
  BulkIndex: closed({
    snapshot_id: SNAPSHOT_ID,
    generated_at_utc: GENERATED_AT,
    resources: listOf(
      closed({
        name: choice(BULK_FILES.map(({ name }) => name)),
        format: choice([...new Set(BULK_FILES.map(({ format }) => format))]),
        content_type: TEXT,
        size_bytes: { type: 'integer', minimum: 1 },
        sha256: described("SHA-256 of the file's bytes, hexadecimal.", {
          ...TEXT,
          pattern: '^[0-9a-f]{64}$',
        }),
        download_url: described('Path of the file.', TEXT),
      }),
    ),
  }),
  ArchiveIndex: closed(
    {
      generated_at_utc: GENERATED_AT,
      files: listOf(
        closed({
          path: described('Relative to the archive; the name of a file is its SHA-256.', TEXT),
          from: orNull(described('The first hour or day.', TEXT)),
          to: orNull(described('The start of the last hour, or the last day.', TEXT)),
          rows: COUNT,
          size_bytes: { type: 'integer', minimum: 1 },
          sha256: { ...TEXT, pattern: '^[0-9a-f]{64}$' },
          download_url: described('Path of the file.', TEXT),
        }),
      ),
    },
    { time_zone: described('Clock of the days and months, such as `Europe/Belgrade`.', TEXT) },
  ),
  StationFeatures: stationFeatures('public station', reference('HvdStation')),
  LatestFeatures: stationFeatures(
    'station with a value',
    described(
      'For each parameter of the station also `{parameter_code}`, its newest value, and ' +
        '`{parameter_code}_time_utc`, when the hour of that begins.',
      {
        ...open({ station_id: TEXT, station_name: TEXT, municipality: orNull(TEXT) }),
        additionalProperties: { anyOf: [NUMBER, DATE_TIME] },
      },
    ),
    {
      units: described('The unit of each parameter, by its code.', {
        type: 'object',
        additionalProperties: TEXT,
      }),
    },
  ),
  Catalog: described(
    'JSON-LD by DCAT-AP HVD 2.2.0, read without the network: the context is in it. 16 nodes: the catalogue, its ' +
      'publisher and contact, three datasets with nine distributions, and the data service; with an archive 18.',
    closed({
      '@context': { type: 'object' },
      '@graph': listOf(open({ '@id': { ...TEXT, format: 'iri' }, '@type': TEXT })),
    }),
  ),
  Croissant: described('JSON-LD by Croissant 1.0: the bulk files with their columns.', open({})),
  DataDictionary: closed({
    language: choice(LANGUAGES),
    supported_languages: listOf(choice(LANGUAGES)),
    standard_reference: TEXT,
    forbidden_fields: described(
      'Names that no distribution has: nothing is said of the quality of preliminary data.',
      listOf(choice(FORBIDDEN_FIELDS)),
    ),
    components: listOf(
      closed({
        name: choice(fields.HVD_COMPONENTS),
        title: TEXT,
        description: TEXT,
        standard_section: TEXT,
        fields: listOf(
          closed({
            name: TEXT,
            type: choice(Object.keys(fields.FIELD_TYPES)),
            required: described('By the standard; the key is in every record all the same.', FLAG),
            constant: described('The value in every record, or null.', orNull(TEXT)),
            references: described('`component.field` with the same key, or null.', orNull(TEXT)),
            definition: described('In the language of the answer.', TEXT),
          }),
        ),
      }),
    ),
  }),
} as const;
