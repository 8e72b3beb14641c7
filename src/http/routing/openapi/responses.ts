/** The possible answers of each route as OpenAPI responses: what its kind says of them, with its refusals. */
import { examplePlace, type FileExample } from '../../../views/openapi/places.js';
import { reference } from '../../../views/openapi/json-schema.js';
import type { SchemaName } from '../../../views/openapi/schemas.js';
import { isLinked } from '../../semantics/common-headers.js';
import type { ApiRoute, ComputedRoute, ExportRoute, FileRoute, PageRoute } from '../route.js';
import {
  EVERYWHERE,
  headerReferences,
  optionalHeaders,
  type HeaderName,
} from './documented-headers.js';
import { OPERATIONS } from './operations.js';
import {
  errorContent,
  errorName,
  errorResponse,
  errorsByStatus,
  validationResponse,
} from './refusals.js';

type Node = Readonly<Record<string, unknown>>;

const FINISHED: readonly HeaderName[] = [
  'ETag',
  'Last-Modified',
  'Cache-Control',
  'Vary',
  'X-Snapshot-Id',
];

/** Of an answer that is made of more than the snapshot. */
const EDITION = FINISHED.filter((name) => name !== 'Last-Modified');

const BODY: readonly HeaderName[] = ['Content-Encoding', 'Content-Length'];

const PAGE: readonly HeaderName[] = [
  'Content-Language',
  'Content-Security-Policy',
  'Cross-Origin-Opener-Policy',
  'Permissions-Policy',
  'Referrer-Policy',
  'X-Frame-Options',
];

const FILE: readonly HeaderName[] = [
  'ETag of a file',
  'Last-Modified',
  'Cache-Control',
  'Accept-Ranges',
  'X-Snapshot-Id',
];

const FILE_BODY: readonly HeaderName[] = [
  'Content-Length',
  'Content-Disposition of a file',
  'X-Content-SHA256',
  'Repr-Digest',
];

/** Responses by status, in the order of their numbers. */
export function viewResponses(route: ApiRoute): Node {
  return {
    ...ownResponses(route),
    ...Object.fromEntries(
      [...errorsByStatus(route)].map(([status, codes]) => [
        status,
        sharedResponse(errorName(codes)),
      ]),
    ),
    ...validationResponse(route),
    ...(route.kind === 'computed' && viewComputed(route)),
    default: { $ref: '#/components/responses/Otherwise' },
  };
}

/** For `components.responses`: what several operations share. */
export function viewSharedResponses(routes: readonly ApiRoute[]): Node {
  const errors = routes.flatMap((route) => [...errorsByStatus(route).values()]);
  return {
    NotModified: notModified([...FINISHED, ...EVERYWHERE]),
    EditionNotModified: notModified([...EDITION, ...EVERYWHERE]),
    FileNotModified: notModified([...FILE, 'Link', ...EVERYWHERE]),
    DocumentNotModified: notModified([
      'ETag of a document',
      'Cache-Control',
      'Vary',
      ...EVERYWHERE,
    ]),
    ...Object.fromEntries(errors.map((codes) => [errorName(codes), errorResponse(codes)])),
    Otherwise: {
      description:
        'A request that is not proper HTTP (400, 431, 505), or a fault of the service (500).',
      content: { 'application/json': { schema: reference('Error') } },
    },
  };
}

/** What a 200 looks like, and what comes of conditions. */
function ownResponses(route: ApiRoute): Node {
  const link: readonly HeaderName[] = isLinked(route.path) ? ['Link'] : [];
  switch (route.kind) {
    case 'stored':
      return {
        200: success(route, [...FINISHED, ...BODY, ...link, ...EVERYWHERE]),
        304: sharedResponse('NotModified'),
      };
    case 'planned': {
      const named: readonly HeaderName[] = route.fileName ? ['Content-Disposition'] : [];
      return {
        200: success(route, [
          ...FINISHED,
          ...BODY,
          'X-Record-Count',
          ...named,
          ...link,
          ...EVERYWHERE,
        ]),
        304: sharedResponse('NotModified'),
      };
    }
    case 'linked': {
      const whole = success(route, [...FINISHED, ...BODY, ...link, ...EVERYWHERE]);
      if (route.needsSnapshot) return { 200: whole, 304: sharedResponse('NotModified') };
      const headers = {
        ...optionalHeaders(EDITION),
        ...headerReferences([...BODY, ...EVERYWHERE]),
      };
      return { 200: { ...whole, headers }, 304: sharedResponse('EditionNotModified') };
    }
    case 'document':
      return {
        200: success(route, [
          'ETag of a document',
          'Cache-Control',
          'Vary',
          ...BODY,
          ...link,
          ...EVERYWHERE,
        ]),
        304: sharedResponse('DocumentNotModified'),
      };
    case 'file':
      return viewFile(route, [...FILE, ...FILE_BODY, ...link, ...EVERYWHERE]);
    case 'export':
      return {
        200: viewExport(route, [
          ...FINISHED,
          ...BODY,
          'X-Record-Count',
          'Content-Disposition of an export',
          ...EVERYWHERE,
        ]),
        304: sharedResponse('NotModified'),
      };
    case 'page':
      return { 200: viewPage(route), 304: sharedResponse('EditionNotModified') };
    case 'computed':
      return {};
  }
}

