/** The catalogue's record of the data for search engines: `schema.org/Dataset` (docs/http-api/catalogue.md). */
import { utcDateTime } from '../../snapshot/domain/windows.js';
import { LANGUAGES, messagesOf, type Language } from '../../texts/texts.js';
import { DESCRIPTOR_LINKS } from '../hvd/descriptor.js';
import { DATASET_VERSION, HVD_COMPONENTS } from '../hvd/fields.js';
import { clipWindow } from '../hvd/window.js';
import { operatorName } from '../operator-links.js';
import { NOBODY, organizationContact } from '../organization-contact.js';
import { nameOf } from '../pages/portal/notation.js';
import { distributionsOf, distributionTitle, type CatalogInput } from './distributions.js';
import { keywordsIn, licenseIri, type Iri } from './nested.js';
import { MEDIA_TYPES } from './vocabulary.js';

/** All data as one dataset, with the id of the catalogue's observations; texts are in one language. */
export function viewDataset(input: CatalogInput, language: Language, iri: Iri) {
  const { header, publisher = NOBODY, hasWeather, components, box } = input;
  const [messages, names] = [messagesOf(language, 'catalog'), messagesOf(language, 'portal')];
  const { from, to } = clipWindow({}, header.generatedAtMs);
  const { website, email } = organizationContact(publisher.additional);
  const name = operatorName(language, publisher.name);
  const organization = { '@type': 'Organization', name, url: website, email };
  const summary = messages('description', { weather: hasWeather ? 'yes' : 'no' });
  return {
    '@context': 'https://schema.org/',
    '@type': 'Dataset',
    '@id': iri('/api/v1/dcat#observations'),
    identifier: iri('/api/v1/dcat#observations'),
    name: messages('dataset-observations'),
    description: `${summary} ${messagesOf(language, 'dictionary')('observations-description')}`,
    url: iri(DESCRIPTOR_LINKS.dataset),
    license: licenseIri(iri),
    creator: organization,
    publisher: organization,
    keywords: keywordsIn(language, hasWeather),
    inLanguage: LANGUAGES,
    isAccessibleForFree: true,
    version: `${DATASET_VERSION}.0`,
    datePublished: utcDateTime(header.generatedAtMs),
    dateModified: utcDateTime(header.generatedAtMs),
    temporalCoverage: `${utcDateTime(from)}/${utcDateTime(to)}`,
    spatialCoverage: box && {
      '@type': 'Place',
      geo: { '@type': 'GeoShape', box: `${box.south} ${box.west} ${box.north} ${box.east}` },
    },
    variableMeasured: components.map((component) => {
      const { label, description } = nameOf(component, names);
      return { '@type': 'PropertyValue', name: label, description, unitText: component.unit };
    }),
    includedInDataCatalog: { '@type': 'DataCatalog', name: messages('title'), url: iri('/') },
    distribution: HVD_COMPONENTS.flatMap((component) =>
      distributionsOf(component, input).map(({ kind, format, path, file }) => ({
        '@type': 'DataDownload',
        '@id': iri(`/api/v1/dcat#${component}-${kind}`),
        name: distributionTitle(messages, component, kind),
        contentUrl: iri(path),
        encodingFormat: MEDIA_TYPES[format],
        contentSize: file && `${file.sizeBytes} B`,
        sha256: file?.sha256,
      })),
    ),
  };
}
