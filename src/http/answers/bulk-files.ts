/** The files of the bulk bundle as HTTP answers (docs/http-api/files.md, "Bulk files"). */
import type { Digest } from '../../snapshot/domain/digest.js';
import type { Coding } from '../../snapshot/local/environment.js';
import { bulkFileName } from '../../snapshot/local/keys.js';
import type { BundleFile } from '../../snapshot/local/records.js';
import type { Answer } from '../semantics/answer.js';
import { FOR_A_MINUTE } from '../semantics/common-headers.js';
import { errorAnswer } from '../semantics/error-answers.js';
import type { HeaderField } from '../semantics/header-block.js';
import type { Validators } from '../semantics/representation.js';
import type { ChunkSource } from './chunked-body.js';
import { fileAnswer, fileVariant, type BulkRequest, type FileVariant } from './file-answer.js';
import { bodyOf } from './rendered-answers.js';

interface Variant extends FileVariant {
  readonly stored: string;
}

interface BulkFile {
  readonly identity: Variant;
  /** Undefined if compression saves nothing. */
  readonly gzip: Variant | undefined;
}

/** A fixed table of files by name: no path on the disk comes from a request. */
export class BulkFiles {
  readonly #source: ChunkSource;
  readonly #lastModified: Validators['lastModified'];
  readonly #files: ReadonlyMap<string, BulkFile>;

  constructor(source: ChunkSource, lastModified: Validators['lastModified']) {
    this.#source = source;
    this.#lastModified = lastModified;
    this.#files = new Map<string, BulkFile>(
      source.snapshot.reader.record('bundle').map((file) => {
        const gzip = file.gzip && this.#variant(file, 'gzip', file.gzip);
        return [file.name, { identity: this.#variant(file, 'identity', file), gzip }];
      }),
    );
  }

  /** The whole file, as gzip if preferred, or a range of the plain file. @throws {SnapshotError} `copy_damaged`. */
  answer(name: string, request: BulkRequest): Answer {
    const served = this.#files.get(name);
    if (served === undefined) return errorAnswer('no_bulk_resource');
    const isCompressed = request.gzip && request.range === '';
    const variant = (isCompressed ? served.gzip : undefined) ?? served.identity;
    return fileAnswer(variant, request, ({ offset, length }) => {
      const chunks = [{ kind: 'range', file: variant.stored, offset, length }] as const;
      return bodyOf({ coding: 'identity', totalBytes: length, chunks }, this.#source);
    });
  }

  /** One coding of a file; its header fields are built once per snapshot. @param digest of the bytes that are sent. */
  #variant(file: BundleFile, coding: Coding, digest: Digest): Variant {
    const { name, contentType, sha256 } = file;
    const encoding: HeaderField = ['Content-Encoding', 'gzip'];
    const vary: HeaderField = ['Vary', 'Accept-Encoding'];
    const fields: readonly HeaderField[] = [
      ['Content-Type', contentType],
      ...(coding === 'gzip' ? [encoding] : []),
      ['Content-Disposition', `attachment; filename="${name}"; filename*=UTF-8''${name}`],
      // A proxy that compresses would break ranges and the digest.
      ['Cache-Control', `${FOR_A_MINUTE}, no-transform`],
      ...(file.gzip === undefined ? [] : [vary]),
      ['X-Snapshot-Id', this.#source.snapshot.snapshotId],
    ];
    const lastModified = this.#lastModified;
    const variant = fileVariant(digest, { sha256, lastModified, fields, list: '/api/v1/bulk' });
    return { ...variant, stored: bulkFileName(name, coding) };
  }
}
