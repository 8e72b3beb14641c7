/**
 * Documents that the build makes from the table of routes (docs/contributing.md, "Add an endpoint"): the API for
 * programs and language models, the site for crawlers.
 */
import type { SiteDocument } from '../../workers/messages.js';
import { endpoint, linkVariation, refuse, type Endpoint } from '../routing/endpoint.js';
import { text, type Content } from '../openapi/operation.js';
import { reference } from '../../views/openapi/json-schema.js';

export const SITE_DOCUMENTS: readonly Endpoint[] = [
  siteDocument('openapi.json', 'application/json', {
    id: 'getOpenApi',
    content: { mediaType: 'application/json', schema: reference('OpenApi') },
  }),
  siteDocument('llms.txt', 'text/plain; charset=utf-8', {
    id: 'getPlainDescription',
    content: text('text/plain'),
  }),
  siteDocument('robots.txt', 'text/plain; charset=utf-8', {
    id: 'getRobots',
    content: text('text/plain'),
  }),
  siteDocument('sitemap.xml', 'application/xml; charset=utf-8', {
    id: 'getSitemap',
    content: text('application/xml'),
  }),
];

function siteDocument(
  name: SiteDocument,
  contentType: string,
  { id, content }: { readonly id: string; readonly content: Content },
): Endpoint {
  return endpoint({
    path: `/${name}`,
    caching: 'document',
    dependsOn: ['base-url', 'has-archive'],
    operation: {
      id,
      tag: 'Service',
      content: [content],
      refusals: ['host_unknown', 'busy'],
    },
    resolve(_values, { baseUrl, state }) {
      if (baseUrl === undefined) return refuse('host_unknown');
      const hasArchive = name === 'sitemap.xml' && typeof state.archive === 'object';
      const variant = name === 'openapi.json' ? 'openapi' : name;
      return {
        kind: 'document',
        job: { kind: 'render-site-document', task: { name, baseUrl, hasArchive } },
        fields: [['Content-Type', contentType]],
        ...linkVariation(state, { baseUrl, variant: hasArchive ? `${variant}-years` : variant }),
      };
    },
  });
}
