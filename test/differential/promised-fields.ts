/** Header fields and errors that the documents promise (docs/http-api/answers.md and files.md). */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { fieldOf, jsonOf, type Answer, type Ask } from '../support/service/connection.js';
import { BY_PERIOD, COUNTED } from './endpoints.js';
import { fieldsProblem, plainBody, REFUSED, statusProblem } from './http-exchange.js';
import type { Asked, Exact, Problem } from './request.js';

const CSV_TYPE = 'text/csv; charset=utf-8';
const LINES_TYPE = 'application/x-ndjson';
const NAMED = 'attachment; filename="';
const BULK = `${NAMED}observations_hourly_preliminary_last30days`;

/** Media types other than JSON, with the beginning of `Content-Disposition`. */
const FILES: Readonly<Record<string, readonly [type: string, disposition: string]>> = {
  stream: [LINES_TYPE, 'inline; filename="'],
  changes: [LINES_TYPE, 'inline; filename="'],
  csv: [`${CSV_TYPE}; header=present`, NAMED],
  wide: [`${CSV_TYPE}; header=present`, NAMED],
  'latest-csv': [`${CSV_TYPE}; header=present`, NAMED],
  daily: [`${CSV_TYPE}; header=present`, NAMED],
  monthly: [`${CSV_TYPE}; header=present`, NAMED],
  'daily-json': ['application/json', NAMED],
  'monthly-json': ['application/json', NAMED],
  'bulk-csv': [CSV_TYPE, `${BULK}.csv"`],
  'bulk-parquet': ['application/vnd.apache.parquet', `${BULK}.parquet"`],
  export: [CSV_TYPE, `${NAMED}bura_`],
};

/** Filtered lists and exports (docs/http-api/answers.md, "Lengths and counts"). */
const LISTS: readonly string[] = [...COUNTED, 'hvd-stations', 'changes', 'export'];

const CACHED = 'public, max-age=60, stale-while-revalidate=600';

const DETAILS: Readonly<Record<number, string>> = {
  400: 'Invalid request parameters.',
  404: 'No public data found for the requested resource.',
};

interface Promised {
  readonly asked: Asked;
  readonly answer: Answer;
  readonly snapshotId: string;
  readonly activatedAtMs: number;
  readonly count: number;
}

export function promisedProblem(promised: Promised): string | undefined {
  const { asked, answer, snapshotId } = promised;
  if (answer.status !== 200) {
    const detail = DETAILS[answer.status] ?? '';
    return fieldsProblem(answer, REFUSED) ?? detailProblem(answer, [detail]);
  }
  const { endpoint } = asked.choices;
  const isFile = endpoint.startsWith('bulk');
  // They depend on time zone and archive too.
  const isByPeriod = BY_PERIOD.includes(endpoint);
  const isOfHvd = asked.path.startsWith('/api/v1');
  const problem = fieldsProblem(answer, {
    'content-type': FILES[endpoint]?.[0] ?? 'application/json',
    'cache-control': isFile ? `${CACHED}, no-transform` : CACHED,
    'last-modified': isByPeriod ? undefined : new Date(promised.activatedAtMs).toUTCString(),
    vary: isCompressible(promised) ? 'Accept-Encoding' : undefined,
    'x-snapshot-id': snapshotId,
    'access-control-allow-origin': '*',
    'accept-ranges': isFile ? 'bytes' : undefined,
    'content-range': undefined,
    'x-ignored-parameters': asked.ignored,
    'x-record-count': LISTS.includes(endpoint) ? `${promised.count}` : undefined,
    'content-length': `${answer.body.length}`,
  });
  return (
    problem ??
    (isFile ? digestProblem(promised) : tagProblem(answer, snapshotId, isByPeriod)) ??
    dispositionProblem(promised) ??
    (isOfHvd ? linkProblem(answer) : undefined)
  );
}

/** A text; of files only those of 1 KiB or more (docs/http-api/files.md, "Bulk files"). */
function isCompressible({ asked, answer }: Promised): boolean {
  if (!asked.choices.endpoint.startsWith('bulk')) return true;
  return asked.choices.endpoint === 'bulk-csv' && plainBody(answer).length >= 1024;
}

