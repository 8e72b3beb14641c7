/** Reads regular files of which nobody knows whether they are there, or what they are. */
import { constants, type Stats } from 'node:fs';
import { open, readFile, stat, type FileHandle } from 'node:fs/promises';
import { systemCode } from './file-error.js';

const READ_BYTES = 256 * 1024;

/** Looks at a file before it is opened: whoever opens a FIFO waits for ever. @throws {Error} for anything but a file. */
export async function statRegularFile(path: string): Promise<Stats> {
  const status = await stat(path);
  if (!status.isFile()) throw new Error('not a regular file');
  return status;
}

/** The whole file. @throws {Error} as `statRegularFile`. */
export async function readRegularFile(path: string): Promise<Buffer> {
  await statRegularFile(path);
  return await readFile(path);
}

/** The file opened for reading, or undefined where there is none of that name; anything but a file is an error. */
export async function openRegularFile(path: string): Promise<FileHandle | undefined> {
  let file: FileHandle;
  try {
    // Without O_NONBLOCK a FIFO of that name would hold the caller for ever.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    if ((await file.stat()).isFile()) return file;
    throw new Error(`${path} is not a regular file`);
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The first bytes of a file, or undefined where there is none. */
export async function readAtMost(path: string, limit: number): Promise<Uint8Array | undefined> {
  const file = await openRegularFile(path);
  if (file === undefined) return undefined;
  try {
    const bytes = Buffer.alloc(limit);
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(bytes, length, limit - length);
      length += bytesRead;
      if (bytesRead === 0 || length === limit) return bytes.subarray(0, length);
    }
  } finally {
    await file.close();
  }
}

/** The next bytes of an open file, undefined at its end. */
export async function readChunk(file: FileHandle): Promise<Uint8Array | undefined> {
  const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES);
  return bytesRead === 0 ? undefined : buffer.subarray(0, bytesRead);
}

export async function statIfExists(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
