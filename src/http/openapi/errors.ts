/** Errors as OpenAPI responses, by endpoint. */
import { reference } from '../../views/openapi/json-schema.js';
import type { DocumentedEndpoint } from '../routing/endpoint.js';
import type { Parameter } from '../routing/parameter.js';
import type { Status } from '../semantics/answer.js';
import { describeError, type ErrorCode } from '../semantics/error-answers.js';
import { headerReferences } from './documented-headers.js';

export type OpenApiNode = Readonly<Record<string, unknown>>;

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

const MEANINGS: Readonly<Partial<Record<ErrorCode, string>>> = {
  bad_request:
    'A parameter is missing, blank or invalid, or the snapshot does not have the window.',
  host_unknown: 'The request names no valid host for absolute links.',
  invalid_from: '`from` is not a date-time.',
  invalid_to: '`to` is not a date-time.',
  invalid_bbox: '`bbox` is not a box.',
  invalid_position:
    '`lat` or `lon` is missing or not a number of degrees, or `radius_m` is not 1 to 1,000,000 metres around a position. The text names the parameter, its value and the expectation.',
  invalid_ogc: 'A parameter is missing, invalid or not known. The text says which.',
  too_many_station_ids: '`station_id` has more than 500 values.',
  too_many_parameter_codes: '`parameter_code` has more than 500 values.',
  too_many_rows:
    'The selection could have more than 2,000,000 rows: ask for fewer stations, parameters or days.',
  no_public_data: 'The resource does not exist, is not public, or has no data for the window.',
  no_bulk_resource: 'The bundle has no such file.',
  no_archive_resource: 'This instance has no archive, or the archive has no such file.',
  method_not_allowed: 'Another method than `GET`, `HEAD` and `OPTIONS`.',
  changes_gone: 'This instance does not have that snapshot: read the whole dataset.',
  snapshot_gone: 'This instance does not have the snapshot of this page any more.',
  precondition_failed:
    '`If-Match` has another entity tag than the file, or `If-Unmodified-Since` an earlier date.',
  archive_unavailable: 'No snapshot is active, or a file of the archive is being fetched.',
  unavailable: 'No snapshot is active.',
  busy: 'Too much work is waiting.',
};

export function errorResponse(codes: readonly ErrorCode[]) {
  const rows = codes.map((code) => [code, describeError(code)] as const);
  const isTransient = rows.some(([, { status }]) => status === 503);
  return {
    description: codes.map((code) => MEANINGS[code] ?? describeError(code).detail).join(' '),
    headers: headerReferences(isTransient ? ['Retry-After'] : []),
    content: {
      'application/json': {
        schema: reference('Error'),
        examples: Object.fromEntries(
          rows.map(([code, { detail, found }]) => [
            code,
            { value: { detail: found ? `${detail} ${found}` : detail } },
          ]),
        ),
      },
    },
  };
}

/** Whether the parameter refuses texts with 422. */
export function isRefusable(parameter: Parameter<unknown>): boolean {
  // `?` is invalid for every parser that refuses any text.
  return parameter.error === undefined && !parameter.parse('?').ok;
}

export function errorName(codes: readonly ErrorCode[]): string {
  return codes
    .map((code) =>
      code.replaceAll(/(?:^|_)(\w)/g, (_match, letter: string) => letter.toUpperCase()),
    )
    .join('Or');
}
