/** The archive as HTTP answers: its index, its files, and a view over them for DuckDB (docs/http-api/files.md, "Archive"). */
import { closeSync } from 'node:fs';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import {
  openKept,
  readStored,
  type ArchiveSource,
  type ServedArchive,
  type ServedFile,
} from '../../snapshot/archive/read-archive.js';
import type { ArchiveIndex } from '../../snapshot/store/archive-index.js';
import { viewArchiveIndex, viewArchiveSql } from '../../views/hvd/archive.js';
import {
  PendingAnswer,
  type Answer,
  type BodyReader,
  type BodyReading,
  type LongBody,
} from '../semantics/answer.js';
import { FOR_A_MINUTE, IMMUTABLE, JSON_TYPE, LINK } from '../semantics/common-headers.js';
import { errorAnswer } from '../semantics/error-answers.js';
import type { HeaderField } from '../semantics/header-block.js';
import { fileAnswer, fileVariant, type BulkRequest, type Part } from './file-answer.js';
import { FileReading, READ_BYTES } from './file-reading.js';
import { StaticResource, type StaticResourceOptions } from './static-resource.js';
import { StreamReading } from './stream-reading.js';

/** Made anew with each index, and with each file that is kept. */
export class ArchiveFiles {
  /** Changes with the index. */
  readonly digest: string;
  /** Of the index. */
  readonly files: readonly ServedFile[];
  readonly source: ArchiveSource;
  /** Of the index before. */
  readonly #older: readonly ServedFile[];
  readonly #indexed: ArchiveIndex;
  readonly #byPath: ReadonlyMap<string, ServedFile>;
  #index: StaticResource | undefined;
  #sql: { readonly baseUrl: string; readonly resource: StaticResource } | undefined;

  /** @param previous its files are answered too: who has read an index reads the files that it names. */
  constructor({ index, digest, kept, folder, socket }: ServedArchive, previous?: ArchiveFiles) {
    const keptDigests = new Set(kept);
    this.#indexed = index;
    this.source = { folder, socket };
    this.digest = digest;
    this.files = index.files.map((file) => ({ ...file, isKept: keptDigests.has(file.sha256) }));
    const older = previous?.digest === digest ? previous.#older : (previous?.files ?? []);
    this.#older = older.map((file) => ({ ...file, isKept: false }));
    this.#byPath = new Map([...this.#older, ...this.files].map((file) => [file.path, file]));
  }

  index(): StaticResource {
    if (this.#index === undefined) {
      const bytes = Buffer.from(JSON.stringify(viewArchiveIndex(this.#indexed)));
      this.#index = describing({ bytes, gzip: gzipSync(bytes), fields: [JSON_TYPE, LINK] });
    }
    return this.#index;
  }

  /** @param variesBy header fields that the base URL is made from. */
  sql(baseUrl: string, variesBy: readonly string[]): StaticResource {
    if (this.#sql?.baseUrl !== baseUrl) {
      const bytes = Buffer.from(viewArchiveSql(this.#indexed, baseUrl));
      const type: HeaderField = ['Content-Type', 'application/sql; charset=utf-8'];
      this.#sql = { baseUrl, resource: describing({ bytes, fields: [type, LINK], variesBy }) };
    }
    return this.#sql.resource;
  }

  /**
   * A file at once where it is kept, else when the store has given its first bytes.
   *
   * @throws {SnapshotError} `store_unreachable`, asynchronously.
   */
  file(path: string, request: BulkRequest, headOnly: boolean): Answer | PendingAnswer {
    const file = this.#byPath.get(path);
    if (file === undefined) return errorAnswer('no_archive_resource');
    const { sha256 } = file;
    const variant = fileVariant(file, {
      sha256,
      lastModified: undefined,
      fields: [
        ['Content-Type', 'application/vnd.apache.parquet'],
        // A proxy that compressed it would break ranges and the digest.
        ['Cache-Control', `${IMMUTABLE}, no-transform`],
      ],
    });
    let body: ArchiveBody | undefined;
    const answer = fileAnswer(variant, request, (part) => (body = new ArchiveBody(part)));
    if (body === undefined || headOnly) return answer;
    const gone = new AbortController();
    const found = body.find(this.source, file, gone.signal);
    return new PendingAnswer(
      found.then(() => answer),
      () => {
        gone.abort();
      },
    );
  }
}

function describing(options: Omit<StaticResourceOptions, 'cacheControl'>): StaticResource {
  return new StaticResource({ ...options, cacheControl: FOR_A_MINUTE });
}

/** Holds no lease: an open file outlives its name, and the store what it has begun to give. */
class ArchiveBody implements LongBody {
  readonly byteLength: number;
  readonly residentBytes = 256;
  readonly readingBytes = READ_BYTES;
  readonly openFiles = 1;
  readonly #part: Part;
  #found: number | Readable | undefined;

  constructor(part: Part) {
    this.#part = part;
    this.byteLength = part.length;
  }

  /** Before there is a status. @throws {SnapshotError} `store_unreachable`. */
  async find(source: ArchiveSource, file: ServedFile, signal: AbortSignal): Promise<void> {
    const { offset, length } = this.#part;
    const range = { from: offset, to: offset + length, signal };
    this.#found = openKept(source, file) ?? (await readStored(source, file, range));
  }

  open({ onReady }: BodyReader): BodyReading {
    const { byteLength } = this;
    const found = this.#found ?? Readable.from([]);
    if (typeof found === 'number') return new FileReading(found, this.#part, onReady);
    const reading = new StreamReading(found, { byteLength, onReady });
    return { byteLength, from: (at) => reading.from(at), close: () => found.destroy() };
  }

  discard(): void {
    if (typeof this.#found === 'number') closeSync(this.#found);
    else this.#found?.destroy();
  }
}
