/** Writes documents and pointers into a file store without a publisher's checks. */
import { createHash } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { encodePointer } from '../../../src/snapshot/store/pointer.js';
import type { Pointer } from '../../../src/snapshot/store/pointer.js';
import type { PlainDocument } from '../documents/documents.js';

type Store = Readonly<Record<'published', string>>;

export async function gzipped(
  document: PlainDocument | AsyncGenerator<Uint8Array>,
): Promise<Buffer> {
  const isStream = Symbol.asyncIterator in document;
  return gzipSync(isStream ? await buffer(document) : JSON.stringify(document));
}

/** Stores bytes as the document of an id. @returns a pointer to them. */
export async function putDocument(
  { published }: Store,
  snapshotId: string,
  bytes: Buffer,
): Promise<Pointer> {
  const document = `snapshots/${snapshotId}.json.gz`;
  await mkdir(join(published, 'snapshots'), { recursive: true });
  await writeFile(join(published, document), bytes);
  return {
    snapshotId,
    schemaVersion: '1.2.0',
    document,
    sizeBytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    activatedAtMs: Date.now(),
  };
}

export async function writePointer({ published }: Store, pointer: Pointer | string): Promise<void> {
  const path = join(published, 'active.json');
  await mkdir(published, { recursive: true });
  await writeFile(`${path}.new`, typeof pointer === 'string' ? pointer : encodePointer(pointer));
  await rename(`${path}.new`, path);
}

/** Makes the store unreadable: replaces its directory by a file. @returns a function that restores it. */
export async function breakStore(root: string): Promise<() => Promise<void>> {
  const store = join(root, 'store');
  await rename(store, `${store}.away`);
  await writeFile(store, 'not a directory');
  return async () => {
    await rm(store);
    await rename(`${store}.away`, store);
  };
}

export function withBitFlipped(bytes: Buffer, bit: number): Buffer {
  const spoiled = Buffer.from(bytes);
  const at = bit >> 3;
  spoiled.writeUInt8(spoiled.readUInt8(at) ^ (1 << (bit & 7)), at);
  return spoiled;
}

export function withDigitChanged(text: string, at: number): string {
  const digit = text[at] === '0' ? '1' : '0';
  return text.slice(0, at) + digit + text.slice(at + 1);
}
