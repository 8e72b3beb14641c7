/** What a pointer promises of a document, found by reading the stored bytes whole: size, digest, schema version. */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { SnapshotError } from '../domain/snapshot-error.js';
import { SchemaVersionScan } from './schema-version-scan.js';

export interface DocumentProof {
  readonly sizeBytes: number;
  /** Of the stored bytes; lower-case hex. */
  readonly sha256: string;
  /** Of the JSON text inside; lower-case hex. Equal for one document however it was compressed. */
  readonly textSha256: string;
  /** As the document says, or undefined where its top level does not. */
  readonly schemaVersion: string | undefined;
}

/**
 * Reads a stored document (gzip) to its end.
 *
 * Gzip's own CRC-32 is checked on the way, so a file that rotted in the store is not blessed by a new digest.
 *
 * @throws {SnapshotError} `document_corrupt` when it is no whole gzip file, and what the stream fails with.
 */
export async function proveDocument(stored: Readable, snapshotId: string): Promise<DocumentProof> {
  const storedHash = createHash('sha256');
  const textHash = createHash('sha256');
  const scan = new SchemaVersionScan();
  let sizeBytes = 0;
  try {
    await pipeline(
      stored,
      async function* (chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          storedHash.update(chunk);
          sizeBytes += chunk.byteLength;
          yield chunk;
        }
      },
      createGunzip(),
      async (texts: AsyncIterable<Uint8Array>) => {
        for await (const text of texts) {
          textHash.update(text);
          scan.push(text);
        }
      },
    );
  } catch (error) {
    throw isZlibError(error)
      ? new SnapshotError(
          'document_corrupt',
          `the stored document of ${snapshotId} is no whole gzip file: ${error.message}`,
          { cause: error },
        )
      : error;
  }
  return {
    sizeBytes,
    sha256: storedHash.digest('hex'),
    textSha256: textHash.digest('hex'),
    schemaVersion: scan.schemaVersion,
  };
}

function isZlibError(error: unknown): error is Error {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    error.code.startsWith('Z_')
  );
}
