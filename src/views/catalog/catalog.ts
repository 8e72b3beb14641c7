/**
 * The catalogue, `GET /api/v1/dcat`: JSON-LD by DCAT-AP HVD 2.2.0, 16 nodes, and those of the archive, if any
 * (docs/http-api/catalogue.md, "Catalogue").
 *
 * Periods, locations, checksums, licence and documents are nested in the node that uses them. The IRI of a node is the
 * catalogue's address with the name of the node as the fragment.
 */
import {
  distributionsOf,
  viewDistribution,
  type CatalogInput,
  type CatalogContext,
} from './distributions.js';
import {
  dateTime,
  DICTIONARY,
  inAllLanguages,
  keywordsIn,
  licenseIri,
  text,
  viewContact,
  viewDocument,
  viewLicense,
  viewPeriod,
  viewFrequency,
  viewSpatial,
  viewPublisher,
  type Iri,
} from './nested.js';
import * as vocabulary from './vocabulary.js';
import type { CatalogNode } from './vocabulary.js';
import { DESCRIPTOR_LINKS, OGC_API } from '../hvd/descriptor.js';
import { DATASET_VERSION, HVD_COMPONENTS, type HvdComponent } from '../hvd/fields.js';
import { LANGUAGES, messagesOf } from '../../texts/texts.js';
import { NOBODY } from '../organization-contact.js';

/** @throws {RangeError} when `files` lacks the file of a distribution. */
export function viewCatalog(input: CatalogInput, iri: Iri): CatalogNode {
  const nodeIri: Iri = (name) => iri(`/api/v1/dcat#${name}`);
  const context: CatalogContext = { ...input, iri, nodeIri };
  const publisher = input.publisher ?? NOBODY;
  return {
    '@context': vocabulary.CONTEXT,
    '@graph': [
      viewCatalogNode(context),
      viewPublisher(publisher, nodeIri('publisher')),
      viewContact(publisher, nodeIri('contact'), iri(DESCRIPTOR_LINKS.contact)),
      ...HVD_COMPONENTS.map((component) => viewDataset(component, context)),
      ...HVD_COMPONENTS.flatMap((component) =>
        distributionsOf(component, input).map((one) => viewDistribution(component, one, context)),
      ),
      viewService(context),
    ],
  };
}

function viewCatalogNode({ header, hasWeather, box, iri, nodeIri }: CatalogContext): CatalogNode {
  return {
    '@id': nodeIri('catalog'),
    '@type': 'dcat:Catalog',
    'dct:title': inAllLanguages('title'),
    'dct:description': inAllLanguages('description', { weather: hasWeather ? 'yes' : 'no' }),
    'dct:publisher': { '@id': nodeIri('publisher') },
    'dct:language': vocabulary.LANGUAGE_CODES,
    'dct:license': viewLicense(iri),
    'dct:modified': dateTime(header.generatedAtMs),
    ...viewSpatial(box),
    'dct:conformsTo': vocabulary.PROFILE,
    'dcat:themeTaxonomy': vocabulary.DATA_THEMES,
    'foaf:homepage': { '@id': iri('/'), '@type': 'foaf:Document' },
    'dcat:dataset': HVD_COMPONENTS.map((component) => ({ '@id': nodeIri(component) })),
    'dcat:service': { '@id': nodeIri('service') },
  };
}

function viewDataset(component: HvdComponent, context: CatalogContext): CatalogNode {
  const { header, hasWeather, box, iri, nodeIri } = context;
  const frequency = viewFrequency();
  return {
    '@id': nodeIri(component),
    '@type': 'dcat:Dataset',
    ...vocabulary.HVD,
    'dct:identifier': nodeIri(component),
    'dct:title': inAllLanguages(`dataset-${component}`),
    'dct:description': LANGUAGES.map((language) =>
      text(messagesOf(language, 'dictionary')(`${component}-description`), language),
    ),
    'dcat:keyword': LANGUAGES.flatMap((language) =>
      keywordsIn(language, hasWeather).map((keyword) => text(keyword, language)),
    ),
    'dcat:theme': vocabulary.ENVIRONMENT,
    'dct:publisher': { '@id': nodeIri('publisher') },
    'dcat:contactPoint': { '@id': nodeIri('contact') },
    'dct:accessRights': vocabulary.PUBLIC_ACCESS,
    ...(frequency && { 'dct:accrualPeriodicity': frequency }),
    'dct:modified': dateTime(header.generatedAtMs),
    'owl:versionInfo': DATASET_VERSION,
    'dct:temporal': viewPeriod(header),
    ...viewSpatial(box),
    ...(component === 'observations' && {
      'dcat:temporalResolution': { '@value': 'PT1H', '@type': 'xsd:duration' },
    }),
    'dct:conformsTo': {
      '@id': iri(DICTIONARY),
      '@type': 'dct:Standard',
      'dct:title': inAllLanguages('dictionary'),
    },
    'dcat:landingPage': viewDocument('dataset', iri(DESCRIPTOR_LINKS.dataset)),
    'foaf:page': viewDocument('terms', iri(DESCRIPTOR_LINKS.terms)),
    'dcat:distribution': distributionsOf(component, context).map(({ kind }) => ({
      '@id': nodeIri(`${component}-${kind}`),
    })),
  };
}

function viewService({ iri, nodeIri }: CatalogContext): CatalogNode {
  const pages = [
    viewDocument('documentation', iri('/api-docs')),
    viewDocument('qos', iri(DESCRIPTOR_LINKS.qos)),
    viewDocument('terms', iri(DESCRIPTOR_LINKS.terms)),
  ];
  return {
    '@id': nodeIri('service'),
    '@type': 'dcat:DataService',
    ...vocabulary.HVD,
    'dct:title': inAllLanguages('service'),
    'dct:description': inAllLanguages('service-description'),
    'dct:publisher': { '@id': nodeIri('publisher') },
    'dcat:contactPoint': { '@id': nodeIri('contact') },
    'dct:license': { '@id': licenseIri(iri) },
    'dct:accessRights': vocabulary.PUBLIC_ACCESS,
    'dcat:theme': vocabulary.ENVIRONMENT,
    'dcat:endpointURL': { '@id': iri('/api/v1') },
    'dcat:endpointDescription': { '@id': iri(DESCRIPTOR_LINKS.openapi) },
    'dct:relation': { '@id': iri(OGC_API) },
    'dcat:servesDataset': HVD_COMPONENTS.map((component) => ({ '@id': nodeIri(component) })),
    'foaf:page': pages,
    // DCAT-AP HVD 2.2.0 names it `foaf:Page`, in its shapes and its text; later releases name it `foaf:page`.
    'foaf:Page': pages.map(({ '@id': id }) => ({ '@id': id })),
  };
}
