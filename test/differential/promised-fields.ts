/** Header fields that the documents promise (docs/http-api/answers.md and files.md), by endpoint. */
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { fieldOf, type Answer } from '../support/service/connection.js';
import { fieldsProblem, REFUSED } from './http-exchange.js';
import type { Asked } from './request.js';

const JSON_TYPE = 'application/json';
const CSV_TYPE = 'text/csv; charset=utf-8';
const TABLE_TYPE = `${CSV_TYPE}; header=present`;
const LINES_TYPE = 'application/x-ndjson';

/** Media types other than JSON. */
const TYPES: Readonly<Record<string, string>> = {
  stream: LINES_TYPE,
  changes: LINES_TYPE,
  csv: TABLE_TYPE,
  wide: TABLE_TYPE,
  'latest-csv': TABLE_TYPE,
  'bulk-csv': CSV_TYPE,
  'bulk-parquet': 'application/vnd.apache.parquet',
  export: CSV_TYPE,
};

/** Beginnings of `Content-Disposition`; other endpoints have no such field. */
const DISPOSITIONS: Readonly<Record<string, string>> = {
  stream: 'inline; filename="',
  changes: 'inline; filename="',
  csv: 'attachment; filename="',
  wide: 'attachment; filename="',
  'latest-csv': 'attachment; filename="',
  'bulk-csv': 'attachment; filename="observations_hourly_preliminary_last30days.csv"',
  'bulk-parquet': 'attachment; filename="observations_hourly_preliminary_last30days.parquet"',
};

/** Filtered lists and exports (docs/http-api/answers.md, "Lengths and counts"). */
const COUNTED = [
  'observations',
  'stream',
  'csv',
  'wide',
  'latest',
  'latest-csv',
  'hvd-stations',
  'changes',
  'export',
];

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
    'content-type': TYPES[endpoint] ?? JSON_TYPE,
    'cache-control': isFile ? `${CACHED}, no-transform` : CACHED,
    'last-modified': new Date(promised.activatedAtMs).toUTCString(),
    vary: isCompressible(promised) ? 'Accept-Encoding' : undefined,
    'x-snapshot-id': snapshotId,
    'access-control-allow-origin': '*',
    'accept-ranges': isFile ? 'bytes' : undefined,
    'content-range': undefined,
    'x-ignored-parameters': asked.ignored,
    'x-record-count': COUNTED.includes(endpoint) ? `${promised.count}` : undefined,
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
  const { endpoint } = asked.choices;
  const text = fieldOf(answer, 'content-disposition') ?? '';
  const start =
    endpoint === 'export'
      ? `attachment; filename="bura_${organizationId}_${stationId}_${componentId}_${window}.csv"`
      : (DISPOSITIONS[endpoint] ?? '');
  const isRight = start === '' ? text === '' : text.startsWith(start);
  return isRight ? undefined : `Content-Disposition ${text}`;
}

function linkProblem(answer: Answer): string | undefined {
  const text = fieldOf(answer, 'link') ?? '';
  const missing = ['service-desc', 'license', 'describedby'].find(
    (relation) => !text.includes(`; rel="${relation}"`),
  );
  return missing && `no Link of ${missing}: ${text}`;
}
