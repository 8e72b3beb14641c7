/** Parts of the catalogue: texts, times, locations, documents, the publisher and its contact. */
import type { Organization, SnapshotHeader } from '../../snapshot/domain/model.js';
import { utcDateTime } from '../../snapshot/domain/windows.js';
import type { BoundingBox } from '../../snapshot/domain/selection.js';
import { DESCRIPTOR_LINKS } from '../hvd/descriptor.js';
import { clipWindow } from '../hvd/window.js';
import type { Messages, MessageValues } from '../../texts/fluent-messages.js';
import { statedOperator } from '../../texts/operator.js';
import { LANGUAGES, messagesOf, type Language } from '../../texts/texts.js';
import { organizationContact } from '../organization-contact.js';
import { licenseName, operatorName } from '../operator-links.js';
import { authorityCode, CC_BY, type CatalogNode } from './vocabulary.js';

export type Iri = (path: string) => string;

export const DICTIONARY = '/api/v1/data-dictionary';

/** The IRI of every `dct:license`: the operator's licence in the EU's list of licences, else the licence page. */
export function licenseIri(iri: Iri): string {
  return statedOperator()?.license?.uri ?? iri(DESCRIPTOR_LINKS.license);
}

/** The licence in `operator.json`; without that file, the national licence. */
export function viewLicense(iri: Iri): CatalogNode {
  const stated = statedOperator();
  const url = stated?.license?.url;
  return {
    '@id': licenseIri(iri),
    '@type': 'dct:LicenseDocument',
    'dct:title': LANGUAGES.map((language) => {
      const messages = messagesOf(language, 'catalog');
      const own = stated === undefined ? messages('license') : licenseName(language);
      return text(own ?? messages('license-page'), language);
    }),
    ...(stated === undefined && { 'skos:closeMatch': CC_BY }),
    ...(url !== undefined && { 'foaf:page': { '@id': url, '@type': 'foaf:Document' } }),
  };
}

/** The update frequency in `operator.json`, if any; without that file, daily. */
export function viewFrequency(): CatalogNode | undefined {
  const stated = statedOperator();
  const code = stated === undefined ? 'DAILY' : stated.accrual_periodicity;
  return code === undefined ? undefined : authorityCode('frequency', code);
}

export function viewDocument(
  name: 'documentation' | 'terms' | 'qos' | 'dataset',
  id: string,
): CatalogNode {
  return {
    '@id': id,
    '@type': 'foaf:Document',
    'dct:title': inAllLanguages(`document-${name}`),
  };
}

/** The retention window, even if parts of it have no data. */
export function viewPeriod({ generatedAtMs }: SnapshotHeader): CatalogNode {
  const { from, to } = clipWindow({}, generatedAtMs);
  return {
    '@type': 'dct:PeriodOfTime',
    'dcat:startDate': dateTime(from),
    'dcat:endDate': dateTime(to),
  };
}

/** The bounding box and its centre as WKT: longitude first, counter-clockwise from the south-west. */
function viewLocation({ west, south, east, north }: BoundingBox): CatalogNode {
  const wkt = (value: string): CatalogNode => ({
    '@value': value,
    '@type': 'geosparql:wktLiteral',
  });
  const corners = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return {
    '@type': 'dct:Location',
    'dcat:bbox': wkt(`POLYGON((${corners.map((corner) => corner.join(' ')).join(', ')}))`),
    'dcat:centroid': wkt(`POINT(${middle(west, east)} ${middle(south, north)})`),
  };
}

/** The location of the stations, and the operator's country. */
export function viewSpatial(box: BoundingBox | undefined): CatalogNode {
  const country = statedOperator()?.country;
  const places = [
    ...(box === undefined ? [] : [viewLocation(box)]),
    ...(country === undefined
      ? []
      : [{ ...authorityCode('country', country), '@type': 'dct:Location' }]),
  ];
  const [place] = places;
  return place === undefined ? {} : { 'dct:spatial': places.length > 1 ? places : place };
}

/** The middle of two coordinates, rounded to six decimals: about a tenth of a metre. */
function middle(a: number, b: number): number {
  return Number(((a + b) / 2).toFixed(6));
}

export function dateTime(epochMs: number): CatalogNode {
  return { '@value': utcDateTime(epochMs), '@type': 'xsd:dateTime' };
}

/** A message of the catalogue, or a text made of messages, in every language. */
export function inAllLanguages(
  message: string | ((messages: Messages) => string),
  values?: MessageValues,
): readonly CatalogNode[] {
  return LANGUAGES.map((language) => {
    const messages = messagesOf(language, 'catalog');
    return text(
      typeof message === 'string' ? messages(message, values) : message(messages),
      language,
    );
  });
}

export function keywordsIn(language: Language, hasWeather: boolean): readonly string[] {
  const ids = ['keywords', ...(hasWeather ? ['keywords-weather'] : [])];
  return ids.flatMap((id) => messagesOf(language, 'catalog')(id).split(/\s*;\s*/));
}

export function text(value: string, language: string): CatalogNode {
  return { '@value': value, '@language': language };
}

export function viewPublisher({ name, additional }: Organization, id: string): CatalogNode {
  const { website } = organizationContact(additional);
  return {
    '@id': id,
    '@type': 'foaf:Organization',
    'foaf:name': publisherNames(name),
    ...(website !== undefined && {
      'foaf:homepage': { '@id': website, '@type': 'foaf:Document' },
    }),
  };
}

/** The names by language in `operator.json`, else the single name in the snapshot. */
function publisherNames(inSnapshot: string): string | readonly CatalogNode[] {
  const names = statedOperator()?.name;
  if (names === undefined) return inSnapshot;
  return Object.entries(names).map(([language, name]) => text(name, language));
}

/** @param page address of the service's own contact page. */
export function viewContact({ name, additional }: Organization, id: string, page: string) {
  const { email } = organizationContact(additional);
  return {
    '@id': id,
    '@type': 'vcard:Organization',
    'vcard:fn': operatorName('en', name) ?? name,
    'vcard:hasURL': { '@id': page },
    ...(email !== undefined && { 'vcard:hasEmail': { '@id': `mailto:${email}` } }),
  };
}
