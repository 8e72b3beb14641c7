/**
 * Compares every answer with the oracle: status, header fields and body.
 *
 * Most checks are one comparison with the bytes of an answer that was found right before. Only for other bytes is the
 * oracle asked, and gzip unpacked.
 */
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { readOds, readXlsx } from '../../test/support/readers/spreadsheets.js';
import { fieldOf, type Answer } from '../../test/support/service/exchange.js';
import type { Expected, Oracle } from './oracle.js';
import type { SoakRequest } from './requests.js';

export type Verdict =
  | { readonly kind: 'right' }
  /** 503 with `Retry-After`, because the service is busy. */
  | { readonly kind: 'refused' }
  /** The service says that it has no snapshot: right only while it starts. */
  | { readonly kind: 'unavailable'; readonly what: string }
  /** An unexpected status. */
  | { readonly kind: 'failed'; readonly what: string }
  /** An expected status with a wrong header field or body. */
  | { readonly kind: 'wrong'; readonly what: string };

/** A request with the client's header fields. */
export interface Sent {
  readonly request: SoakRequest;
  /** The entity tag that was sent in `If-None-Match`. */
  readonly tag: string | undefined;
}

const ABSENT_BODY = Buffer.from('{"detail":"No public data found for the requested resource."}');
const RIGHT: Verdict = { kind: 'right' };
const REFUSED: Verdict = { kind: 'refused' };
/** Snapshots whose right bytes are kept. */
const SNAPSHOTS_KEPT = 3;

export class Checker {
  readonly #oracles: ReadonlyMap<string, Oracle>;
  /** Right bodies as they were sent, by snapshot and request. */
  readonly #right = new LRUCache<string, Map<string, Buffer>>({ max: SNAPSHOTS_KEPT });
  /** Digests of bodies that the oracle cannot derive in full, by request and entity tag. */
  readonly #pages = new Map<string, string>();
  /** The part of the entity tag after the snapshot's id. */
  #build: string | undefined;
  /** Snapshot of the newest answer. Fronts swap one after the other, so answers can alternate between snapshots. */
  snapshotId: string | undefined;
  /** How often the oracle was asked. */
  computed = 0;
  /** How often an answer was of another snapshot than the one before it. */
  swaps = 0;

  constructor(oracles: ReadonlyMap<string, Oracle>) {
    this.#oracles = oracles;
  }

  /** Entity tag of the data answers of the newest answer's snapshot; undefined until such an answer was seen. */
  currentTag(): string | undefined {
    return this.snapshotId === undefined || this.#build === undefined
      ? undefined
      : `W/"${this.snapshotId}${this.#build}`;
  }

  check(sent: Sent, answer: Answer): Verdict {
    const { request, tag } = sent;
    const { status } = answer;
    if (saysUnavailable(request, answer)) {
      return { kind: 'unavailable', what: `${answer.statusLine}, no snapshot: ${request.path}` };
    }
    if (status === 503 && fieldOf(answer, 'retry-after') !== undefined) return REFUSED;
    if (status === 404 && this.#mayBeAbsent(request, answer)) return RIGHT;
    if (status !== 200 && !(status === 304 && tag !== undefined)) {
      return { kind: 'failed', what: `${answer.statusLine} for ${request.path}` };
    }
    const problem = this.#problem(sent, answer);
    return problem === undefined
      ? RIGHT
      : { kind: 'wrong', what: `${request.path}${request.gzip ? ' (gzip)' : ''}: ${problem}` };
  }

  /** An error does not name its snapshot, so 404 is right if any snapshot lacks the answer. */
  #mayBeAbsent({ path }: SoakRequest, answer: Answer): boolean {
    const isOfAny = (): boolean =>
      [...this.#oracles.values()].some((oracle) => oracle.expect(path).kind === 'absent');
    return answer.body.equals(ABSENT_BODY) && isOfAny();
  }

  #problem(sent: Sent, answer: Answer): string | undefined {
    const id = fieldOf(answer, 'x-snapshot-id') ?? '';
    const oracle = this.#oracles.get(id);
    if (oracle === undefined) return `X-Snapshot-Id names no snapshot that was published: ${id}`;
    const etag = fieldOf(answer, 'etag') ?? '';
    if (this.snapshotId !== undefined && this.snapshotId !== id) this.swaps += 1;
    this.snapshotId = id;
    return (
      this.#tagProblem(sent, { id, etag }) ??
      (answer.status === 304
        ? notModifiedProblem(sent, etag)
        : this.#bodyProblem(sent, answer, { oracle, etag }))
    );
  }

  #tagProblem(
    { request }: Sent,
    { id, etag }: { readonly id: string; readonly etag: string },
  ): string | undefined {
    const start = `W/"${id}`;
    if (!etag.startsWith(`${start}-`)) return `the entity tag ${etag} is not of ${id}`;
    if (isPage(request)) return undefined;
    const rest = etag.slice(start.length);
    this.#build ??= rest;
    return rest === this.#build
      ? undefined
      : `the entity tag ${etag} ends otherwise than others: ${this.#build}`;
  }

