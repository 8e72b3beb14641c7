/** Converts stored bytes to plain ones: recognises gzip by its first byte, and inflates it as a stream. */
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Refuse } from '../problems.js';

type Bytes = AsyncIterable<Uint8Array>;

/** Whether bytes begin as gzip (RFC 1952 §2.3.1), by the first byte, which begins no text. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f;
}

/** Chunks that fit into the processor's cache; 64 KB are no faster and take 10 MB more. */
const CHUNK_BYTES = 16 * 1024;

/**
 * Limit of the plain bytes: four times the size of a document with one year of a hundred stations and fifteen
 * components.
 */
const MAX_PLAIN_GIB = 4;

/** Size of the output of one call of zlib; each call switches to another thread and back. */
const INFLATED_BYTES = 128 * 1024;

/**
 * The plain bytes, in chunks of at most 16 KB that are valid until the next one is requested.
 *
 * `onProgress` gets the number of stored bytes read. Errors of `source` pass unchanged. Refuses more than
 * `MAX_PLAIN_GIB`, and gzip that is damaged, cut short, or followed by anything but another gzip member.
 */
export async function* plainBytes(
  source: Bytes,
  refuse: Refuse,
  onProgress?: (bytesRead: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const stored = counted(source, onProgress);
  const first = await stored.next();
  if (first.done === true) return;
  const whole = prefixed(first.value, stored);
  yield* chunksOf(isGzip(first.value) ? inflated(whole, refuse) : whole, refuse);
}

async function* counted(
  source: Bytes,
  onProgress?: (bytesRead: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  let bytesRead = 0;
  for await (const chunk of source) {
    bytesRead += chunk.length;
    onProgress?.(bytesRead);
    if (chunk.length > 0) yield chunk;
  }
}

async function* prefixed(first: Uint8Array, rest: Bytes): Bytes {
  yield first;
  yield* rest;
}

async function* chunksOf(bytes: Bytes, refuse: Refuse): Bytes {
  let leftBytes = MAX_PLAIN_GIB * 2 ** 30;
  for await (const chunk of bytes) {
    leftBytes -= chunk.length;
    if (leftBytes < 0) refuse(`more than ${MAX_PLAIN_GIB} GiB, unpacked`);
    for (let at = 0; at < chunk.length; at += CHUNK_BYTES) {
      yield chunk.subarray(at, at + CHUNK_BYTES);
    }
  }
}

async function* inflated(source: Bytes, refuse: Refuse): Bytes {
  const gunzip = createGunzip({ chunkSize: INFLATED_BYTES });
  let fedBytes = 0;
  const feeding = pipeline(
    counted(source, (bytesRead) => (fedBytes = bytesRead)),
    gunzip,
  );
  // The loop below reports the same failure.
  feeding.catch(() => undefined);
  try {
    for await (const chunk of gunzip as AsyncIterable<Uint8Array>) yield chunk;
  } catch (error) {
    if (!isZlibError(error)) throw error;
    refuse(`not valid gzip: ${error.message}`, { cause: error });
  }
  // zlib regards zero bytes after a member as padding; a document must not have them.
  if (gunzip.bytesWritten !== fedBytes) refuse('not valid gzip: trailing bytes');
}

function isZlibError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}
