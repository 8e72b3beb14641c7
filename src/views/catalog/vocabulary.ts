/** Names and codes of the vocabularies that a DCAT-AP HVD catalogue uses. */
import type { Language } from '../../snapshot/domain/model.js';
import type { BulkFormat } from '../hvd/bulk.js';
import { APPLICABLE_LEGISLATION } from '../hvd/descriptor.js';

/** Prefixes of all properties and classes; inline, so that no reader of the catalogue has to load a context. */
export const CONTEXT = {
  dcat: 'http://www.w3.org/ns/dcat#',
  dcatap: 'http://data.europa.eu/r5r/',
  dct: 'http://purl.org/dc/terms/',
  foaf: 'http://xmlns.com/foaf/0.1/',
  geosparql: 'http://www.opengis.net/ont/geosparql#',
  owl: 'http://www.w3.org/2002/07/owl#',
  skos: 'http://www.w3.org/2004/02/skos/core#',
  spdx: 'http://spdx.org/rdf/terms#',
  vcard: 'http://www.w3.org/2006/vcard/ns#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
} as const;

export type Node = Readonly<Record<string, unknown>>;

const AUTHORITY = 'http://publications.europa.eu/resource/authority';

function code(list: string, name: string): Node {
  return { '@id': `${AUTHORITY}/${list}/${name}` };
}

/** Properties that DCAT-AP HVD requires of every dataset, distribution and service. */
export const HVD = {
  'dcatap:applicableLegislation': { '@id': APPLICABLE_LEGISLATION },
  // Earth observation and environment.
  'dcatap:hvdCategory': { '@id': 'http://data.europa.eu/bna/c_dd313021' },
} as const;

export const PROFILE: Node = {
  '@id': 'https://semiceu.github.io/DCAT-AP/releases/2.2.0-hvd',
  '@type': 'dct:Standard',
  'dct:title': [{ '@value': 'DCAT-AP HVD 2.2.0', '@language': 'en' }],
};

export const DATA_THEMES = { '@id': `${AUTHORITY}/data-theme` };
export const ENVIRONMENT = code('data-theme', 'ENVI');
export const PUBLIC_ACCESS = code('access-right', 'PUBLIC');
export const STABLE = code('planned-availability', 'STABLE');
export const CC_BY = code('licence', 'CC_BY_4_0');
/** Snapshots are refreshed daily. */
export const DAILY = code('frequency', 'DAILY');

/** Names of the display languages in the EU's list, which does not tell scripts apart. */
const LANGUAGE_NAMES = {
  'sr-Latn': 'SRP',
  'sr-Cyrl': 'SRP',
  en: 'ENG',
} as const satisfies Record<Language, string>;

export const LANGUAGE_CODES = [...new Set(Object.values(LANGUAGE_NAMES))].map((name) =>
  code('language', name),
);

/** EU file types and IANA media types. */
export const FORMATS: Readonly<Record<Exclude<BulkFormat, 'markdown' | 'sha256'>, Node>> = {
  csv: format('CSV', 'text/csv'),
  geojson: format('GEOJSON', 'application/geo+json'),
  json: format('JSON', 'application/json'),
  parquet: format('PARQUET', 'application/vnd.apache.parquet'),
};

function format(fileType: string, mediaType: string): Node {
  return {
    'dct:format': code('file-type', fileType),
    'dcat:mediaType': { '@id': `https://www.iana.org/assignments/media-types/${mediaType}` },
  };
}