  #bodyProblem(
    { request, tag }: Sent,
    answer: Answer,
    { oracle, etag }: { readonly oracle: Oracle; readonly etag: string },
  ): string | undefined {
    if (tag !== undefined && tag === etag) return 'no 304 for the tag that the client holds';
    const coding = fieldOf(answer, 'content-encoding') ?? 'identity';
    if (coding !== 'identity' && !(coding === 'gzip' && request.gzip)) {
      return `Content-Encoding ${coding} that was not asked for`;
    }
    const right = this.#right.get(oracle.snapshotId) ?? new Map<string, Buffer>();
    this.#right.set(oracle.snapshotId, right);
    const key =
      request.id === undefined
        ? undefined
        : `${coding} ${request.id} ${isPage(request) ? etag : ''}`;
    if (key !== undefined && right.get(key)?.equals(answer.body) === true) return undefined;
    this.computed += 1;
    const expected = oracle.expect(request.path);
    const problem = this.#differs(expected, answer);
    if (problem === undefined && key !== undefined) {
      right.set(key, Buffer.from(answer.body));
    }
    return (
      problem ??
      (expected.kind === 'text' ? undefined : this.#changed(sentKey(request), { answer, etag }))
    );
  }

  /** Compares bytes that the oracle cannot derive: under equal entity tags they are equal, in all processes. */
  #changed(
    request: string,
    { answer, etag }: { readonly answer: Answer; readonly etag: string },
  ): string | undefined {
    const key = `${request} ${etag}`;
    const digest = createHash('sha256').update(decoded(answer)).digest('base64');
    const before = this.#pages.get(key) ?? digest;
    this.#pages.set(key, before);
    return before === digest ? undefined : `other bytes than before under ${etag}`;
  }

  #differs(expected: Expected, answer: Answer): string | undefined {
    const body = decoded(answer);
    switch (expected.kind) {
      case 'text':
        return textProblem(expected, { body, answer });
      case 'table': {
        const cells = (expected.format === 'xlsx' ? readXlsx : readOds)(body);
        const found = cells.map((row) => row.map(({ text }) => text));
        const isEqual = JSON.stringify(found) === JSON.stringify(expected.rows);
        return isEqual ? undefined : 'the cells differ';
      }
      case 'page': {
        const html = body.toString();
        const missing = expected.texts.find((text) => !html.includes(text));
        return missing === undefined ? undefined : `the page lacks ${missing}`;
      }
      case 'absent':
        return 'answered, where the snapshot has no data';
    }
  }
}

/** A page without a snapshot is a 200 that says so; everything else is 503 (docs/http-api/pages.md, "Pages"). */
function saysUnavailable(request: SoakRequest, answer: Answer): boolean {
  if (answer.status === 503) return answer.body.includes('snapshot is not available');
  return (
    isPage(request) &&
    fieldOf(answer, 'x-snapshot-id') === undefined &&
    fieldOf(answer, 'cache-control') === 'no-store'
  );
}

function notModifiedProblem({ tag }: Sent, etag: string): string | undefined {
  return tag === etag ? undefined : `304 with ${etag} for If-None-Match: ${tag ?? ''}`;
}

function textProblem(
  expected: Extract<Expected, { kind: 'text' }>,
  { body, answer }: { readonly body: Buffer; readonly answer: Answer },
): string | undefined {
  const wanted = Buffer.from(expected.body);
  if (!body.equals(wanted)) return firstDifference(body, wanted);
  const count = fieldOf(answer, 'x-record-count');
  return expected.records === undefined || count === String(expected.records)
    ? undefined
    : `X-Record-Count ${String(count)} where ${expected.records} are expected`;
}

function firstDifference(found: Buffer, wanted: Buffer): string {
  let at = 0;
  while (at < found.length && found[at] === wanted[at]) at += 1;
  const cut = (bytes: Buffer): string => JSON.stringify(bytes.toString('latin1', at - 20, at + 20));
  return `differs from byte ${at} on: ${cut(found)} where ${cut(wanted)} is expected`;
}

function decoded(answer: Answer): Buffer {
  return fieldOf(answer, 'content-encoding') === 'gzip' ? gunzipSync(answer.body) : answer.body;
}

function isPage({ path }: SoakRequest): boolean {
  return path === '/' || path.startsWith('/portal/station-modal');
}

function sentKey({ path, gzip }: SoakRequest): string {
  return `${path} ${gzip ? 'gzip' : 'identity'}`;
}
