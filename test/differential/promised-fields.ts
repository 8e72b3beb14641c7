/** Header fields that the documents promise (docs/http-api/answers.md and files.md), by endpoint. */
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { fieldOf, type Answer } from '../support/service/connection.js';
import { fieldsProblem, REFUSED } from './http-exchange.js';
import { COUNTED, type Asked } from './request.js';

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
  /** The answer to a `GET` without conditions. */
  readonly answer: Answer;
  readonly snapshotId: string;
  readonly activatedAtMs: number;
  /** Number of rows that the oracle has. */
  readonly count: number;
}

export function promisedProblem(promised: Promised): string | undefined {
  const { asked, answer, snapshotId } = promised;
  if (answer.status !== 200) {
    const detail = DETAILS[answer.status];
    const text = answer.body.toString();
    const isRight = text === JSON.stringify({ detail });
    return fieldsProblem(answer, REFUSED) ?? (isRight ? undefined : `body ${text}`);
  }
  const { endpoint } = asked.choices;
  const isFile = endpoint.startsWith('bulk');
  const isOfHvd = asked.path.startsWith('/api/v1');
  const problem = fieldsProblem(answer, {
    'content-type': FILES[endpoint]?.[0] ?? 'application/json',
    'cache-control': isFile ? `${CACHED}, no-transform` : CACHED,
    'last-modified': new Date(promised.activatedAtMs).toUTCString(),
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
    (isFile ? digestProblem(answer) : tagProblem(answer, snapshotId)) ??
    dispositionProblem(promised) ??
    (isOfHvd ? linkProblem(answer) : undefined)
  );
}

/** A text; of files only those of 1 KiB or more (docs/http-api/files.md, "Bulk files"). */
function isCompressible({ asked, answer }: Promised): boolean {
  if (!asked.choices.endpoint.startsWith('bulk')) return true;
  return asked.choices.endpoint === 'bulk-csv' && plainBody(answer).length >= 1024;
}

function tagProblem(answer: Answer, snapshotId: string): string | undefined {
  const tag = fieldOf(answer, 'etag') ?? '';
  const build = tag.slice(`W/"${snapshotId}-`.length, -1);
  return tag === `W/"${snapshotId}-${build}"` && /^[0-9a-f]+$/.test(build)
    ? undefined
    : `ETag ${tag}`;
}

/** The entity tag and `Repr-Digest` are of the answer, `X-Content-SHA256` is of the plain file. */
function digestProblem(answer: Answer): string | undefined {
  const digest = (body: Buffer): Buffer => createHash('sha256').update(body).digest();
  const own = digest(answer.body);
  const plain = digest(plainBody(answer));
  return fieldsProblem(answer, {
    etag: `"${own.toString('hex')}"`,
    'repr-digest': `sha-256=:${own.toString('base64')}:`,
    'x-content-sha256': plain.toString('hex'),
  });
}

function plainBody(answer: Answer): Buffer {
  return fieldOf(answer, 'content-encoding') === 'gzip' ? gunzipSync(answer.body) : answer.body;
}

function dispositionProblem({ asked, answer }: Promised): string | undefined {
  const { organizationId, stationId, componentId, window } = asked;
  const text = fieldOf(answer, 'content-disposition') ?? '';
  const [, start] = FILES[asked.choices.endpoint] ?? [];
  const name = `${organizationId}_${stationId}_${componentId}_${window}.csv"`;
  const isNamed = asked.choices.endpoint !== 'export' || text === `${start}${name}`;
  const isRight = start === undefined ? text === '' : text.startsWith(start) && isNamed;
  return isRight ? undefined : `Content-Disposition ${text}`;
}

function linkProblem(answer: Answer): string | undefined {
  const text = fieldOf(answer, 'link') ?? '';
  const missing = ['service-desc', 'license', 'describedby'].find(
    (relation) => !text.includes(`; rel="${relation}"`),
  );
  return missing && `no Link of ${missing}: ${text}`;
}
