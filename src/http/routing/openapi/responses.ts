/** The possible answers of each endpoint as OpenAPI responses: what its caching brings, its own content, and its errors. */
import { reference } from '../../../views/openapi/json-schema.js';
import type { JsonValue } from '../../../snapshot/domain/model.js';
import { isLinked } from '../../semantics/common-headers.js';
import type { Caching, DocumentedEndpoint } from '../endpoint.js';
import {
  EVERYWHERE,
  headerReferences,
  optionalHeaders,
  type HeaderName,
} from './documented-headers.js';
import {
  errorName,
  errorResponse,
  errorsByStatus,
  NOT_FOUND_PAGE,
  notFoundPageResponse,
  unsatisfiableResponse,
  validationResponse,
} from './errors.js';

type Node = Readonly<Record<string, unknown>>;

/** Recorded bodies: by operation, then by media type. */
export type AnswerExamples = Readonly<Record<string, Readonly<Record<string, JsonValue>>>>;

/** What an answer of each kind of caching has in its header, in a 304 too. */
const VALIDATORS: Readonly<Record<Caching, readonly HeaderName[]>> = {
  snapshot: ['ETag', 'Last-Modified', 'Cache-Control', 'Vary', 'X-Snapshot-Id'],
  rendered: ['ETag', 'Cache-Control', 'Vary', 'X-Snapshot-Id'],
  file: [
    'ETag of a file',
    'Last-Modified',
    'Cache-Control',
    'Vary of a file',
    'Accept-Ranges',
    'X-Snapshot-Id',
  ],
  static: ['ETag of a static resource', 'Cache-Control', 'Vary'],
  none: ['Cache-Control of an error'],
};

/** What the 200 has beside them. */
const BODY: Readonly<Record<Caching, readonly HeaderName[]>> = {
  snapshot: ['Content-Encoding', 'Content-Length'],
  rendered: ['Content-Encoding', 'Content-Length'],
  file: [
    'Content-Encoding',
    'Content-Length',
    'Content-Disposition of a file',
    'X-Content-SHA256',
    'Repr-Digest',
  ],
  static: ['Content-Encoding', 'Content-Length'],
  none: ['Content-Length'],
};

/** Names of the shared 304 responses; a state that changes by itself has none. */
const NOT_MODIFIED: Readonly<Record<Exclude<Caching, 'none'>, string>> = {
  snapshot: 'NotModified',
  rendered: 'RenderedNotModified',
  file: 'FileNotModified',
  static: 'StaticNotModified',
};

/** Responses by status, in the order of their numbers. */
export function viewResponses(
  endpoint: DocumentedEndpoint,
  examples: Readonly<Record<string, JsonValue>>,
): Node {
  const { operation, caching, parameters, hasNotFoundPage } = endpoint;
  const { otherAnswers = {} } = operation;
  return {
    ...(operation.content.length > 0 && { 200: success(endpoint, examples) }),
    ...(caching === 'file' && {
      206: partOf(endpoint),
      416: unsatisfiableResponse(),
    }),
    ...(caching !== 'none' && { 304: shared(NOT_MODIFIED[caching]) }),
    ...Object.fromEntries(
      [...errorsByStatus(endpoint)].map(([status, codes]) => [
        status,
        shared(status === 404 && hasNotFoundPage ? NOT_FOUND_PAGE : errorName(codes)),
      ]),
    ),
    ...validationResponse(parameters),
    ...Object.fromEntries(
      Object.entries(otherAnswers).map(([status, { description, headers, schema }]) => [
        status,
        {
          description,
          headers: headerReferences([...headers, 'Content-Length', ...EVERYWHERE]),
          ...(schema && { content: { 'application/json': { schema } } }),
        },
      ]),
    ),
    default: shared('Otherwise'),
  };
}

/** For `components.responses`: what several operations share. */
export function viewSharedResponses(endpoints: readonly DocumentedEndpoint[]): Node {
  const errors = endpoints.flatMap((endpoint) => [...errorsByStatus(endpoint).values()]);
  return {
    ...Object.fromEntries(
      (['snapshot', 'rendered', 'file', 'static'] as const).map((caching) => [
        NOT_MODIFIED[caching],
        {
          description: 'Not modified: what the client has is current.',
          headers: headerReferences([
            ...VALIDATORS[caching],
            ...(caching === 'file' ? (['Link'] as const) : []),
            ...EVERYWHERE,
          ]),
        },
      ]),
    ),
    ...Object.fromEntries(errors.map((codes) => [errorName(codes), errorResponse(codes)])),
    [NOT_FOUND_PAGE]: notFoundPageResponse(),
    Otherwise: {
      description:
        'A request that is not proper HTTP (400, 431, 505), or a fault of the service (500).',
      content: { 'application/json': { schema: reference('Error') } },
    },
  };
}

function success(
  endpoint: DocumentedEndpoint,
  examples: Readonly<Record<string, JsonValue>>,
): Node {
  const { operation, caching } = endpoint;
  const content = operation.content.map(({ mediaType, schema }) => {
    const example = examples[mediaType];
    return [mediaType, { ...(schema && { schema }), ...(example !== undefined && { example }) }];
  });
  return {
    description: `${operation.summary}.`,
    headers:
      // Without a snapshot there are no validators.
      caching === 'rendered'
        ? { ...headerReferences(ownHeaders(endpoint)), ...optionalHeaders(VALIDATORS.rendered) }
        : headerReferences([...VALIDATORS[caching], ...ownHeaders(endpoint)]),
    content: Object.fromEntries(content) as Node,
  };
}

/** Of the file as it is, never of its gzip form. */
function partOf(endpoint: DocumentedEndpoint): Node {
  const own = ownHeaders(endpoint).filter((name) => name !== 'Content-Encoding');
  return {
    description: 'The part of the file that `Range` asks for.',
    headers: headerReferences([...VALIDATORS.file, ...own, 'Content-Range']),
    content: { '*/*': {} },
  };
}

function ownHeaders({ path, caching, operation }: DocumentedEndpoint): readonly HeaderName[] {
  const { headers = [] } = operation;
  return [
    ...BODY[caching],
    ...headers,
    ...(isLinked(path) ? (['Link'] as const) : []),
    ...EVERYWHERE,
  ];
}

function shared(name: string): Node {
  return { $ref: `#/components/responses/${name}` };
}
