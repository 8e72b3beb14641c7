/** CSV on the Web metadata of the bundle's CSV files, from the table of fields (W3C, "Metadata Vocabulary for Tabular Data"). */
import { LANGUAGES } from '../../snapshot/model.js';
import { MESSAGES } from '../messages/languages.js';
import type { ComponentTexts } from '../messages/messages.js';
import type { BulkFileName } from './bulk.js';
import {
  fieldsOf,
  HVD_COMPONENTS,
  type Field,
  type FieldName,
  type FieldType,
  type HvdComponent,
} from './fields.js';

const FILES: Readonly<Record<HvdComponent, BulkFileName>> = {
  stations: 'stations.csv',
  parameters: 'parameters.csv',
  observations: 'observations_hourly_preliminary_last30days.csv',
};

const KEYS = {
  stations: ['station_id'],
  parameters: ['parameter_code'],
  observations: ['station_id', 'parameter_code', 'time_start_utc'],
} as const satisfies { readonly [C in HvdComponent]: readonly FieldName<C>[] };

/** XML Schema types by the names that the vocabulary gives them. */
const DATATYPES: Readonly<Record<FieldType, string>> = {
  string: 'string',
  enum: 'string',
  // JSON numbers may have an exponent, which a decimal of XML Schema has not.
  decimal: 'double',
  integer: 'integer',
  boolean: 'boolean',
  datetime: 'datetime',
  date: 'date',
};

/** Names of the tables are relative: the metadata stands beside the files. */
export function viewCsvw(): Readonly<Record<string, unknown>> {
  return {
    '@context': ['http://www.w3.org/ns/csvw', { '@language': 'en' }],
    dialect: { encoding: 'utf-8', delimiter: ',', header: true, lineTerminators: ['\r\n'] },
    tables: [
      viewTable('stations', (language) => MESSAGES[language].dictionary.components.stations),
      viewTable('parameters', (language) => MESSAGES[language].dictionary.components.parameters),
      viewTable(
        'observations',
        (language) => MESSAGES[language].dictionary.components.observations,
      ),
    ],
  };
}

type TextsOf<C extends HvdComponent> = (language: (typeof LANGUAGES)[number]) => ComponentTexts<C>;

function viewTable<C extends HvdComponent>(component: C, textsOf: TextsOf<C>): unknown {
  // Common properties take JSON-LD values; only `titles` may be an object by language.
  const inAllLanguages = (pick: (texts: ComponentTexts<C>) => string): unknown =>
    LANGUAGES.map((language) => ({ '@value': pick(textsOf(language)), '@language': language }));
  return {
    url: FILES[component],
    'dc:title': inAllLanguages(({ title }) => title),
    tableSchema: {
      columns: fieldsOf(component).map((field) => ({
        name: field.name,
        titles: field.name,
        'dc:description': inAllLanguages(({ fields }) => fields[field.name]),
        datatype: viewDatatype(field),
        required: !field.nullable,
      })),
      primaryKey: KEYS[component],
      foreignKeys: fieldsOf(component).flatMap(viewForeignKey),
    },
  };
}

function viewDatatype({ type, values, minimum, maximum }: Field): unknown {
  const base = DATATYPES[type];
  if (values) return { base, format: values.join('|') };
  if (minimum === undefined && maximum === undefined) return base;
  return { base, minimum, maximum };
}

function viewForeignKey({ name, references }: Field): unknown {
  const [component, column] = references?.split('.') ?? [];
  const target = HVD_COMPONENTS.find((one) => one === component);
  // A unit is the same in both tables, but is no key of either.
  if (target === undefined || !KEYS[target].some((key) => key === column)) return [];
  return { columnReference: name, reference: { resource: FILES[target], columnReference: column } };
}
