/** Names and codes of the vocabularies that a DCAT-AP HVD catalogue uses. */
import { LANGUAGES } from '../../texts/texts.js';
import { APPLICABLE_LEGISLATION } from '../hvd/descriptor.js';

/** Namespace prefixes: the context is inline, so that no reader must load it. */
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

export type CatalogNode = Readonly<Record<string, unknown>>;

const AUTHORITY = 'http://publications.europa.eu/resource/authority';

export function authorityCode(list: string, name: string): CatalogNode {
  return { '@id': `${AUTHORITY}/${list}/${name}` };
}

/** Properties that DCAT-AP HVD requires of every dataset, distribution and service. */
export const HVD = {
  'dcatap:applicableLegislation': { '@id': APPLICABLE_LEGISLATION },
  // The category is "Earth observation and environment".
  'dcatap:hvdCategory': { '@id': 'http://data.europa.eu/bna/c_dd313021' },
} as const;

export const PROFILE: CatalogNode = {
  '@id': 'https://semiceu.github.io/DCAT-AP/releases/2.2.0-hvd',
  '@type': 'dct:Standard',
  'dct:title': [{ '@value': 'DCAT-AP HVD 2.2.0', '@language': 'en' }],
};

export const DATA_THEMES = { '@id': `${AUTHORITY}/data-theme` };
export const ENVIRONMENT = authorityCode('data-theme', 'ENVI');
export const PUBLIC_ACCESS = authorityCode('access-right', 'PUBLIC');
export const STABLE = authorityCode('planned-availability', 'STABLE');
export const CC_BY = authorityCode('licence', 'CC_BY_4_0');

/** ISO 639-3 codes by language subtag, for languages of the EU and of candidate countries; `Intl` lacks these codes. */
const LANGUAGE_NAMES = new Map(
  [
    'bg:BUL bs:BOS cs:CES cnr:CNR da:DAN de:DEU el:ELL en:ENG es:SPA et:EST fi:FIN fr:FRA ga:GLE',
    'hr:HRV hu:HUN is:ISL it:ITA ka:KAT lt:LIT lv:LAV mk:MKD mt:MLT nl:NLD no:NOR nb:NOB nn:NNO',
    'pl:POL pt:POR ro:RON sk:SLK sl:SLV sq:SQI sr:SRP sv:SWE tr:TUR uk:UKR ca:CAT eu:EUS gl:GLG',
  ].flatMap((line) => line.split(' ').map((pair) => [pair.slice(0, -4), pair.slice(-3)])),
);

export const LANGUAGE_CODES = [
  ...new Set(
    LANGUAGES.flatMap((language) => LANGUAGE_NAMES.get(language.split('-')[0] ?? '') ?? []),
  ),
].map((name) => authorityCode('language', name));

/** IANA media types by format. */
export const MEDIA_TYPES = {
  csv: 'text/csv',
  geojson: 'application/geo+json',
  json: 'application/json',
  parquet: 'application/vnd.apache.parquet',
} as const;
export type Format = keyof typeof MEDIA_TYPES;

/** A format as an EU file type and an IANA media type. */
export function viewFormat(format: Format): CatalogNode {
  const mediaType = `https://www.iana.org/assignments/media-types/${MEDIA_TYPES[format]}`;
  return {
    'dct:format': authorityCode('file-type', format.toUpperCase()),
    'dcat:mediaType': { '@id': mediaType },
  };
}
