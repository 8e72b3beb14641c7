/** The files of the bulk bundle as HTTP answers (docs/http-api/files.md, "Bulk files"). */
import type { Digest } from '../../snapshot/domain/digest.js';
import type { Coding } from '../../snapshot/local/environment.js';
import { bulkFileName } from '../../snapshot/local/keys.js';
import type { BundleFile } from '../../snapshot/local/records.js';
import type { Answer } from '../semantics/answer.js';
import { FOR_A_MINUTE, IMMUTABLE } from '../semantics/common-headers.js';
import { errorAnswer } from '../semantics/error-answers.js';
import type { HeaderField } from '../semantics/header-block.js';
import { PATH_PREFIX } from '../semantics/path-prefix.js';
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

/** A fixed table of files by the ends of their addresses, `/name` and `sha256/name`: no path on the disk is a client's. */
export class BulkFiles {
  readonly #source: ChunkSource;
  readonly #lastModified: Validators['lastModified'];
  readonly #files: ReadonlyMap<string, BulkFile>;

  constructor(source: ChunkSource, lastModified: Validators['lastModified']) {
    this.#source = source;
    this.#lastModified = lastModified;
    this.#files = new Map<string, BulkFile>(
      source.snapshot.reader.record('bundle').flatMap((file) =>
        ['', file.sha256].map((named) => {
          const identity = this.#variant(file, 'identity', file, named);
          const gzip = file.gzip && this.#variant(file, 'gzip', file.gzip, named);
          return [`${named}/${file.name}`, { identity, gzip }] as const;
        }),
      ),
    );
  }

  has(address: string): boolean {
    return this.#files.has(address);
  }

  /** The whole file, as gzip if preferred, or a range of the plain file. @throws {SnapshotError} `copy_damaged`. */
  answer(address: string, request: BulkRequest): Answer {
    const served = this.#files.get(address);
    if (served === undefined) return errorAnswer('no_bulk_resource');
    const isCompressed = request.gzip && request.range === '';
    const variant = (isCompressed ? served.gzip : undefined) ?? served.identity;
    return fileAnswer(variant, request, ({ offset, length }) => {
      const chunks = [{ kind: 'range', file: variant.stored, offset, length }] as const;
      return bodyOf({ coding: 'identity', totalBytes: length, chunks }, this.#source);
    });
  }

  /** One coding of a file, with its header fields. @param digest of the bytes that are sent; `named`: the one in the address. */
  #variant(file: BundleFile, coding: Coding, digest: Digest, named: string): Variant {
    const { name, contentType, sha256 } = file;
    const fields: readonly HeaderField[] = [
      ['Content-Type', contentType],
      ...(coding === 'gzip' ? [['Content-Encoding', 'gzip'] as const] : []),
      ['Content-Disposition', `attachment; filename="${name}"; filename*=UTF-8''${name}`],
      // A proxy that compresses would break ranges and the digest.
      ['Cache-Control', `${named === '' ? FOR_A_MINUTE : IMMUTABLE}, no-transform`],
      ['Content-Location', `${PATH_PREFIX}/api/v1/bulk/${sha256}/${name}`],
      ...(file.gzip === undefined ? [] : [['Vary', 'Accept-Encoding'] as const]),
      ['X-Snapshot-Id', this.#source.snapshot.snapshotId],
    ];
    // Several snapshots may have the same bytes, each with its own date.
    const lastModified = named === '' ? this.#lastModified : undefined;
    const variant = fileVariant(digest, { sha256, lastModified, fields, list: '/api/v1/bulk' });
    return { ...variant, stored: bulkFileName(name, coding) };
  }
}
