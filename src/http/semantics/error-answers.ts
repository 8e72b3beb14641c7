/** Every error by its code: status, body and header fields (`docs/http-api/answers.md, "Errors"`). */
import type { Answer, Status } from './answer.js';
import { CROSS_ORIGIN, JSON_TYPE, NO_STORE } from './common-headers.js';
import { headerBlock, withField, type HeaderField } from './header-block.js';
import { PATH_PREFIX } from './path-prefix.js';

interface ErrorRow {
  readonly status: Status;
  readonly detail: string;
  /** Example of a text about the request, which may follow `detail`. */
  readonly found?: string;
  readonly headers?: readonly HeaderField[];
}

/** The methods of every path (`docs/http-api/requests.md, "Methods and CORS"`). */
const ALLOW: HeaderField = ['Allow', 'GET, HEAD, OPTIONS'];

/** The text of a 503 without a usable snapshot. */
export const UNAVAILABLE_DETAIL = 'Active snapshot is not available or incompatible.';

const ERRORS = {
  bad_request: { status: 400, detail: 'Invalid request parameters.' },
  /** The length of the content is ambiguous, or the method is malformed. */
  malformed: { status: 400, detail: 'Bad Request' },
  /** The request names no host for absolute links. */
  host_unknown: { status: 400, detail: 'Bad Request' },
  invalid_from: {
    status: 400,
    detail: 'Invalid `from` parameter. Expected ISO 8601 datetime.',
  },
  invalid_to: { status: 400, detail: 'Invalid `to` parameter. Expected ISO 8601 datetime.' },
  invalid_bbox: {
    status: 400,
    detail: 'Invalid bbox format. Expected min_lon,min_lat,max_lon,max_lat.',
  },
  invalid_position: {
    status: 400,
    detail: 'Invalid position.',
    found: '`lat` is "40,42": expected degrees such as 40.42, from -90 to 90.',
  },
  invalid_ogc: {
    status: 400,
    detail: 'Invalid request parameters.',
    found: '`limit` is "0": expected a whole number from 1 on.',
  },
  too_many_station_ids: { status: 400, detail: 'Too many values in `station_id`.' },
  too_many_parameter_codes: { status: 400, detail: 'Too many values in `parameter_code`.' },
  too_many_rows: {
    status: 400,
    detail: 'Too many rows: stations x parameters x days must be at most 2,000,000.',
  },
  no_public_data: {
    status: 404,
    detail: 'No public data found for the requested resource.',
  },
  no_bulk_resource: { status: 404, detail: 'Bulk resource not found.' },
  no_archive_resource: { status: 404, detail: 'Archive resource not found.' },
  not_found: { status: 404, detail: 'Not Found' },
  method_not_allowed: { status: 405, detail: 'Method Not Allowed', headers: [ALLOW] },
  changes_gone: {
    status: 410,
    detail: 'Changes since this snapshot are not available any more. Read the whole dataset.',
  },
  snapshot_gone: {
    status: 410,
    detail: 'This snapshot is not available any more. Begin again at the first page.',
  },
  precondition_failed: { status: 412, detail: 'Precondition Failed' },
  internal: { status: 500, detail: 'Internal Server Error' },
  unavailable: {
    status: 503,
    detail: UNAVAILABLE_DETAIL,
    headers: [['Retry-After', '5']],
  },
  archive_unavailable: {
    status: 503,
    detail: 'The archive cannot be read at the moment.',
    headers: [['Retry-After', '5']],
  },
  busy: {
    status: 503,
    detail: 'Service is busy. Try again later.',
    headers: [['Retry-After', '2']],
  },
} as const satisfies Readonly<Record<string, ErrorRow>>;

export type ErrorCode = keyof typeof ERRORS;

const ANSWERS = Object.fromEntries(
  Object.entries<ErrorRow>(ERRORS).map(([code, row]) => [
    code,
    { ...uncachedJson(row.status, { detail: row.detail }, row.headers), error: code },
  ]),
) as Readonly<Record<ErrorCode, Answer>>;

export function describeError(code: ErrorCode): ErrorRow {
  return ERRORS[code];
}

/** @param found text about the request, appended to the error's own text. */
export function errorAnswer(code: ErrorCode, found?: string): Answer {
  if (found === undefined) return ANSWERS[code];
  const { status, detail } = ERRORS[code];
  return uncachedJson(status, { detail: `${detail} ${found}` });
}

/** Errors for which browsers get a page. */
export type NotFoundCode = 'not_found' | 'no_public_data' | 'no_archive_resource';

export function notFoundAnswer(code: NotFoundCode): Answer {
  const answer = ANSWERS[code];
  return { ...answer, headers: withField(answer.headers, ['Vary', 'Accept']) };
}

/** One item of the validation error body (`docs/http-api/answers.md, "Validation errors"`). */
export interface ValidationProblem {
  readonly loc: readonly [location: 'path' | 'query', name: string];
  readonly msg: string;
  readonly type: string;
  /** The text of the request; absent for a missing parameter. */
  readonly input?: string;
  readonly ctx?: Readonly<Record<string, string>>;
}

/** 422 with the fault of each invalid parameter. */
export function validationAnswer(problems: readonly ValidationProblem[]): Answer {
  return uncachedJson(422, { detail: problems });
}

/** An answer that no cache may store: an error, or a state that changes by itself. */
export function uncachedJson(
  status: Status,
  body: Readonly<Record<string, unknown>>,
  headers: readonly HeaderField[] = [],
): Answer {
  return {
    status,
    headers: headerBlock([JSON_TYPE, ['Cache-Control', NO_STORE], ...headers, ...CROSS_ORIGIN]),
    body: Buffer.from(JSON.stringify(body)),
  };
}

/** A permanent redirect to a path of this service, with the query unless no header field may have its characters. */
export function redirect(path: `/${string}`, query = ''): Answer {
  const location = /^[\x21-\x7e]+$/.test(query) ? `${path}?${query}` : path;
  return {
    status: 308,
    headers: headerBlock([
      ['Location', PATH_PREFIX + location],
      ['Cache-Control', 'public, max-age=86400'],
      ...CROSS_ORIGIN,
    ]),
    body: Buffer.alloc(0),
  };
}

/**
 * Request fields that scripts may send: all. Usual ones are named too, since `*` excludes `Authorization` (Fetch,
 * "CORS-preflight fetch") and Safari before 15.4 ignores `*`. A list that repeats the requested names would vary.
 */
const ALLOWED_FIELDS = [
  '*',
  'Authorization',
  'Cache-Control',
  'Content-Type',
  'If-Match',
  'If-Modified-Since',
  'If-None-Match',
  'If-Range',
  'Last-Event-ID',
  'Range',
  'traceparent',
  'X-Requested-With',
].join(', ');

const PREFLIGHT: Answer = {
  status: 204,
  headers: headerBlock([
    ALLOW,
    ['Access-Control-Allow-Methods', 'GET, HEAD, OPTIONS'],
    ['Access-Control-Allow-Headers', ALLOWED_FIELDS],
    ['Access-Control-Max-Age', '86400'],
    ...CROSS_ORIGIN,
  ]),
};

/**
 * The answer to any method except GET and HEAD. uWebSockets.js accepts any text as a method; a text that is not a token
 * (RFC 9110 §5.6.2) is malformed.
 */
export function methodAnswer(method: string, isPathKnown: boolean): Answer {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(method)) return errorAnswer('malformed');
  if (!isPathKnown) return errorAnswer('not_found');
  return method === 'OPTIONS' ? PREFLIGHT : errorAnswer('method_not_allowed');
}
