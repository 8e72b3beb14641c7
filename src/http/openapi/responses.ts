/** The possible answers of each route as OpenAPI responses: what its kind, its parameters and the table of errors say. */
import { examplePlace, type FileExample } from '../../views/openapi/places.js';
import { reference } from '../../views/openapi/schema.js';
import type { SchemaName } from '../../views/openapi/schemas.js';
import type { Status } from '../answer.js';
import { isLinked } from '../common-headers.js';
import { describeError, type ErrorCode, type ValidationProblem } from '../errors.js';
import type { Parameter } from '../parameters.js';
import type { ComputedRoute, FileRoute, Route } from '../route.js';
import { headerReferences, optionalHeaders, type HeaderName } from './headers.js';
import { OPERATIONS } from './operations.js';

type Node = Readonly<Record<string, unknown>>;

const ALWAYS: readonly HeaderName[] = [
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'X-Content-Type-Options',
];

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
export function viewResponses(route: Route): Node {
  return {
    ...ownResponses(route),
    ...Object.fromEntries(
      [...errorsByStatus(route)].map(([status, codes]) => [status, errorReference(codes)]),
    ),
    ...validationResponse(route),
    ...(route.kind === 'computed' && viewComputed(route)),
    default: { $ref: '#/components/responses/Otherwise' },
  };
}

/** For `components.responses`: what several operations share. */
export function viewSharedResponses(routes: readonly Route[]): Node {
  const errors = routes.flatMap((route) => [...errorsByStatus(route).values()]);
  return {
    NotModified: notModified([...FINISHED, ...ALWAYS]),
    EditionNotModified: notModified([...EDITION, ...ALWAYS]),
    FileNotModified: notModified([...FILE, 'Link', ...ALWAYS]),
    DocumentNotModified: notModified(['ETag of a document', 'Cache-Control', 'Vary', ...ALWAYS]),
    ...Object.fromEntries(errors.map((codes) => [errorName(codes), errorResponse(codes)])),
    Otherwise: {
      description:
        'A request that is not proper HTTP (400, 431, 505), or a fault of the service (500).',
      content: { 'application/json': { schema: reference('Error') } },
    },
  };
}

/** What a 200 looks like, and what comes of conditions. */
function ownResponses(route: Route): Node {
  const link: readonly HeaderName[] = isLinked(route.path) ? ['Link'] : [];
  switch (route.kind) {
    case 'stored':
      return {
        200: success(route, [...FINISHED, ...BODY, ...link, ...ALWAYS]),
        304: sharedResponse('NotModified'),
      };
    case 'planned': {
      const named: readonly HeaderName[] = route.fileName ? ['Content-Disposition'] : [];
      return {
        200: success(route, [...FINISHED, ...BODY, 'X-Record-Count', ...named, ...link, ...ALWAYS]),
        304: sharedResponse('NotModified'),
      };
    }
    case 'linked': {
      const whole = success(route, [...FINISHED, ...BODY, ...link, ...ALWAYS]);
      if (route.needsSnapshot) return { 200: whole, 304: sharedResponse('NotModified') };
      const headers = { ...optionalHeaders(EDITION), ...headerReferences([...BODY, ...ALWAYS]) };
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
          ...ALWAYS,
        ]),
        304: sharedResponse('DocumentNotModified'),
      };
    case 'file':
      return viewFile(route, [...FILE, ...FILE_BODY, ...link, ...ALWAYS]);
    case 'computed':
      return {};
  }
}

function success(
  { operation, schema, ...route }: Exclude<Route, ComputedRoute | FileRoute>,
  headers: readonly HeaderName[],
): Node {
  const mediaType = 'mediaType' in route ? route.mediaType : 'application/json';
  const example =
    operation === 'getBulkFile' || operation === 'redirectToCatalog' || operation === 'getOpenApi'
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
        ...ALWAYS,
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
    headers: headerReferences(['Location', 'Cache-Control', 'Content-Length', ...ALWAYS]),
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
    headers: headerReferences(['Cache-Control of an error', 'Content-Length', ...retry, ...ALWAYS]),
    content: {
      'application/json': {
        schema: isGood ? reference(schema) : { anyOf: [reference(schema), reference('Error')] },
        ...(isGood && known && { example: examplePlace(operation) }),
      },
    },
  };
}

