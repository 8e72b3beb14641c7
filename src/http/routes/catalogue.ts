/** Descriptions of the dataset, for harvesters and for people: the DCAT-AP catalogue and the data dictionary. */
import { gzipSync } from 'node:zlib';
import { LANGUAGES, offered, type Language } from '../../texts/texts.js';
import { viewDataDictionary } from '../../views/hvd/dictionary.js';
import { StaticResource } from '../answers/static-resource.js';
import { endpoint, linkVariation, refuse, type Endpoint } from '../routing/endpoint.js';
import { json } from '../openapi/operation.js';
import { oneOf, optional } from '../routing/parameters.js';
import { DATASET_LINK, JSON_TYPE, LINK } from '../semantics/common-headers.js';
import { redirect } from '../semantics/error-answers.js';

/** The language of a request that names none (docs/http-api/catalogue.md, "Data dictionary"). */
const DICTIONARY_LANGUAGE = offered('sr-Latn');

const dictionaries = new Map<Language, StaticResource>();

/** The data dictionary in a language, rendered at the first request. */
function dictionaryIn(language: Language): StaticResource {
  let resource = dictionaries.get(language);
  if (resource === undefined) {
    const bytes = Buffer.from(JSON.stringify(viewDataDictionary(language)));
    resource = new StaticResource({
      bytes,
      gzip: gzipSync(bytes, { level: 9 }),
      cacheControl: 'public, max-age=300, stale-while-revalidate=86400',
      fields: [JSON_TYPE, LINK],
    });
    dictionaries.set(language, resource);
  }
  return resource;
}

function moved(path: `/${string}`, to: `/${string}`, id: string): Endpoint {
  return endpoint({
    path,
    caching: 'none',
    operation: {
      id,
      tag: 'HVD catalogue',
      content: [],
      otherAnswers: {
        308: { description: 'It lives at `Location`.', headers: ['Location'] },
      },
    },
    resolve: () => ({ kind: 'answer', answer: redirect(to) }),
  });
}

const CATALOGS = [
  ['dcat', '/api/v1/dcat', 'getCatalog', 'Catalog'],
  ['croissant', '/api/v1/croissant.json', 'getCroissant', 'Croissant'],
] as const;

export const CATALOGUE: readonly Endpoint[] = [
  ...CATALOGS.map(([form, path, id, schema]) =>
    endpoint({
      path,
      dependsOn: ['base-url', 'has-archive'],
      operation: {
        id,
        tag: 'HVD catalogue',
        content: json(schema, 'application/ld+json'),
        refusals: ['host_unknown', 'busy'],
      },
      resolve(_values, { baseUrl, state }) {
        if (baseUrl === undefined) return refuse('host_unknown');
        const hasArchive = typeof state.archive === 'object';
        return {
          kind: 'rendered',
          job: { kind: 'plan-catalog', task: { form, baseUrl, hasArchive } },
          fields: [['Content-Type', 'application/ld+json'], DATASET_LINK],
          ...linkVariation(state, { baseUrl, ...(hasArchive && { variant: 'archive' }) }),
        };
      },
    }),
  ),
  moved('/.well-known/dcat-catalog.jsonld', '/api/v1/dcat', 'redirectToCatalog'),
  moved('/api/v1', '/api/v1/metadata', 'redirectToDescriptor'),
  endpoint({
    path: '/api/v1/data-dictionary',
    parameters: {
      language: optional(oneOf(LANGUAGES, offered('en'))),
    },
    caching: 'static',
    operation: {
      id: 'getDataDictionary',
      tag: 'HVD catalogue',
      content: json('DataDictionary'),
    },
    resolve: ({ language = DICTIONARY_LANGUAGE }) => ({
      kind: 'static',
      resource: dictionaryIn(language),
    }),
  }),
];
