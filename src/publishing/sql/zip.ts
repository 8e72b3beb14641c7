/** Members of a ZIP file (PKWARE APPNOTE 6.3) as streams, verified against its directory. */
import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';

export interface ZipMember {
  readonly sizeBytes: number;
  readonly packedBytes: number;
  readonly crc: number;
  readonly isDeflated: boolean;
  /** Offset of the local header. */
  readonly offset: number;
}

const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
/** Longest comment after the end record. */
const MAX_COMMENT_BYTES = 0xffff;
/** First bytes of a workbook of Excel 97, and of an encrypted workbook. */
const OLD_WORKBOOK = Buffer.from('d0cf11e0a1b11ae1', 'hex');
/** Limit of the directory: some 100,000 members. */
const MAX_DIRECTORY_BYTES = 8 * 1024 * 1024;

/**
 * The members by their names in lower case: the names of a workbook's parts do not depend on case (ECMA-376 part 2,
 * 6.2.2.3).
 */
export async function readZipDirectory(path: string): Promise<ReadonlyMap<string, ZipMember>> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const tailBytes = Math.min(size, END_BYTES + MAX_COMMENT_BYTES);
    const tail = await bytesAt(file, size - tailBytes, tailBytes);
    const end = tail.lastIndexOf('PK\x05\x06');
    const head = await bytesAt(file, 0, Math.min(size, OLD_WORKBOOK.length));
    if (head.equals(OLD_WORKBOOK)) {
      throw new Error('.xls, or with a password: save it as .xlsx without one, or as CSV');
    }
    if (end < 0 || end + END_BYTES > tail.length) throw new Error('not a ZIP file, or cut');
    const directoryBytes = tail.readUInt32LE(end + 12);
    const start = size - tailBytes + end - directoryBytes;
    if (directoryBytes > MAX_DIRECTORY_BYTES || start < 0) {
      throw new RangeError(`a directory of ${directoryBytes} bytes`);
    }
    const directory = await bytesAt(file, start, directoryBytes);
    // Bytes before the archive shift all offsets.
    return entriesOf(directory, start - tail.readUInt32LE(end + 16));
  } finally {
    await file.close();
  }
}

function entriesOf(directory: Buffer, movedBy: number): ReadonlyMap<string, ZipMember> {
  const members = new Map<string, ZipMember>();
  for (let at = 0; at + ENTRY_BYTES <= directory.length;) {
    if (directory.toString('latin1', at, at + 4) !== 'PK\x01\x02') break;
    const nameBytes = directory.readUInt16LE(at + 28);
    const name = directory.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes);
    const method = directory.readUInt16LE(at + 10);
    if (method !== 0 && method !== 8) throw new Error(`${name}: packed by method ${method}`);
    if ((directory.readUInt16LE(at + 8) & 1) === 1) throw new Error(`${name}: encrypted`);
    members.set(name.toLowerCase(), {
      isDeflated: method === 8,
      crc: directory.readUInt32LE(at + 16),
      packedBytes: directory.readUInt32LE(at + 20),
      sizeBytes: directory.readUInt32LE(at + 24),
      offset: directory.readUInt32LE(at + 42) + movedBy,
    });
    at +=
      ENTRY_BYTES + nameBytes + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return members;
}

/** The unpacked bytes of a member. @throws {Error} where their size or checksum differs from the directory. */
export async function* readZipMember(path: string, member: ZipMember): AsyncGenerator<Buffer> {
  const { sizeBytes, packedBytes, crc, isDeflated, offset } = member;
  const file = await open(path);
  const header = await bytesAt(file, offset, LOCAL_BYTES).finally(() => file.close());
  const start = offset + LOCAL_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
  if (packedBytes === 0) return;
  const packed = createReadStream(path, { start, end: start + packedBytes - 1 });
  // The callback is required; failures of both streams end the loop below.
  const bytes = isDeflated ? pipeline(packed, createInflateRaw(), () => undefined) : packed;
  let [read, sum] = [0, 0];
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    read += chunk.length;
    if (read > sizeBytes) break;
    sum = crc32(chunk, sum);
    yield chunk;
  }
  if (read !== sizeBytes || sum !== crc) throw new Error('damaged');
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  if (bytesRead < length) throw new Error('cut');
  return buffer;
}
