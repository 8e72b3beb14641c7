/**
 * Plans texts that can be as long as the dataset. The plan of a short text holds its bytes. A longer text is written,
 * compressed, to a file in the local copy, which the plan names, so that no process holds all of it.
 */
import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { systemCode } from '../../files/file-error.js';
import { SnapshotError } from '../../snapshot/domain/snapshot-error.js';
import {
  deflateText,
  EMPTY_CHECKSUM,
  GZIP_HEADER,
  gzipTrailer,
  joinChecksums,
} from '../../snapshot/local/observations/gzip-member.js';
import { spareBytes, TEXTS_FOLDER } from '../../snapshot/local/disk-space.js';
import type { Plan } from '../../snapshot/local/plan.js';
import { isMissing } from '../../snapshot/local/read-failure.js';
import { removeAbandoned, temporaryPath, writeDurably } from '../../files/durable-file.js';
import { fileFailure } from '../../snapshot/store/file/file-failure.js';
import { statIfExists } from '../../files/regular-file.js';
import { TimeSlices } from '../short-jobs.js';
import { planBytes } from './answers.js';

const EXTENSION = '.gz';

/** Longest text that is answered from memory, and cached. */
const SHORT_BYTES = 256 * 1024;

/** Bytes of text that are compressed at once. */
const PART_BYTES = 128 * 1024;

/** Limit of a copy's text files; the least recently read go first. Four million lines take two fifths of it. */
const FOLDER_BYTES = 64 * 1024 * 1024;

/** For 14 MB, level 2 takes 31 ms; level 4 takes 46 ms, for an eighth less. */
const LEVEL = 2;

/** After the gzip member: the text's number of records and of bytes, as doubles, and the CRC-32 of these two. */
const TRAILER_BYTES = 20;

/** Writes a text, yields about every hundred kilobytes, keeps no strings, and returns the number of records. */
export type TextSource = (
  write: (text: string) => void,
) => Generator<void, number, undefined> | AsyncGenerator<void, number, undefined>;

export interface LongTextOptions {
  readonly gzip: boolean;
  /** Directory of the local copy. */
  readonly directory: string;
  /** Identifies the text within the copy. */
  readonly key: string;
}

/** @throws {SnapshotError} failures of the disk, `copy_damaged` if the copy was removed, and errors of `source`. */
export async function planLongText(
  source: TextSource,
  { gzip, directory, key }: LongTextOptions,
): Promise<Plan> {
  const folder = join(directory, TEXTS_FOLDER);
  const name = createHash('sha256').update(key).digest('hex');
  const path = join(folder, `${name}${EXTENSION}`);
  try {
    const stored = await storedPlan(path, gzip);
    if (stored !== undefined) return stored;
    const short = await make(source, folder, path);
    if (short !== undefined) return planBytes(short.whole, { gzip, records: short.records });
    const made = await storedPlan(path, gzip);
    if (made !== undefined) return made;
    throw new RangeError(`${path} is not as it was written`);
  } catch (error) {
    // The copy was removed meanwhile, and will be made again.
    if (isMissing(error)) {
      throw new SnapshotError('copy_damaged', `${directory} is gone`, { cause: error });
    }
    // Failures of a disk have a code; other errors are bugs.
    throw systemCode(error) === undefined ? error : fileFailure(error, `write ${path}`);
  }
}

/** Writes a long text to its file; returns a short text instead. */
async function make(
  source: TextSource,
  folder: string,
  path: string,
): Promise<{ readonly whole: Uint8Array; readonly records: number } | undefined> {
  const text = new TextBuffer();
  const steps = source((piece) => {
    text.write(piece);
  });
  const turns = new TimeSlices();
  let step = await steps.next();
  while (step.done !== true && text.bytes.byteLength < SHORT_BYTES) {
    await turns.next();
    step = await steps.next();
  }
  if (step.done === true) return { whole: text.bytes, records: step.value };
  const chunks = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
    let all = EMPTY_CHECKSUM;
    yield GZIP_HEADER;
    for (;;) {
      if (step.done === true || text.bytes.byteLength >= PART_BYTES) {
        const { bytes, checksum } = deflateText(text.bytes, { level: LEVEL });
        all = joinChecksums(all, checksum);
        text.clear();
        yield bytes;
      }
      if (step.done === true) break;
      await turns.next();
      step = await steps.next();
    }
    const trailer = Buffer.alloc(TRAILER_BYTES);
    trailer.writeDoubleLE(step.value, 0);
    trailer.writeDoubleLE(all.textBytes, 8);
    trailer.writeUInt32LE(crc32(trailer.subarray(0, 16)), 16);
    yield Buffer.concat([gzipTrailer(all), trailer]);
  };
  // Not recursive: the directory of a removed copy is not created again.
  await mkdir(folder).catch((error: unknown) => {
    if (systemCode(error) !== 'EEXIST') throw error;
  });
  const temporary = temporaryPath(folder);
  await writeDurably(temporary, chunks());
  // Replaces the file if another thread has made it meanwhile.
  await rename(temporary, path);
  await tidy(folder, path);
  return undefined;
}

/** Text as UTF-8 in reused memory. */
class TextBuffer {
  #memory = Buffer.allocUnsafeSlow(2 * SHORT_BYTES);
  #length = 0;

  /** Valid until the next call of `write` or `clear`. */
  get bytes(): Uint8Array {
    return this.#memory.subarray(0, this.#length);
  }

  write(text: string): void {
    // A code unit takes at most three bytes.
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

/** Removes the least recently read files above the limit, and more where an import would lack disk space. */
async function tidy(folder: string, made: string): Promise<void> {
  await removeAbandoned(folder);
  const files = await Promise.all(
    (await readdir(folder))
      .filter((name) => name.endsWith(EXTENSION))
      .map(async (name) => {
        const path = join(folder, name);
        // Another thread may have removed the file.
        const { size, mtimeMs } = (await statIfExists(path)) ?? { size: 0, mtimeMs: 0 };
        return { path, size, mtimeMs };
      }),
  );
  const all = files.reduce((sum, { size }) => sum + size, 0);
  const most = Math.min(FOLDER_BYTES, all + (await spareBytes(dirname(dirname(folder)))));
  let bytes = 0;
  for (const { path, size } of files.sort((a, b) => b.mtimeMs - a.mtimeMs)) {
    bytes += size;
    if (bytes > most && path !== made) await rm(path, { force: true });
  }
}

/** The plan of an existing file, which counts as read now; undefined for a missing or truncated one. */
async function storedPlan(path: string, gzip: boolean): Promise<Plan | undefined> {
  const size = (await statIfExists(path))?.size ?? 0;
  const gzipBytes = size - TRAILER_BYTES;
  if (gzipBytes <= 0) return undefined;
  const file = await open(path, 'r');
  try {
    const trailer = Buffer.alloc(TRAILER_BYTES);
    await file.read(trailer, 0, TRAILER_BYTES, gzipBytes);
    if (crc32(trailer.subarray(0, 16)) !== trailer.readUInt32LE(16)) return undefined;
    const now = new Date();
    await file.utimes(now, now);
    return {
      coding: gzip ? 'gzip' : 'identity',
      records: trailer.readDoubleLE(0),
      totalBytes: gzip ? gzipBytes : trailer.readDoubleLE(8),
      chunks: [],
      textFile: { path, gzipBytes },
    };
  } finally {
    await file.close();
  }
}