function tagProblem(answer: Answer, snapshotId: string, isVariant: boolean): string | undefined {
  const tag = fieldOf(answer, 'etag') ?? '';
  const variant = isVariant ? '\\.[0-9a-f-]+' : '';
  return new RegExp(`^W/"${snapshotId}-[0-9a-f]+${variant}"$`).test(tag)
    ? undefined
    : `ETag ${tag}`;
}

/** The entity tag and `Repr-Digest` are of the answer, `X-Content-SHA256` and the address are of the plain file. */
function digestProblem({ asked, answer }: Promised): string | undefined {
  const digest = (body: Buffer): Buffer => createHash('sha256').update(body).digest();
  const own = digest(answer.body);
  const plain = digest(plainBody(answer)).toString('hex');
  return fieldsProblem(answer, {
    etag: `"${own.toString('hex')}"`,
    'repr-digest': `sha-256=:${own.toString('base64')}:`,
    'x-content-sha256': plain,
    'content-location': asked.path.replace(/^.*\/([^?]*).*$/, `/api/v1/bulk/${plain}/$1`),
  });
}

function dispositionProblem({ asked, answer }: Promised): string | undefined {
  const { choices, organizationId, stationId, componentId, window } = asked;
  const text = fieldOf(answer, 'content-disposition') ?? '';
  const [, start] = FILES[choices.endpoint] ?? [];
  const name = `${organizationId}_${stationId}_${componentId}_${window}.csv"`;
  const isNamed = choices.endpoint !== 'export' || text === `${start}${name}`;
  const isRight = start === undefined ? text === '' : text.startsWith(start) && isNamed;
  return isRight ? undefined : `Content-Disposition ${text}`;
}

function linkProblem(answer: Answer): string | undefined {
  const text = fieldOf(answer, 'link') ?? '';
  const relations = ['service-desc', 'license', 'describedby'];
  const missing = relations.find((relation) => !text.includes(`; rel="${relation}"`));
  return missing && `no Link of ${missing}: ${text}`;
}

/** Compares an answer that depends on no data. */
export async function exactProblem(
  ask: Ask,
  { path: target, choices, exact }: Asked & { readonly exact: Exact },
): Promise<string | undefined> {
  const method = choices.method === 'HEAD' ? 'HEAD' : 'GET';
  const answer = await ask(target, exact.fields, method);
  const { status, detail, problems, answered } = exact;
  // The HTTP library itself refuses long requests.
  const usual = status === 200 || status === 431 ? {} : REFUSED;
  const expected = { ...usual, ...answered };
  const wrong = statusProblem(answer, status) ?? fieldsProblem(answer, expected);
  if (wrong !== undefined || method === 'HEAD') return wrong;
  if (problems !== undefined) return validationProblem(answer, problems);
  return detail && detailProblem(answer, detail);
}

function detailProblem(
  answer: Answer,
  [first = '', ...parts]: readonly string[],
): string | undefined {
  const text = answer.body.toString();
  const isRight =
    parts.length === 0
      ? text === JSON.stringify({ detail: first })
      : text.startsWith(`{"detail":"${first}`) && parts.every((part) => text.includes(part));
  return isRight ? undefined : `body ${text}, expected ${first}`;
}

function validationProblem(answer: Answer, problems: readonly Problem[]): string | undefined {
  const { detail } = jsonOf(answer) as { readonly detail: readonly Record<string, unknown>[] };
  const found = detail.map(({ msg, ctx, ...rest }) => ({
    ...rest,
    ...(ctx === undefined ? {} : { expected: choicesOf(ctx) }),
    ...(typeof msg === 'string' && msg !== '' ? {} : { msg }),
  }));
  const sorted = (list: readonly object[]): readonly string[] =>
    list.map((one) => JSON.stringify(Object.entries(one).toSorted())).toSorted();
  return isDeepStrictEqual(sorted(found), sorted(problems))
    ? undefined
    : `${answer.body.toString()}, expected ${JSON.stringify(problems)}`;
}

/** The choices in `ctx.expected`, which has each in quotes. */
function choicesOf(ctx: unknown): readonly string[] {
  const text = JSON.stringify(ctx ?? '');
  return [...text.matchAll(/'([^']*)'/g)].map(([, choice = '']) => choice);
}
