/** The files of the bulk bundle as HTTP answers, whole or in part (docs/http-api.md, "Bulk files" and "Ranges"). */
import type { LeasedSnapshot } from '../../snapshot/local/lease.js';
import { bulkFileName, type BundleFile } from '../../snapshot/local/bundle.js';
import type { Answer } from '../semantics/answer.js';
import { lastModifiedField, type Validators } from '../semantics/caching.js';
import { CROSS_ORIGIN, JSON_TYPE, LINK, NO_STORE } from '../semantics/common-headers.js';
import { errorAnswer } from '../semantics/error-answers.js';
import { headerBlock, type HeaderField } from '../semantics/header-block.js';
import { ChunkedBody } from './chunked-body.js';
import { outcomeOf, type FileRequest } from '../semantics/range.js';
import type { SegmentCache } from './segment-cache.js';

interface FileSource {
  readonly snapshot: LeasedSnapshot;
  readonly segments: SegmentCache;
}

interface ServedFile {
  readonly file: BundleFile;
  readonly validators: Validators;
  readonly fields: readonly HeaderField[];
}

/** A fixed table of files: no path is ever built from a request. */
export class BulkFiles {
  readonly #source: FileSource;
  readonly #files: ReadonlyMap<string, ServedFile>;

  constructor(source: FileSource, lastModified: Validators['lastModified']) {
    const { snapshot } = source;
    this.#source = source;
    this.#files = new Map(
      snapshot.reader.bundle().map((file) => {
        const validators = { entityTag: `"${file.sha256}"`, lastModified };
        const fields = fileFields(file, validators, snapshot.snapshotId);
        return [file.name, { file, validators, fields }];
      }),
    );
  }

  answer(name: string, request: FileRequest): Answer {
    const served = this.#files.get(name);
    if (served === undefined) return errorAnswer('no_bulk_resource');
    const { file, fields, validators } = served;
    const outcome = outcomeOf(request, { validators, sizeBytes: file.sizeBytes });
    switch (outcome.kind) {
      case 'whole':
        return {
          status: 200,
          headers: headerBlock(fields),
          body: this.#body(file, 0, file.sizeBytes),
        };
      case 'part': {
        const { offset, length } = outcome;
        const range = `bytes ${offset}-${offset + length - 1}/${file.sizeBytes}`;
        return {
          status: 206,
          headers: headerBlock([...fields, ['Content-Range', range]]),
          body: this.#body(file, offset, length),
        };
      }
      case 'unsatisfiable':
        return unsatisfiable(file.sizeBytes);
      case 'not_modified':
        return { status: 304, headers: headerBlock(fields.filter(([name]) => !isContent(name))) };
      case 'precondition_failed':
        return errorAnswer('precondition_failed');
    }
  }

  #body(file: BundleFile, offset: number, length: number): ChunkedBody {
    const chunks = [{ kind: 'range', file: bulkFileName(file.name), offset, length }] as const;
    return new ChunkedBody({ totalBytes: length, chunks }, this.#source);
  }
}

function fileFields(
  { name, contentType, sha256 }: BundleFile,
  { entityTag, lastModified }: Validators,
  snapshotId: string,
): readonly HeaderField[] {
  const digest = Buffer.from(sha256, 'hex').toString('base64');
  return [
    ['Content-Type', contentType],
    ['Content-Disposition', `attachment; filename="${name}"; filename*=UTF-8''${name}`],
    ['ETag', entityTag],
    ...lastModifiedField(lastModified),
    // A proxy that compressed it would break ranges and the digest.
    ['Cache-Control', 'public, max-age=60, stale-while-revalidate=600, no-transform'],
    ['Accept-Ranges', 'bytes'],
    ['X-Content-SHA256', sha256],
    ['Repr-Digest', `sha-256=:${digest}:`],
    ['X-Snapshot-Id', snapshotId],
    LINK,
    ...CROSS_ORIGIN,
  ];
}

/** Fields about content, which a 304 has none of (RFC 9110 §15.4.5). */
function isContent(name: string): boolean {
  return /^(?:Content-|X-Content-SHA256|Repr-Digest)/.test(name);
}

function unsatisfiable(sizeBytes: number): Answer {
  return {
    status: 416,
    headers: headerBlock([
      JSON_TYPE,
      NO_STORE,
      ['Content-Range', `bytes */${sizeBytes}`],
      ...CROSS_ORIGIN,
    ]),
    body: Buffer.from(JSON.stringify({ detail: 'Range Not Satisfiable' })),
  };
}
