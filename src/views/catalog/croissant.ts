/** The dataset as Croissant 1.0, for machine learning: the bulk files, with the columns of their tables. */
import { viewDataDictionary } from '../hvd/dictionary.js';
import { FIELD_TYPES } from '../hvd/fields.js';
import { viewDataset } from './dataset.js';
import { bulkName, type CatalogInput } from './distributions.js';
import type { Iri } from './nested.js';

const TERMS = [
  'citeAs column equivalentProperty extract field fileObject fileProperty fileSet format includes',
  'isLiveDataset jsonPath key md5 parentField path recordSet references regex repeated replace',
  'samplingRate separator source subField transform',
].flatMap((line) => line.split(' '));

/** Validators expect the whole context in every document. */
const CONTEXT = {
  '@language': 'en',
  '@vocab': 'https://schema.org/',
  sc: 'https://schema.org/',
  cr: 'http://mlcommons.org/croissant/',
  rai: 'http://mlcommons.org/croissant/RAI/',
  dct: 'http://purl.org/dc/terms/',
  conformsTo: 'dct:conformsTo',
  data: { '@id': 'cr:data', '@type': '@json' },
  dataType: { '@id': 'cr:dataType', '@type': '@vocab' },
  examples: { '@id': 'cr:examples', '@type': '@json' },
  name: { '@container': '@language' },
  description: { '@container': '@language' },
  ...Object.fromEntries(TERMS.map((term) => [term, `cr:${term}`])),
};

export function viewCroissant(input: CatalogInput, iri: Iri) {
  const dataset = viewDataset(input, 'en', iri);
  return {
    ...dataset,
    '@context': CONTEXT,
    '@type': 'sc:Dataset',
    conformsTo: 'http://mlcommons.org/croissant/1.0',
    isLiveDataset: true,
    citeAs: `${dataset.creator.name}: ${dataset.name}. ${dataset.url}`,
    distribution: dataset.distribution.flatMap((download) => {
      const name = download.contentUrl.slice(download.contentUrl.lastIndexOf('/') + 1);
      const file = { '@id': name, '@type': 'cr:FileObject', name, description: download.name };
      return download.sha256 === undefined ? [] : { ...download, ...file };
    }),
    recordSet: viewDataDictionary('en').components.map(({ name: set, description, fields }) => ({
      '@type': 'cr:RecordSet',
      '@id': set,
      name: set,
      description,
      // The first field identifies a record, for observations the first three.
      key: fields
        .slice(0, set === 'observations' ? 3 : 1)
        .map(({ name }) => ({ '@id': `${set}/${name}` })),
      field: fields.map(({ name, type, definition, references }) => ({
        '@id': `${set}/${name}`,
        '@type': 'cr:Field',
        name,
        description: definition,
        dataType: `sc:${FIELD_TYPES[type]}`,
        // A unit identifies no parameter.
        ...(references &&
          references !== 'parameters.unit' && {
            references: { field: { '@id': references.replace('.', '/') } },
          }),
        source: { fileObject: { '@id': bulkName(set, 'csv') }, extract: { column: name } },
      })),
    })),
  };
}
