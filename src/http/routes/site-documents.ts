/**
 * Documents that the build makes from the table of routes (docs/contributing.md, "Add an endpoint"): the API for
 * programs and language models, the site for crawlers.
 */
import type { SiteDocument } from '../../workers/messages.js';
import { endpoint, linkVariation, refuse, type Endpoint } from '../routing/endpoint.js';
import { OPENAPI_TYPE } from '../../views/ogc/documents.js';
import { text, type Content } from '../openapi/operation.js';
import { reference } from '../../views/openapi/json-schema.js';

export const SITE_DOCUMENTS: readonly Endpoint[] = [
  siteDocument('openapi.json', 'getOpenApi', {
    mediaType: 'application/json',
    schema: reference('OpenApi'),
  }),
  siteDocument('ogc/api', 'getOgcApi', { mediaType: OPENAPI_TYPE, schema: { type: 'object' } }),
  siteDocument('llms.txt', 'getPlainDescription', text('text/plain')),
  siteDocument('robots.txt', 'getRobots', text('text/plain')),
  siteDocument('sitemap.xml', 'getSitemap', text('application/xml')),
];

function siteDocument(name: SiteDocument, id: string, content: Content): Endpoint {
  const isOgc = name === 'ogc/api';
  const isText = content.schema?.['type'] === 'string';
  const contentType = isText ? `${content.mediaType}; charset=utf-8` : content.mediaType;
  return endpoint({
    path: `/${name}`,
    caching: 'document',
    refusesUnknown: isOgc,
    dependsOn: ['base-url', 'has-archive'],
    operation: {
      id,
      tag: isOgc ? 'OGC API' : 'Service',
      content: [content],
      refusals: ['host_unknown', 'busy', ...(isOgc ? (['invalid_ogc'] as const) : [])],
    },
    resolve(_values, { baseUrl, state }) {
      if (baseUrl === undefined) return refuse('host_unknown');
      const hasArchive = name === 'sitemap.xml' && typeof state.archive === 'object';
      const variant = name.replace('openapi.json', 'openapi').replace('/', '-');
      return {
        kind: 'document',
        job: { kind: 'render-site-document', task: { name, baseUrl, hasArchive } },
        fields: [['Content-Type', contentType]],
        ...linkVariation(state, { baseUrl, variant: hasArchive ? `${variant}-years` : variant }),
      };
    },
  });
}
