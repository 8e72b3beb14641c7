/** Refusals as OpenAPI responses: what of the table of errors a route can answer with, and when. */
import { reference } from '../../../views/openapi/json-schema.js';
import type { Status } from '../../semantics/answer.js';
import {
  describeError,
  type ErrorCode,
  type ValidationProblem,
} from '../../semantics/error-answers.js';
import type { Parameter } from '../parameters.js';
import type { ApiRoute } from '../route.js';
import { EVERYWHERE, headerReferences } from './documented-headers.js';

type Node = Readonly<Record<string, unknown>>;

/** The codes of errors that the route can answer with, by status. */
export function errorsByStatus(route: ApiRoute): ReadonlyMap<Status, readonly ErrorCode[]> {
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

function errorsOfKind(route: ApiRoute): readonly ErrorCode[] {
  switch (route.kind) {
    case 'stored':
      return Object.keys(route.parameters).length > 0
        ? ['no_public_data', 'unavailable']
        : ['unavailable'];
    case 'planned':
      return ['unavailable', 'busy'];
    case 'export':
      return ['no_public_data', 'unavailable', 'busy'];
    case 'linked':
      return route.needsSnapshot
        ? ['host_unknown', 'unavailable', 'busy']
        : ['host_unknown', 'busy'];
    case 'file':
      return ['no_bulk_resource', 'precondition_failed', 'unavailable'];
    case 'page':
      return ['busy'];
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

export function errorResponse(codes: readonly ErrorCode[]): Node {
  const rows = codes.map((code) => [code, describeError(code)] as const);
  const own = new Set(rows.flatMap(([, { headers = [] }]) => headers.map(([name]) => name)));
  return {
    description: codes.map((code) => MEANINGS[code] ?? describeError(code).detail).join(' '),
    headers: headerReferences([
      ...(own.has('Allow') ? (['Allow'] as const) : []),
      ...(own.has('Retry-After') ? (['Retry-After'] as const) : []),
      'Cache-Control of an error',
      'Content-Length',
      ...EVERYWHERE,
    ]),
    content: errorContent(Object.fromEntries(rows.map(([code, { detail }]) => [code, detail]))),
  };
}

export function errorContent(details: Readonly<Record<string, string>>): Node {
  const examples: Record<string, Node> = {};
  for (const [name, detail] of Object.entries(details)) examples[name] = { value: { detail } };
  return { 'application/json': { schema: reference('Error'), examples } };
}

/** A text that no parser of ours takes. */
const NONSENSE = '?';

/** 422 with the problems of a request whose every parameter is nonsense; none where any text will do. */
export function validationResponse({ parameters }: ApiRoute): Node {
  const problems = Object.entries(parameters).flatMap(([name, parameter]) =>
    parameter.error === undefined ? problemOf(name, parameter) : [],
  );
  if (problems.length === 0) return {};
  return {
    422: {
      description: 'A parameter is not what it should be.',
      headers: headerReferences(['Cache-Control of an error', 'Content-Length', ...EVERYWHERE]),
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

/** `UnavailableOrBusy`. */
export function errorName(codes: readonly ErrorCode[]): string {
  return codes
    .map((code) =>
      code.replaceAll(/(?:^|_)(\w)/g, (_match, letter: string) => letter.toUpperCase()),
    )
    .join('Or');
}
