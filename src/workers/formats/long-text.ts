/**
 * Texts that a client can make as long as the dataset. A short one is a plan of bytes, as any other; a longer one is
 * written to a file of compressed parts, piece by piece, and a plan names its parts: nobody holds more than one of them.
 */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { readdir, rename, rm, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { constants, crc32, inflateRawSync } from 'node:zlib';
import {
  deflateText,
  EMPTY_CHECKSUM,
  GZIP_HEADER,
  gzipTrailer,
  joinChecksums,
  type Checksum,
} from '../../snapshot/local/observations/gzip-member.js';
import { ensureOwnFolder } from '../../snapshot/local/own-folders.js';
import { chunkBytes, type Chunk, type MadePart, type Plan } from '../../snapshot/local/plan.js';
import {
  removeAbandoned,
  temporaryPath,
  writeDurably,
} from '../../snapshot/store/file/durable-file.js';
import { systemCode } from '../../snapshot/document/file-error.js';
import { fileFailure } from '../../snapshot/store/file/file-failure.js';
import { statIfExists } from '../../snapshot/store/file/regular-file.js';
import { JobTurns } from '../short-jobs.js';
import { planBytes } from './answers.js';

/** No snapshot id has a tilde, so no local copy has this name. */
const FOLDER = '~made';

const EXTENSION = '.parts';

/** Bytes of a text that is answered from memory, and cached. */
const SHORT_BYTES = 256 * 1024;

/** Bytes of a part: what is held for each client that reads a long text. */
const PART_BYTES = 128 * 1024;

/** Files of one instance; beyond it those that were read least lately go. Four million lines take a tenth of it. */
const FOLDER_BYTES = 256 * 1024 * 1024;

/** `GzipCopy` says what each level costs. Nobody waits for its files. */
const LEVEL = 2;

/** The last bytes of a file: how many bytes of JSON stand before them, and their CRC-32. */
const TRAILER_BYTES = 8;

/** What a file holds: its parts from its beginning on, in order. */
interface Index {
  readonly records: number;
  readonly parts: readonly (Checksum & { readonly deflatedBytes: number })[];
}

/**
 * Writes a text, and yields wherever as much as a hundred kilobytes may have been written; answers how many records there
 * are. What it writes is not kept as strings: they would be most of what a thread's garbage collector has to do.
 */
export type TextSource = (write: (text: string) => void) => Generator<void, number, undefined>;

export interface LongTextOptions {
  readonly gzip: boolean;
  /** The local copy that it is made from: the folder of files lies beside it. */
  readonly directory: string;
  /** The same for the same text, of this copy. */
  readonly key: string;
}

/** @throws {SnapshotError} `disk_full` and others of a disk that cannot be written; what `source` throws. */
export async function planLongText(
  source: TextSource,
  { gzip, directory, key }: LongTextOptions,
): Promise<Plan> {
  const folder = join(dirname(directory), FOLDER);
  const name = createHash('sha256').update(`${directory} ${key}`).digest('hex');
  const path = join(folder, `${name}${EXTENSION}`);
  try {
    const kept = planOf(path, readIndex(path), gzip);
    const now = new Date();
    await utimes(path, now, now);
    return kept;
  } catch {
    // There is none, or none that can be read: it is made now.
  }
  try {
    const made = await make(source, folder, path);
    return 'whole' in made
      ? planBytes(made.whole, { gzip, records: made.records })
      : planOf(path, made, gzip);
  } catch (error) {
    // Of a disk, such as a full one; what else is thrown is no failed system call.
    throw systemCode(error) === undefined ? error : fileFailure(error, `write ${path}`);
  }
}

/**
 * The bytes of a part as the answer has them.
 *
 * @throws {Error} where the file has gone, or has other bytes than were written: then it goes, and is made again for
 * whoever asks next.
 */
export function readMadePart(part: MadePart): Uint8Array<ArrayBuffer> {
  const deflated = readRange(part.path, part.offset, part.deflatedBytes);
  if (part.crc32 === undefined) return deflated;
  try {
    const text = inflateRawSync(deflated, { finishFlush: constants.Z_SYNC_FLUSH });
    if (text.byteLength === part.length && crc32(text) === part.crc32) return Uint8Array.from(text);
    throw new RangeError('another checksum');
  } catch (cause) {
    rmSync(part.path, { force: true });
    throw new Error(`${part.path} has other bytes than were written`, { cause });
  }
}

/** The file of a long text, or the whole of a short one. */
async function make(
  source: TextSource,
  folder: string,
  path: string,
): Promise<Index | { readonly whole: Uint8Array; readonly records: number }> {
  const text = new TextBuffer();
  const steps = source((piece) => {
    text.write(piece);
  });
  const turns = new JobTurns();
  let step = steps.next();
  while (step.done !== true && text.bytes.byteLength < SHORT_BYTES) {
    await turns.next();
    step = steps.next();
  }
  if (step.done === true) return { whole: text.bytes, records: step.value };
  const parts: Index['parts'][number][] = [];
  const index = { records: 0, parts };
  const chunks = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      if (step.done === true || text.bytes.byteLength >= PART_BYTES) {
        const { bytes, checksum } = deflateText(text.bytes, { level: LEVEL });
        parts.push({ ...checksum, deflatedBytes: bytes.byteLength });
        text.clear();
        yield bytes;
      }
      if (step.done === true) break;
      await turns.next();
      step = steps.next();
    }
    index.records = step.value;
    const json = Buffer.from(JSON.stringify(index));
    const trailer = Buffer.alloc(TRAILER_BYTES);
    trailer.writeUInt32LE(json.byteLength, 0);
    trailer.writeUInt32LE(crc32(json), 4);
    yield Buffer.concat([json, trailer]);
  };
  await ensureOwnFolder(folder);
  const temporary = temporaryPath(folder);
  await writeDurably(temporary, chunks());
  // Another thread may have made the same one.
  await rename(temporary, path);
  await tidy(folder, path);
  return index;
}

