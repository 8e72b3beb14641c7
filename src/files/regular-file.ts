/** Reads regular files by path; the path may name nothing, or something else such as a FIFO. */
import { constants, type Stats } from 'node:fs';
import { open, readFile, stat, type FileHandle } from 'node:fs/promises';
import { systemCode } from './file-error.js';

const READ_BYTES = 256 * 1024;

/** Checks a file before it is opened: opening a FIFO would block. @throws {Error} for anything but a file. */
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

/** The file opened for reading, or undefined when it is missing; anything but a file is an error. */
export async function openRegularFile(path: string): Promise<FileHandle | undefined> {
  let file: FileHandle;
  try {
    // Without O_NONBLOCK opening a FIFO would block.
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

/** The first bytes of a file, or undefined when it is missing. */
export async function readAtMost(path: string, limit: number): Promise<Uint8Array | undefined> {
  const file = await openRegularFile(path);
  if (file === undefined) return undefined;
  try {
    const bytes = Buffer.alloc(Math.min(limit, (await file.stat()).size + 1));
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(bytes, length, bytes.length - length);
      length += bytesRead;
      if (bytesRead === 0 || length === bytes.length) return bytes.subarray(0, length);
    }
  } finally {
    await file.close();
  }
}

/** At most 256 KiB of an open file, from `from` up to `to`; empty at its end. */
export async function readChunk(
  file: FileHandle,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Uint8Array> {
  const length = Math.min(READ_BYTES, to - from);
  const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, from);
  return buffer.subarray(0, bytesRead);
}

export async function statIfExists(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whether a path leads to anything; false where it cannot be read. */
export async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
