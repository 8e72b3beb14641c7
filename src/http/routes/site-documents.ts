/**
 * Documents that the build makes of the table of routes (docs/contributing.md, "Add an endpoint"): what the API is, for
 * programs and language models, and what the site has for crawlers. Their links begin with the base URL of the request.
 */
import type { SiteDocument } from '../../workers/messages.js';
import { endpoint, linkVariation, refuse, type Endpoint } from '../routing/endpoint.js';
import { text, type Content, type Operation } from '../openapi/operation.js';
import { reference } from '../../views/openapi/json-schema.js';

export const SITE_DOCUMENTS: readonly Endpoint[] = [
  siteDocument('openapi.json', 'application/json', {
    id: 'getOpenApi',
    summary: 'This document',
    description:
      'OpenAPI 3.1, made from the table of routes that answers them, with a station and a component of this instance in its examples.',
    content: { mediaType: 'application/json', schema: reference('OpenApi') },
  }),
  siteDocument('llms.txt', 'text/plain; charset=utf-8', {
    id: 'getPlainDescription',
    summary: 'The API on one page of plain text',
    description:
      'Every endpoint with its parameters, in Markdown, for language models and for people who read text.',
    content: text('text/plain'),
  }),
  siteDocument('robots.txt', 'text/plain; charset=utf-8', {
    id: 'getRobots',
    summary: 'Where crawlers may go',
    description:
      'All pages, but not their states without end (order, theme, hours, year...), and no file that is made on request (RFC 9309).',
    content: text('text/plain'),
  }),
  siteDocument('sitemap.xml', 'application/xml; charset=utf-8', {
    id: 'getSitemap',
    summary: 'The pages, for crawlers',
    description: 'Every page in every language, each with its alternates, by sitemaps.org.',
    content: text('application/xml'),
  }),
];

function siteDocument(
  name: SiteDocument,
  contentType: string,
  words: Pick<Operation, 'id' | 'summary' | 'description'> & { readonly content: Content },
): Endpoint {
  return endpoint({
    path: `/${name}`,
    caching: 'document',
    dependsOn: ['base-url', 'has-archive'],
    operation: {
      ...words,
      tag: 'Service',
      content: [words.content],
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
