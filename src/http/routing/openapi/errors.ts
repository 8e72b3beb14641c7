/** Errors as OpenAPI responses: which ones an endpoint can answer with, and when. */
import { reference } from '../../../views/openapi/json-schema.js';
import type { Status } from '../../semantics/answer.js';
import {
  describeError,
  type ErrorCode,
  type ValidationProblem,
} from '../../semantics/error-answers.js';
import type { DocumentedEndpoint } from '../endpoint.js';
import type { Parameter, Parameters } from '../parameters.js';
import {
  EVERYWHERE,
  headerReferences,
  optionalHeaders,
  PAGE_HEADERS,
  type HeaderName,
} from './documented-headers.js';
import { text } from './operation.js';

type Node = Readonly<Record<string, unknown>>;

/** Header fields of every error. */
const ERROR: readonly HeaderName[] = ['Cache-Control of an error', 'Content-Length', ...EVERYWHERE];

/** The codes of errors that the endpoint can answer with, by status. */
export function errorsByStatus({
  caching,
  parameters,
  operation: { refusals = [] },
}: DocumentedEndpoint): ReadonlyMap<Status, readonly ErrorCode[]> {
  const codes = new Set<ErrorCode>([
    ...Object.values(parameters).flatMap(({ error }) => (error === undefined ? [] : [error])),
    ...refusals.filter((code) => code !== 'busy'),
    ...(caching === 'snapshot' || caching === 'file' ? (['unavailable'] as const) : []),
    ...refusals,
    'method_not_allowed',
  ]);
  const byStatus = new Map<Status, ErrorCode[]>();
  for (const code of codes) {
    const { status } = describeError(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}

/** What each error means where an operation lists it. */
const MEANINGS: Readonly<Partial<Record<ErrorCode, string>>> = {
  bad_request:
    'A parameter is missing, blank or not what it should be, or the snapshot does not have the window.',
  host_unknown: 'The request names no host that absolute links could lead to.',
  invalid_from: '`from` is no date-time.',
  invalid_to: '`to` is no date-time.',
  invalid_bbox: '`bbox` is no box.',
  invalid_position:
    '`lat` or `lon` is missing or no number of degrees, or `radius_m` is not 1 to 1,000,000 metres from a position. The text goes on with which, its value and what is expected.',
  too_many_station_ids: '`station_id` has more than 500 values.',
  too_many_parameter_codes: '`parameter_code` has more than 500 values.',
  no_public_data: 'It does not exist, is not public, or has no data for the window.',
  no_bulk_resource: 'The bundle has no such file.',
  method_not_allowed: 'Another method than `GET`, `HEAD` and `OPTIONS`.',
  changes_gone:
    'This instance does not have that snapshot, or not any more: read the whole dataset.',
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
      ...(['Allow', 'Retry-After'] as const).filter((name) => own.has(name)),
      ...ERROR,
    ]),
    content: errorContent(
      Object.fromEntries(
        rows.map(([code, { detail, found }]) => [code, found ? `${detail} ${found}` : detail]),
      ),
    ),
  };
}

/** 404 that is a page for who prefers HTML. */
export const NOT_FOUND_PAGE = 'NoPublicDataOrPage';

/** The same error as JSON, or as a page. */
export function notFoundPageResponse(): Node {
  const { description, headers, content } = errorResponse(['no_public_data']);
  const { mediaType, schema } = text('text/html');
  return {
    description: `${String(description)} HTML where \`Accept\` prefers that to JSON.`,
    headers: {
      ...(headers as Node),
      ...headerReferences(['Vary']),
      ...optionalHeaders(['Content-Encoding', ...PAGE_HEADERS]),
    },
    content: { ...(content as Node), [mediaType]: { schema } },
  };
}

/** 416: the file has no such bytes. */
export function unsatisfiableResponse(): Node {
  return {
    description: 'The file has no such bytes.',
    headers: headerReferences(['Content-Range of a refusal', ...ERROR]),
    content: errorContent({ unsatisfiable: 'Range Not Satisfiable' }),
  };
}

function errorContent(details: Readonly<Record<string, string>>): Node {
  const entries = Object.entries(details);
  const examples = Object.fromEntries(
    entries.map(([name, detail]) => [name, { value: { detail } }]),
  );
  return { 'application/json': { schema: reference('Error'), examples } };
}

/** A text that no parser of ours takes. */
const NONSENSE = '?';

/** 422 with the problems of a request whose every parameter is nonsense; none where any text will do. */
export function validationResponse(parameters: Parameters): Node {
  const problems = Object.entries(parameters).flatMap(([name, parameter]) =>
    parameter.error === undefined ? problemOf(name, parameter) : [],
  );
  if (problems.length === 0) return {};
  return {
    422: {
      description: 'A parameter is not what it should be.',
      headers: headerReferences(ERROR),
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