function viewPage({ operation }: PageRoute): Node {
  return {
    description: `${OPERATIONS[operation].summary}.`,
    headers: {
      ...optionalHeaders(EDITION),
      ...headerReferences([...BODY, ...PAGE, ...EVERYWHERE]),
    },
    content: {
      [operation === 'getMap' ? 'image/svg+xml' : 'text/html']: { schema: { type: 'string' } },
    },
  };
}

function viewExport({ operation, files }: ExportRoute, headers: readonly HeaderName[]): Node {
  const mediaTypes = files.map(({ contentType }) => contentType.split(';')[0] ?? '');
  return {
    description: `${OPERATIONS[operation].summary}.`,
    headers: headerReferences(headers),
    content: Object.fromEntries(
      mediaTypes.map((mediaType) => [
        mediaType,
        mediaType.startsWith('text/') ? { schema: { type: 'string' } } : {},
      ]),
    ),
  };
}

function success(
  {
    operation,
    schema,
    ...route
  }: Exclude<ApiRoute, ComputedRoute | FileRoute | ExportRoute | PageRoute>,
  headers: readonly HeaderName[],
): Node {
  const mediaType = 'mediaType' in route ? route.mediaType : 'application/json';
  const example =
    operation === 'getBulkFile' ||
    operation === 'exportSeries' ||
    operation === 'redirectToCatalog' ||
    operation === 'getOpenApi'
      ? {}
      : { example: examplePlace(operation) };
  return {
    description: `${OPERATIONS[operation].summary}.`,
    headers: headerReferences(headers),
    content: { [mediaType]: { schema: reference(schema), ...example } },
  };
}

/** What the files of each media type hold; those that are no text have no schema. */
const FILE_CONTENT: Readonly<
  Record<string, { readonly schema: SchemaName; readonly example: FileExample }>
> = {
  'application/geo+json': { schema: 'StationFeatures', example: 'geoJsonFile' },
  'application/json': { schema: 'HvdParameters', example: 'jsonFile' },
};

const TEXT_EXAMPLES: Readonly<Record<string, FileExample>> = {
  'text/csv': 'csvFile',
  'text/plain': 'checksumsFile',
};

function viewFile({ files }: FileRoute, headers: readonly HeaderName[]): Node {
  const mediaTypes = new Set(files.map(({ contentType }) => contentType.split(';')[0] ?? ''));
  const content = Object.fromEntries(
    [...mediaTypes].map((mediaType) => [mediaType, viewFileContent(mediaType)]),
  );
  return {
    200: { description: 'The whole file.', headers: headerReferences(headers), content },
    206: {
      description: 'The part of the file that `Range` asks for.',
      headers: headerReferences([...headers, 'Content-Range']),
      content: { '*/*': {} },
    },
    304: sharedResponse('FileNotModified'),
    416: {
      description: 'The file has no such bytes.',
      headers: headerReferences([
        'Content-Range of a refusal',
        'Cache-Control of an error',
        'Content-Length',
        ...EVERYWHERE,
      ]),
      content: errorContent({ unsatisfiable: 'Range Not Satisfiable' }),
    },
  };
}

function viewFileContent(mediaType: string): Node {
  const json = FILE_CONTENT[mediaType];
  if (json) return { schema: reference(json.schema), example: examplePlace(json.example) };
  if (!mediaType.startsWith('text/')) return {};
  const example = TEXT_EXAMPLES[mediaType];
  return { schema: { type: 'string' }, ...(example && { example: examplePlace(example) }) };
}

function viewComputed({ operation, schemas }: ComputedRoute): Node {
  return Object.fromEntries(
    Object.entries(schemas).map(([status, schema]) => [
      status,
      schema === undefined ? viewRedirect() : viewState(status, { operation, schema }),
    ]),
  );
}

function viewRedirect(): Node {
  return {
    description: 'It lives at `Location`.',
    headers: headerReferences(['Location', 'Cache-Control', 'Content-Length', ...EVERYWHERE]),
  };
}

function viewState(
  status: string,
  { operation, schema }: Pick<ComputedRoute, 'operation'> & { readonly schema: SchemaName },
): Node {
  const isGood = status === '200';
  const retry: readonly HeaderName[] = isGood ? [] : ['Retry-After'];
  const known = operation === 'getLiveness' || operation === 'getReadiness';
  return {
    description: isGood ? 'Yes.' : 'No, for the reason given, or too busy to look.',
    headers: headerReferences([
      'Cache-Control of an error',
      'Content-Length',
      ...retry,
      ...EVERYWHERE,
    ]),
    content: {
      'application/json': {
        schema: isGood ? reference(schema) : { anyOf: [reference(schema), reference('Error')] },
        ...(isGood && known && { example: examplePlace(operation) }),
      },
    },
  };
}

function notModified(headers: readonly HeaderName[]): Node {
  return {
    description: 'Not modified: what the client has is current.',
    headers: headerReferences(headers),
  };
}

function sharedResponse(name: string): Node {
  return { $ref: `#/components/responses/${name}` };
}
