/** The answers of each endpoint as OpenAPI responses: those of its caching, its content and its errors. */
import { reference, TEXT } from '../../views/openapi/json-schema.js';
import type { Caching } from '../routing/endpoint.js';
import { headerReferences, type HeaderName } from './documented-headers.js';
import {
  errorName,
  errorResponse,
  errorsByStatus,
  isRefusable,
  type OpenApiNode,
} from './errors.js';
import type { DescribedEndpoint } from './words.js';

const FIELDS: Readonly<Record<Caching, readonly HeaderName[]>> = {
  snapshot: ['ETag', 'Last-Modified', 'X-Snapshot-Id'],
  document: ['ETag', 'X-Snapshot-Id'],
  file: [
    ...(['ETag', 'Last-Modified', 'X-Snapshot-Id'] as const),
    ...(['Content-Disposition', 'X-Content-SHA256', 'Repr-Digest'] as const),
  ],
  archive: ['ETag'],
  'archive-file': ['ETag', 'X-Content-SHA256', 'Repr-Digest'],
  static: ['ETag'],
  none: [],
};

export function viewResponses(
  endpoint: DescribedEndpoint,
  examples: Readonly<Record<string, unknown>>,
): OpenApiNode {
  const { operation, caching, parameters, hasNotFoundPage } = endpoint;
  return {
    ...(operation.content.length > 0 && { 200: success(endpoint, examples) }),
    ...((caching === 'file' || caching === 'archive-file') && {
      206: partOf(endpoint),
      416: shared('Unsatisfiable'),
    }),
    ...(caching !== 'none' && { 304: shared('NotModified') }),
    ...Object.fromEntries(
      [...errorsByStatus(endpoint)].map(([status, codes]) => [
        status,
        shared(status === 404 && hasNotFoundPage ? NOT_FOUND_PAGE : errorName(codes)),
      ]),
    ),
    ...(Object.values(parameters).some(isRefusable) && { 422: shared('Invalid') }),
    ...Object.fromEntries(
      Object.entries(operation.otherAnswers ?? {}).map(
        ([status, { description, headers, schema }]) => [
          status,
          {
            description,
            headers: headerReferences(headers),
            ...(schema && { content: { 'application/json': { schema } } }),
          },
        ],
      ),
    ),
    default: shared('Otherwise'),
  };
}

/** The name of the response for a 404 that browsers get as a page. */
const NOT_FOUND_PAGE = 'NoPublicDataOrPage';

/** `components.responses`: responses of several operations. */
export function viewSharedResponses(endpoints: readonly DescribedEndpoint[]): OpenApiNode {
  const errors = endpoints.flatMap((endpoint) => [...errorsByStatus(endpoint).values()]);
  const notFound = errorResponse(['no_public_data']);
  return {
    NotModified: {
      description: 'Not modified: what the client has is current.',
      headers: headerReferences(['ETag', 'Last-Modified', 'X-Snapshot-Id', 'Link']),
    },
    ...Object.fromEntries(errors.map((codes) => [errorName(codes), errorResponse(codes)])),
    [NOT_FOUND_PAGE]: {
      ...notFound,
      description: `${notFound.description} HTML where \`Accept\` prefers that to JSON.`,
      content: { ...notFound.content, 'text/html': { schema: TEXT } },
    },
    Unsatisfiable: {
      description: 'The file has no such bytes.',
      headers: headerReferences(['Content-Range']),
      content: { 'application/json': { schema: reference('Error') } },
    },
    Invalid: {
      description: 'A parameter is not what it should be.',
      headers: headerReferences([]),
      content: { 'application/json': { schema: reference('ValidationError') } },
    },
    Otherwise: {
      description:
        'A request that is not proper HTTP (400, 431, 505), or a fault of the service (500).',
      content: { 'application/json': { schema: reference('Error') } },
    },
  };
}

function success(
  endpoint: DescribedEndpoint,
  examples: Readonly<Record<string, unknown>>,
): OpenApiNode {
  const { operation, path } = endpoint;
  return {
    description: `${operation.summary}.`,
    headers: headerReferences(fieldsOf(endpoint)),
    content: Object.fromEntries(
      operation.content.map(({ mediaType, schema }) => {
        const example = examples[`${path} ${mediaType}`];
        return [
          mediaType,
          { ...(schema && { schema }), ...(example !== undefined && { example }) },
        ];
      }),
    ),
  };
}

function partOf(endpoint: DescribedEndpoint): OpenApiNode {
  return {
    description: 'The part of the file that `Range` asks for.',
    headers: headerReferences([...fieldsOf(endpoint), 'Content-Range']),
    content: { '*/*': {} },
  };
}

function fieldsOf({ isLinked, caching, operation }: DescribedEndpoint): readonly HeaderName[] {
  const link = isLinked ? (['Link'] as const) : [];
  return [...FIELDS[caching], ...(operation.headers ?? []), ...link];
}

function shared(name: string): OpenApiNode {
  return { $ref: `#/components/responses/${name}` };
}
