/** Writes files of the bulk bundle to the local copy, hashing them on the way. */
import { Digester, type Digest } from '../../../snapshot/domain/digest.js';
import type { FileWriter } from '../../../snapshot/local/copy-files.js';
import { bulkFileName } from '../../../snapshot/local/keys.js';
import {
  deflateText,
  EMPTY_CHECKSUM,
  GZIP_HEADER,
  gzipTrailer,
  joinChecksums,
  type DeflatedText,
} from '../../../snapshot/local/observations/gzip-member.js';
import type { CopyWriter } from '../../../snapshot/local/writer.js';
import type { BulkFileName, BulkResource } from '../../../views/hvd/bulk.js';
import { MIN_GZIP_BYTES } from '../../formats/answers.js';

/** On 14.1 MB of CSV, level 2 gives 1.25 MB in 31 ms, level 4 gives 1.10 MB in 46 ms, level 6 1.09 MB in 83 ms. */
const LEVEL = 4;

export interface WrittenFile extends BulkResource {
  /** Digest of the file's gzip form, if any. */
  readonly gzip: Digest | undefined;
}

/** Compresses a chunk of a file's text for its gzip form. */
export function deflateBulkText(text: Uint8Array): DeflatedText {
  return deflateText(text, { level: LEVEL });
}

/** Writes a file without a gzip form. */
export function writeBinary(
  writer: CopyWriter,
  name: BulkFileName,
  bytes: Uint8Array,
): WrittenFile {
  return { name, ...write(writer, bulkFileName(name), [bytes]), gzip: undefined };
}

export function writeText(writer: CopyWriter, name: BulkFileName, text: string): WrittenFile {
  const file = new BulkTextWriter(writer, name);
  writer.transaction(() => {
    file.append(Buffer.from(text));
  });
  return file.finish();
}

/** Writes a text in order; holds its gzip form in memory until the end, a thirteenth of a large text. */
export class BulkTextWriter {
  readonly #name: BulkFileName;
  readonly #writer: CopyWriter;
  readonly #file: FileWriter;
  readonly #digester = new Digester();
  readonly #gzip: Uint8Array[] = [GZIP_HEADER];
  #checksum = EMPTY_CHECKSUM;

  constructor(writer: CopyWriter, name: BulkFileName) {
    this.#name = name;
    this.#writer = writer;
    this.#file = writer.createFile(bulkFileName(name));
  }

  get sizeBytes(): number {
    return this.#file.sizeBytes;
  }

  /** Appends text, within a transaction of the writer. */
  append(text: Uint8Array, { bytes, checksum } = deflateBulkText(text)): void {
    this.#file.append(text);
    this.#digester.add(text);
    this.#gzip.push(bytes);
    this.#checksum = joinChecksums(this.#checksum, checksum);
  }

  /** Ends the file, and writes its gzip form if that is smaller. */
  finish(): WrittenFile {
    const name = this.#name;
    const identity = this.#digester.digest();
    this.#gzip.push(gzipTrailer(this.#checksum));
    const gzipBytes = this.#gzip.reduce((sum, { byteLength }) => sum + byteLength, 0);
    const gains = identity.sizeBytes >= MIN_GZIP_BYTES && gzipBytes < identity.sizeBytes;
    const file = bulkFileName(name, 'gzip');
    return { name, ...identity, gzip: gains ? write(this.#writer, file, this.#gzip) : undefined };
  }
}

function write(writer: CopyWriter, name: string, chunks: readonly Uint8Array[]): Digest {
  const file = writer.createFile(name);
  const digester = new Digester();
  writer.transaction(() => {
    for (const chunk of chunks) {
      file.append(chunk);
      digester.add(chunk);
    }
  });
  return digester.digest();
}
