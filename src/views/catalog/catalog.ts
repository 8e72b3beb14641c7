/**
 * The catalogue, `GET /api/v1/dcat`: JSON-LD by DCAT-AP HVD 2.2.0, 16 nodes (rule 7 of the spec's HVD API).
 *
 * Everything that is no node of its own (period, place, checksum, licence, documents) is nested in the node that
 * uses it. The nodes are parts of the catalogue's own address, so none of them is an address that data is had from.
 */
import { LANGUAGES } from '../../snapshot/domain/model.js';
import { renderPieces, type PiecesOfText } from '../base-url.js';
import {
  distributionNames,
  viewDistributions,
  type CatalogInput,
  type Context,
} from './distributions.js';
import {
  dateTime,
  inAllLanguages,
  text,
  viewDictionary,
  viewDocument,
  viewLicense,
  viewPeriod,
  viewPlace,
  type Iri,
} from './nested.js';
import { viewContact, viewPublisher } from './publisher.js';
import * as terms from './vocabulary.js';
import { DESCRIPTOR_LINKS } from '../hvd/descriptor.js';
import { DATASET_VERSION, HVD_COMPONENTS, type HvdComponent } from '../hvd/fields.js';
import { MESSAGES } from '../messages/languages.js';

/**
 * The catalogue as JSON text, in pieces that the base URL goes between: at import, once.
 *
 * @throws {RangeError} when a file of a distribution is not among `files`.
 */
export function renderCatalog(input: CatalogInput): PiecesOfText {
  return renderPieces(input, (_input, iri) => viewCatalog(input, iri));
}

function viewCatalog(input: CatalogInput, iri: Iri): terms.Node {
  const nodeIri: Iri = (name) => iri(`/api/v1/dcat#${name}`);
  const context: Context = { ...input, iri, nodeIri };
  return {
    '@context': terms.CONTEXT,
    '@graph': [
      viewCatalogNode(context),
      viewPublisher(input.publisher, nodeIri('publisher')),
      viewContact(input.publisher, { id: nodeIri('contact'), page: iri(DESCRIPTOR_LINKS.contact) }),
      ...HVD_COMPONENTS.map((component) => viewDataset(component, context)),
      ...HVD_COMPONENTS.flatMap((component) => viewDistributions(component, context)),
      viewService(context),
    ],
  };
}

function viewCatalogNode({ header, box, iri, nodeIri }: Context): terms.Node {
  return {
    '@id': nodeIri('catalog'),
    '@type': 'dcat:Catalog',
    'dct:title': inAllLanguages(({ catalog }) => catalog.title),
    'dct:description': inAllLanguages(({ catalog }) => catalog.description),
    'dct:publisher': { '@id': nodeIri('publisher') },
    'dct:language': terms.LANGUAGE_CODES,
    'dct:license': viewLicense(iri),
    'dct:modified': dateTime(header.generatedAtMs),
    ...(box && { 'dct:spatial': viewPlace(box) }),
    'dct:conformsTo': terms.PROFILE,
    'dcat:themeTaxonomy': terms.DATA_THEMES,
    'foaf:homepage': { '@id': iri('/'), '@type': 'foaf:Document' },
    'dcat:dataset': HVD_COMPONENTS.map((component) => ({ '@id': nodeIri(component) })),
    'dcat:service': { '@id': nodeIri('service') },
  };
}

function viewDataset(component: HvdComponent, context: Context): terms.Node {
  const { header, box, iri, nodeIri } = context;
  return {
    '@id': nodeIri(component),
    '@type': 'dcat:Dataset',
    ...terms.HVD,
    'dct:identifier': nodeIri(component),
    'dct:title': inAllLanguages(({ catalog }) => catalog.datasets[component].title),
    'dct:description': inAllLanguages(({ catalog }) => catalog.datasets[component].description),
    'dcat:keyword': LANGUAGES.flatMap((language) =>
      MESSAGES[language].catalog.keywords.map((keyword) => text(keyword, language)),
    ),
    'dcat:theme': terms.ENVIRONMENT,
    'dct:publisher': { '@id': nodeIri('publisher') },
    'dcat:contactPoint': { '@id': nodeIri('contact') },
    'dct:accessRights': terms.PUBLIC_ACCESS,
    'dct:accrualPeriodicity': terms.DAILY,
    'dct:modified': dateTime(header.generatedAtMs),
    'owl:versionInfo': DATASET_VERSION,
    'dct:temporal': viewPeriod(header),
    ...(box && { 'dct:spatial': viewPlace(box) }),
    ...(component === 'observations' && {
      'dcat:temporalResolution': { '@value': 'PT1H', '@type': 'xsd:duration' },
    }),
    'dct:conformsTo': viewDictionary(iri),
    'dcat:landingPage': viewDocument('dataset', iri(DESCRIPTOR_LINKS.dataset)),
    'foaf:page': viewDocument('terms', iri(DESCRIPTOR_LINKS.terms)),
    'dcat:distribution': distributionNames(component).map((name) => ({ '@id': nodeIri(name) })),
  };
}

function viewService({ iri, nodeIri }: Context): terms.Node {
  const pages = [
    viewDocument('documentation', iri('/api-docs')),
    viewDocument('qos', iri(DESCRIPTOR_LINKS.qos)),
    viewDocument('terms', iri(DESCRIPTOR_LINKS.terms)),
  ];
  return {
    '@id': nodeIri('service'),
    '@type': 'dcat:DataService',
    ...terms.HVD,
    'dct:title': inAllLanguages(({ catalog }) => catalog.service.title),
    'dct:description': inAllLanguages(({ catalog }) => catalog.service.description),
    'dct:publisher': { '@id': nodeIri('publisher') },
    'dcat:contactPoint': { '@id': nodeIri('contact') },
    'dct:license': { '@id': iri(DESCRIPTOR_LINKS.license) },
    'dct:accessRights': terms.PUBLIC_ACCESS,
    'dcat:theme': terms.ENVIRONMENT,
    'dcat:endpointURL': { '@id': iri('/api/v1') },
    'dcat:endpointDescription': { '@id': iri(DESCRIPTOR_LINKS.openapi) },
    'dcat:servesDataset': HVD_COMPONENTS.map((component) => ({ '@id': nodeIri(component) })),
    'foaf:page': pages,
    // HVD 2.2.0 spells the property with a capital, in its shapes and in its text; later releases do not.
    'foaf:Page': pages.map(({ '@id': id }) => ({ '@id': id })),
  };
}
