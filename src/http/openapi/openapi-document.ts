/** The OpenAPI 3.1 document, made by the build from the table of routes. */
import { API_VERSION } from '../../views/hvd/fields.js';
import { DESCRIPTOR_LINKS } from '../../views/hvd/descriptor.js';
import { licenseOf } from '../../views/operator-links.js';
import { BASE_URL_PLACEHOLDER } from '../../views/base-url.js';
import { SCHEMAS } from '../../views/openapi/schemas.js';
import type { Caching } from '../routing/endpoint.js';
import { HEADER_COMPONENTS } from './documented-headers.js';
import type { OpenApiNode } from './errors.js';
import { TAGS } from './operation.js';
import { viewResponses, viewSharedResponses } from './responses.js';
import type { ApiWords, DescribedEndpoint, DescribedParameter } from './words.js';

export function viewOpenApi(
  { title, introduction, endpoints }: ApiWords,
  examples: Readonly<Record<string, unknown>>,
) {
  return {
    openapi: '3.1.1',
    info: {
      title,
      version: API_VERSION,
      description: introduction,
      termsOfService: BASE_URL_PLACEHOLDER + DESCRIPTOR_LINKS.terms,
      contact: { url: BASE_URL_PLACEHOLDER + DESCRIPTOR_LINKS.contact },
      license: { name: licenseOf().name, url: BASE_URL_PLACEHOLDER + licenseOf().url },
    },
    servers: [{ url: BASE_URL_PLACEHOLDER }],
    security: [],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(
      endpoints.map((endpoint) => [endpoint.path, { get: viewOperation(endpoint, examples) }]),
    ),
    components: {
      parameters: HEADERS,
      headers: HEADER_COMPONENTS,
      responses: viewSharedResponses(endpoints),
      schemas: SCHEMAS,
    },
  };
}

/** The description of the OGC API alone, in OpenAPI 3.0, whose schemas have no `const` and no list of types. */
export function viewOgcApi(words: ApiWords): OpenApiNode {
  const endpoints = words.endpoints.filter(({ operation }) => operation.tag === 'OGC API');
  const { components, ...document } = viewOpenApi({ ...words, endpoints }, {});
  const { schemas: _, ...others } = components;
  const Error = {
    type: 'object',
    required: ['detail'],
    properties: { detail: { type: 'string' } },
  };
  return {
    ...document,
    openapi: '3.0.3',
    components: { ...others, schemas: { Error, ValidationError: Error } },
  };
}

function viewOperation(
  endpoint: DescribedEndpoint,
  examples: Readonly<Record<string, unknown>>,
): OpenApiNode {
  const { id, tag, summary, description } = endpoint.operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    parameters: [
      ...Object.entries(endpoint.parameters).map(([name, one]) => viewParameter(name, one)),
      ...headersOf(endpoint).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ],
    responses: viewResponses(endpoint, examples),
  };
}

function viewParameter(name: string, parameter: DescribedParameter): OpenApiNode {
  const { in: place, required, description, schema, example, error } = parameter;
  return {
    name,
    in: place,
    required,
    description,
    schema,
    // A list is given by repeating the parameter; OpenAPI cannot say that commas separate its values too.
    ...(schema['type'] === 'array' && { style: 'form', explode: true }),
    // But below `/ogc` by commas alone.
    ...(error === 'invalid_ogc' && { style: 'form', explode: false }),
    ...(example !== undefined && { example }),
  };
}

function headerField(name: string, description: string): OpenApiNode {
  return { name, in: 'header', required: false, description, schema: { type: 'string' } };
}

const HEADERS = {
  AcceptLanguage: headerField(
    'Accept-Language',
    'Languages that the client prefers: one of them is that of the page, where the address has no query.',
  ),
  IfNoneMatch: headerField(
    'If-None-Match',
    'Entity-tags that the client has, or `*`: 304 if one of them is current.',
  ),
  IfModifiedSince: headerField(
    'If-Modified-Since',
    'A `Last-Modified` that the client has: 304 if nothing is newer. Ignored beside `If-None-Match`.',
  ),
  IfMatch: headerField(
    'If-Match',
    'Entity-tags that the client expects, or `*`: 412 if none of them is current.',
  ),
  IfUnmodifiedSince: headerField(
    'If-Unmodified-Since',
    'A `Last-Modified` that the client expects: 412 if the file is newer. Ignored beside `If-Match`.',
  ),
  Range: headerField(
    'Range',
    'One range of bytes: `bytes=0-99`, `bytes=100-` or `bytes=-8`; several, or anything else, give the whole file.',
  ),
  IfRange: headerField(
    'If-Range',
    'The entity-tag of the part that the client has: the whole file if it is another one now, or for a date.',
  ),
} as const;

/** Names of the request fields that shape the answer. */
function headersOf({ caching, dependsOn }: DescribedEndpoint): readonly (keyof typeof HEADERS)[] {
  return [
    ...CONDITIONS_OF[caching],
    ...(dependsOn?.includes('language') ? (['AcceptLanguage'] as const) : []),
  ];
}

const CONDITIONS_OF: Readonly<Record<Caching, readonly (keyof typeof HEADERS)[]>> = {
  snapshot: ['IfNoneMatch', 'IfModifiedSince'],
  document: ['IfNoneMatch'],
  file: ['IfNoneMatch', 'IfModifiedSince', 'IfMatch', 'IfUnmodifiedSince', 'Range', 'IfRange'],
  archive: ['IfNoneMatch'],
  'archive-file': ['IfNoneMatch', 'IfMatch', 'Range', 'IfRange'],
  static: ['IfNoneMatch'],
  none: [],
};