/** The codes of errors that the route can answer with, by status. */
function errorsByStatus(route: Route): ReadonlyMap<Status, readonly ErrorCode[]> {
  const parameters = Object.values(route.parameters);
  const codes = new Set<ErrorCode>(
    parameters.flatMap(({ error }) => (error === undefined ? [] : [error])),
  );
  for (const code of errorsOfKind(route)) codes.add(code);
  codes.add('method_not_allowed');
  const byStatus = new Map<Status, ErrorCode[]>();
  for (const code of codes) {
    const { status } = describeError(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}

function errorsOfKind(route: Route): readonly ErrorCode[] {
  switch (route.kind) {
    case 'stored':
      return Object.keys(route.parameters).length > 0
        ? ['no_public_data', 'unavailable']
        : ['unavailable'];
    case 'planned':
      return ['unavailable', 'busy'];
    case 'linked':
      return route.needsSnapshot
        ? ['host_unknown', 'unavailable', 'busy']
        : ['host_unknown', 'busy'];
    case 'file':
      return ['no_bulk_resource', 'precondition_failed', 'unavailable'];
    case 'document':
    case 'computed':
      return [];
  }
}

/** What each error means where an operation lists it. */
const MEANINGS: Readonly<Partial<Record<ErrorCode, string>>> = {
  bad_request:
    'A parameter is missing, blank or not what it should be, or the snapshot does not have the window.',
  host_unknown: 'The request names no host that absolute links could lead to.',
  invalid_from: '`from` is no date-time.',
  invalid_to: '`to` is no date-time.',
  invalid_bbox: '`bbox` is no box.',
  no_public_data: 'It does not exist, is not public, or has no data for the window.',
  no_bulk_resource: 'The bundle has no such file.',
  method_not_allowed: 'Another method than `GET`, `HEAD` and `OPTIONS`.',
  precondition_failed: '`If-Match` names other bytes than those of the file.',
  unavailable: 'No snapshot can be served.',
  busy: 'Too much is being asked for at the moment.',
};

function errorResponse(codes: readonly ErrorCode[]): Node {
  const rows = codes.map((code) => [code, describeError(code)] as const);
  const own = new Set(rows.flatMap(([, { headers = [] }]) => headers.map(([name]) => name)));
  return {
    description: codes.map((code) => MEANINGS[code] ?? describeError(code).detail).join(' '),
    headers: headerReferences([
      ...(own.has('Allow') ? (['Allow'] as const) : []),
      ...(own.has('Retry-After') ? (['Retry-After'] as const) : []),
      'Cache-Control of an error',
      'Content-Length',
      ...ALWAYS,
    ]),
    content: errorContent(Object.fromEntries(rows.map(([code, { detail }]) => [code, detail]))),
  };
}

function errorContent(details: Readonly<Record<string, string>>): Node {
  const examples: Record<string, Node> = {};
  for (const [name, detail] of Object.entries(details)) examples[name] = { value: { detail } };
  return { 'application/json': { schema: reference('Error'), examples } };
}

/** A text that no parser of ours takes. */
const NONSENSE = '?';

/** 422 with the problems of a request whose every parameter is nonsense; none where any text will do. */
function validationResponse({ parameters }: Route): Node {
  const problems = Object.entries(parameters).flatMap(([name, parameter]) =>
    parameter.error === undefined ? problemOf(name, parameter) : [],
  );
  if (problems.length === 0) return {};
  return {
    422: {
      description: 'A parameter is not what it should be.',
      headers: headerReferences(['Cache-Control of an error', 'Content-Length', ...ALWAYS]),
      content: {
        'application/json': {
          schema: reference('ValidationError'),
          example: { detail: problems },
        },
      },
    },
  };
}

function problemOf(name: string, parameter: Parameter<unknown>): readonly ValidationProblem[] {
  const parsed = parameter.parse(NONSENSE);
  return parsed.ok ? [] : [{ loc: [parameter.in, name], ...parsed.problem, input: NONSENSE }];
}

function notModified(headers: readonly HeaderName[]): Node {
  return {
    description: 'Not modified: what the client has is current.',
    headers: headerReferences(headers),
  };
}

function errorReference(codes: readonly ErrorCode[]): Node {
  return sharedResponse(errorName(codes));
}

function sharedResponse(name: string): Node {
  return { $ref: `#/components/responses/${name}` };
}

/** `UnavailableOrBusy`. */
function errorName(codes: readonly ErrorCode[]): string {
  return codes
    .map((code) =>
      code.replaceAll(/(?:^|_)(\w)/g, (_match, letter: string) => letter.toUpperCase()),
    )
    .join('Or');
}