/** Text as UTF-8 in memory that is used again. */
class TextBuffer {
  #memory = Buffer.allocUnsafeSlow(2 * SHORT_BYTES);
  #length = 0;

  /** Valid until the next call of `write` or `clear`. */
  get bytes(): Uint8Array {
    return this.#memory.subarray(0, this.#length);
  }

  write(text: string): void {
    // A code unit takes three bytes at the most.
    const needed = this.#length + 3 * text.length;
    if (needed > this.#memory.byteLength) {
      const larger = Buffer.allocUnsafeSlow(2 * needed);
      larger.set(this.bytes);
      this.#memory = larger;
    }
    this.#length += this.#memory.write(text, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }
}

/** Removes the files that were read least lately, until the rest is not too much. */
async function tidy(folder: string, made: string): Promise<void> {
  await removeAbandoned(folder);
  const files = await Promise.all(
    (await readdir(folder))
      .filter((name) => name.endsWith(EXTENSION))
      .map(async (name) => {
        const path = join(folder, name);
        // Another thread may tidy too.
        const { size, mtimeMs } = (await statIfExists(path)) ?? { size: 0, mtimeMs: 0 };
        return { path, size, mtimeMs };
      }),
  );
  let bytes = 0;
  for (const { path, size } of files.sort((a, b) => b.mtimeMs - a.mtimeMs)) {
    bytes += size;
    if (bytes > FOLDER_BYTES && path !== made) await rm(path, { force: true });
  }
}

/** @throws {Error} where there is no such file, or a damaged one. */
function readIndex(path: string): Index {
  const { size } = statSync(path);
  const trailer = Buffer.from(readRange(path, size - TRAILER_BYTES, TRAILER_BYTES));
  const length = trailer.readUInt32LE(0);
  const json = readRange(path, size - TRAILER_BYTES - length, length);
  if (crc32(json) !== trailer.readUInt32LE(4))
    throw new RangeError('other bytes than were written');
  // Only this build's own writing has that checksum.
  return JSON.parse(Buffer.from(json).toString()) as Index;
}

function readRange(path: string, offset: number, length: number): Uint8Array<ArrayBuffer> {
  const file = openSync(path, 'r');
  try {
    const bytes = new Uint8Array(length);
    if (readSync(file, bytes, 0, length, offset) !== length) throw new RangeError('it was cut');
    return bytes;
  } finally {
    closeSync(file);
  }
}

/** In gzip all parts as they are; else the first one at once, so that what cannot be read is found before an answer begins. */
function planOf(path: string, { records, parts }: Index, gzip: boolean): Plan {
  let end = 0;
  const made = parts.map(({ deflatedBytes, textBytes, crc32: crc }) => {
    const part = { kind: 'made', path, offset: end, deflatedBytes } as const;
    end += deflatedBytes;
    if (gzip) return { ...part, length: deflatedBytes, crc32: undefined };
    return { ...part, length: textBytes, crc32: crc };
  });
  const [first, ...rest] = made;
  if (first === undefined) throw new RangeError('a long text has parts');
  const chunks: readonly Chunk[] = gzip
    ? [
        bytesChunk(GZIP_HEADER),
        ...made,
        bytesChunk(gzipTrailer(parts.reduce(joinChecksums, EMPTY_CHECKSUM))),
      ]
    : [bytesChunk(readMadePart(first)), ...rest];
  const totalBytes = chunks.reduce((sum, chunk) => sum + chunkBytes(chunk), 0);
  return { coding: gzip ? 'gzip' : 'identity', records, totalBytes, chunks };
}

function bytesChunk(bytes: Uint8Array): Chunk {
  return { kind: 'bytes', bytes };
}
