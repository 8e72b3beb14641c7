/** The OpenAPI 3.1 document, drawn from the table of routes with places for the base URL and for examples. */
import { LICENSE, DESCRIPTOR_LINKS } from '../../../views/hvd/descriptor.js';
import { API_VERSION } from '../../../views/hvd/fields.js';
import { BASE_URL_PLACE, examplePlace } from '../../../views/openapi/places.js';
import { SCHEMAS } from '../../../views/openapi/schemas.js';
import type { Parameter } from '../parameters.js';
import type { ApiRoute } from '../route.js';
import { viewHeaders } from './documented-headers.js';
import { INTRODUCTION, OPERATIONS, TAGS } from './operations.js';
import { viewResponses, viewSharedResponses } from './responses.js';

type Node = Readonly<Record<string, unknown>>;

export function viewOpenApi(routes: readonly ApiRoute[]): Node {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Open data: hourly air quality and weather',
      version: API_VERSION,
      description: INTRODUCTION,
      termsOfService: BASE_URL_PLACE + DESCRIPTOR_LINKS.terms,
      contact: { url: BASE_URL_PLACE + DESCRIPTOR_LINKS.contact },
      license: { name: LICENSE.name, url: BASE_URL_PLACE + LICENSE.url },
    },
    servers: [{ url: BASE_URL_PLACE }],
    security: [],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(routes.map((route) => [route.path, { get: viewOperation(route) }])),
    components: {
      parameters: CONDITIONS,
      headers: viewHeaders(),
      responses: viewSharedResponses(routes),
      schemas: SCHEMAS,
    },
  };
}

function viewOperation(route: ApiRoute): Node {
  const { tag, summary, description } = OPERATIONS[route.operation];
  const parameters = [
    ...Object.entries(route.parameters).map(([name, parameter]) => viewParameter(name, parameter)),
    ...conditionsOf(route).map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
  return {
    operationId: route.operation,
    tags: [tag],
    summary,
    description,
    parameters,
    responses: viewResponses(route),
  };
}

function viewParameter(name: string, parameter: Parameter<unknown>): Node {
  const { in: place, required, description, schema, example } = parameter;
  return {
    name,
    in: place,
    required,
    description,
    schema,
    ...(example && { example: examplePlace(example) }),
  };
}

function condition(name: string, description: string, pattern?: string): Node {
  const schema = { type: 'string', ...(pattern !== undefined && { pattern }) };
  return { name, in: 'header', required: false, description, schema };
}

const CONDITIONS = {
  IfNoneMatch: condition(
    'If-None-Match',
    'Entity-tags that the client has, or `*`: 304 if one of them is current.',
  ),
  IfModifiedSince: condition(
    'If-Modified-Since',
    'A `Last-Modified` that the client has: 304 if nothing is newer. Ignored beside `If-None-Match`.',
  ),
  IfMatch: condition(
    'If-Match',
    'Entity-tags that the client expects, or `*`: 412 if none of them is current.',
  ),
  Range: condition(
    'Range',
    'One range of bytes: `bytes=0-99`, `bytes=100-` or `bytes=-8`; several, or anything else, give the whole file.',
  ),
  IfRange: condition(
    'If-Range',
    'The entity-tag or `Last-Modified` of the part that the client has: the whole file if it is another one now.',
  ),
} as const;

function conditionsOf(route: ApiRoute): readonly (keyof typeof CONDITIONS)[] {
  switch (route.kind) {
    case 'stored':
    case 'planned':
    case 'export':
      return ['IfNoneMatch', 'IfModifiedSince'];
    case 'linked':
      return route.needsSnapshot ? ['IfNoneMatch', 'IfModifiedSince'] : ['IfNoneMatch'];
    case 'document':
    case 'page':
      return ['IfNoneMatch'];
    case 'file':
      return ['IfNoneMatch', 'IfModifiedSince', 'IfMatch', 'Range', 'IfRange'];
    case 'computed':
      return [];
  }
}
