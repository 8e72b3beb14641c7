/** The archive as HTTP answers: its index, its files, and a view over them for DuckDB (docs/http-api/files.md, "Archive"). */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  readArchiveFile,
  type ArchiveSource,
  type ServedArchive,
  type ServedFile,
} from '../../snapshot/archive/read-archive.js';
import { SnapshotError } from '../../snapshot/domain/snapshot-error.js';
import { viewArchiveIndex, viewArchiveSql } from '../../views/hvd/archive.js';
import {
  PendingAnswer,
  type Answer,
  type BodyReader,
  type BodyReading,
  type LongBody,
} from '../semantics/answer.js';
import { IMMUTABLE, JSON_TYPE, LINK } from '../semantics/common-headers.js';
import { errorAnswer } from '../semantics/error-answers.js';
import type { HeaderField } from '../semantics/header-block.js';
import { fileAnswer, fileVariant, type BulkRequest, type Part } from './file-answer.js';
import { StaticResource } from './static-resource.js';
import { StreamReading } from './stream-reading.js';

/** What is not kept is asked for before there is a status: a range of no more bytes is then all there. */
const FIRST_BYTES = 64 * 1024;

/** Made anew with each index, and with each file that is kept. */
export class ArchiveFiles {
  /** Changes with the index. */
  readonly digest: string;
  /** Of the index. */
  readonly files: readonly ServedFile[];
  readonly source: ArchiveSource;
  /** Of the index before. */
  readonly #older: readonly ServedFile[];
  readonly #archive: ServedArchive;
  readonly #byPath: ReadonlyMap<string, ServedFile>;
  #index: StaticResource | undefined;
  #sql: { readonly baseUrl: string; readonly resource: StaticResource } | undefined;

  /** @param previous its files are answered too: who has read an index reads the files that it names. */
  constructor(archive: ServedArchive, previous?: ArchiveFiles) {
    const { index, kept, folder, socket } = archive;
    const keptDigests = new Set(kept);
    const known = new Set(index.files.map(({ path }) => path));
    this.#archive = archive;
    this.source = { folder, socket };
    this.digest = createHash('sha256').update(JSON.stringify(index)).digest('hex').slice(0, 32);
    this.files = index.files.map((file) => ({ ...file, isKept: keptDigests.has(file.sha256) }));
    const isSame = previous?.digest === this.digest;
    const older = isSame ? previous.#older : (previous?.files ?? []);
    this.#older = older.flatMap((file) => (known.has(file.path) ? [] : { ...file, isKept: false }));
    this.#byPath = new Map([...this.#older, ...this.files].map((file) => [file.path, file]));
  }

  index(): StaticResource {
    return (this.#index ??= describing(JSON.stringify(viewArchiveIndex(this.#archive.index)), [
      JSON_TYPE,
      LINK,
    ]));
  }

  /** @param variesBy header fields that the base URL is made from. */
  sql(baseUrl: string, variesBy: readonly string[]): StaticResource {
    if (this.#sql?.baseUrl !== baseUrl) {
      const text = viewArchiveSql(this.#archive.index, baseUrl);
      const type: HeaderField = ['Content-Type', 'application/sql; charset=utf-8'];
      this.#sql = { baseUrl, resource: describing(text, [type, LINK], variesBy) };
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
    let wanted: Part | undefined;
    const answer = fileAnswer(variant, request, (part) => {
      wanted = part;
      return new ArchiveBody(this.source, file, part);
    });
    if (wanted === undefined || file.isKept || headOnly) return answer;
    const { offset, length } = wanted;
    const gone = new AbortController();
    const first = this.#read(file, { offset, length: Math.min(length, FIRST_BYTES) }, gone.signal);
    const made = first.then((bytes) =>
      length === bytes.byteLength ? { ...answer, body: bytes } : answer,
    );
    return new PendingAnswer(made, () => {
      gone.abort();
    });
  }

  async #read(
    file: ServedFile,
    { offset, length }: Part,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const range = { from: offset, to: offset + length, signal };
    const chunks: Uint8Array[] = [];
    for await (const chunk of readArchiveFile(this.source, file, range)) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    if (bytes.byteLength === length) return bytes;
    throw new SnapshotError('store_unreachable', `the store gives another length of ${file.path}`);
  }
}

function describing(
  text: string,
  fields: readonly HeaderField[],
  variesBy?: readonly string[],
): StaticResource {
  return new StaticResource({
    bytes: Buffer.from(text),
    cacheControl: 'public, max-age=60, stale-while-revalidate=600',
    fields,
    ...(variesBy && { variesBy }),
  });
}

/** Holds no lease: an open file outlives its name, and the store what it has begun to give. */
class ArchiveBody implements LongBody {
  readonly byteLength: number;
  readonly residentBytes = 256;
  /** What is read ahead of the client. */
  readonly readingBytes = 3 * 128 * 1024;
  readonly #source: ArchiveSource;
  readonly #file: ServedFile;
  readonly #part: Part;

  constructor(source: ArchiveSource, file: ServedFile, part: Part) {
    this.byteLength = part.length;
    this.#source = source;
    this.#file = file;
    this.#part = part;
  }

  open({ onReady }: BodyReader): BodyReading {
    const { offset, length } = this.#part;
    const gone = new AbortController();
    const range = { from: offset, to: offset + length, signal: gone.signal };
    const bytes = readArchiveFile(this.#source, this.#file, range);
    const stream = Readable.from(bytes, { objectMode: false, highWaterMark: FIRST_BYTES });
    const reading = new StreamReading(stream, { byteLength: length, onReady });
    return {
      byteLength: length,
      from: (at) => reading.from(at),
      close: () => {
        gone.abort();
        stream.destroy();
      },
    };
  }
}
