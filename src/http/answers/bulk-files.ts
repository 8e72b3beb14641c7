/** The files of the bulk bundle as HTTP answers, whole or in part (docs/http-api/files.md, "Bulk files" and "Ranges"). */
import type { Digest } from '../../snapshot/domain/digest.js';
import type { Coding } from '../../snapshot/local/environment.js';
import { bulkFileName } from '../../snapshot/local/keys.js';
import type { BundleFile } from '../../snapshot/local/records.js';
import type { Answer } from '../semantics/answer.js';
import {
  lastModifiedField,
  type Preferences,
  type Validators,
} from '../semantics/representation.js';
import { CROSS_ORIGIN, LINK } from '../semantics/common-headers.js';
import { errorAnswer, uncachedJson } from '../semantics/error-answers.js';
import {
  blockOf,
  fieldLines,
  headerBlock,
  type HeaderBlock,
  type FieldLines,
  type HeaderField,
} from '../semantics/header-block.js';
import type { ChunkSource } from './chunked-body.js';
import { bodyOf } from './rendered-answers.js';
import { outcomeOf, type FileRequest } from '../semantics/range.js';

/** One coding of a file: what is sent under a strong entity tag of its own. */
interface Variant {
  readonly validators: Validators;
  readonly sizeBytes: number;
  /** Header fields of the 200, checked. */
  readonly lines: FieldLines;
  readonly headers: HeaderBlock;
  /** The file of the copy that it is read from. */
  readonly stored: string;
  readonly notModified: Answer;
}

interface ServedFile {
  readonly identity: Variant;
  /** Undefined where compression gains nothing. */
  readonly gzip: Variant | undefined;
}

/** A request for a file, from a client that accepts gzip or not. */
export interface BulkRequest extends FileRequest, Preferences {}

/** A fixed table of files: no path is ever built from a request. */
export class BulkFiles {
  readonly #source: ChunkSource;
  readonly #lastModified: Validators['lastModified'];
  readonly #files: ReadonlyMap<string, ServedFile>;

  constructor(source: ChunkSource, lastModified: Validators['lastModified']) {
    this.#source = source;
    this.#lastModified = lastModified;
    this.#files = new Map<string, ServedFile>(
      source.snapshot.reader.record('bundle').map((file) => {
        const gzip = file.gzip && this.#variant(file, 'gzip', file.gzip);
        return [file.name, { identity: this.#variant(file, 'identity', file), gzip }];
      }),
    );
  }

  /** Whole in gzip to a client that prefers it. A range is one of the file itself, whatever the client accepts. */
  answer(name: string, request: BulkRequest): Answer {
    const served = this.#files.get(name);
    if (served === undefined) return errorAnswer('no_bulk_resource');
    const isCompressed = request.gzip && request.range === '';
    const variant = (isCompressed ? served.gzip : undefined) ?? served.identity;
    const outcome = outcomeOf(request, variant);
    switch (outcome.kind) {
      case 'whole':
        return {
          status: 200,
          headers: variant.headers,
          body: this.#body(variant.stored, { offset: 0, length: variant.sizeBytes }),
        };
      case 'part':
        return this.#part(variant, outcome);
      case 'unsatisfiable':
        return uncachedJson(416, { detail: 'Range Not Satisfiable' }, [
          ['Content-Range', `bytes */${variant.sizeBytes}`],
        ]);
      case 'not_modified':
        return variant.notModified;
      case 'precondition_failed':
        return errorAnswer('precondition_failed');
    }
  }

  /**
   * Made once a snapshot, header fields and all.
   *
   * @param digest of the bytes that are sent.
   */
  #variant(file: BundleFile, coding: Coding, digest: Digest): Variant {
    const { sizeBytes, sha256 } = digest;
    const lastModified = this.#lastModified;
    const encoding: HeaderField = ['Content-Encoding', 'gzip'];
    const vary: HeaderField = ['Vary', 'Accept-Encoding'];
    const fields: readonly HeaderField[] = [
      ['Content-Type', file.contentType],
      ...(coding === 'gzip' ? [encoding] : []),
      ['Content-Disposition', `attachment; filename="${file.name}"; filename*=UTF-8''${file.name}`],
      ['ETag', `"${sha256}"`],
      ...lastModifiedField(lastModified),
      // A proxy that compressed it would break ranges and the digest.
      ['Cache-Control', 'public, max-age=60, stale-while-revalidate=600, no-transform'],
      ...(file.gzip === undefined ? [] : [vary]),
      ['Accept-Ranges', 'bytes'],
      ['X-Content-SHA256', file.sha256],
      // Of the representation, content coding and all (RFC 9530 §3).
      ['Repr-Digest', `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`],
      ['X-Snapshot-Id', this.#source.snapshot.snapshotId],
      LINK,
      ...CROSS_ORIGIN,
    ];
    const lines = fieldLines(fields);
    const stored = bulkFileName(file.name, coding);
    return {
      validators: { entityTag: `"${sha256}"`, lastModified },
      sizeBytes,
      lines,
      stored,
      headers: blockOf(lines),
      notModified: {
        status: 304,
        headers: headerBlock(fields.filter(([name]) => !isContent(name))),
      },
    };
  }

  #part({ sizeBytes, lines, stored }: Variant, part: Part): Answer {
    const { offset, length } = part;
    const range = `bytes ${offset}-${offset + length - 1}/${sizeBytes}`;
    return {
      status: 206,
      headers: blockOf(lines, fieldLines([['Content-Range', range]])),
      body: this.#body(stored, part),
    };
  }

  /** @throws {SnapshotError} `copy_damaged`. */
  #body(file: string, { offset, length }: Part): NonNullable<Answer['body']> {
    const chunks = [{ kind: 'range', file, offset, length }] as const;
    return bodyOf({ coding: 'identity', totalBytes: length, chunks }, this.#source);
  }
}

interface Part {
  readonly offset: number;
  readonly length: number;
}

/** Fields about content, which a 304 has none of (RFC 9110 §15.4.5). */
function isContent(name: string): boolean {
  return /^(?:Content-|X-Content-SHA256|Repr-Digest)/.test(name);
}
