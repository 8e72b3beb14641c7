/** Verifies a stored document by reading all its bytes: gives the size, digest and schema version that a pointer states. */
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { isZlibError } from '../document/json/bytes.js';
import { Digester, digesting, type Digest } from '../domain/digest.js';
import { SnapshotError } from '../domain/snapshot-error.js';
import { SchemaVersionScan } from './schema-version-scan.js';

/** What is known of a document after its bytes were read; size and digest are those of the stored bytes. */
export interface VerifiedDocument extends Digest {
  /** Of the JSON text inside; lower-case hex. Equal for one document however it was compressed. */
  readonly textSha256: string;
  /** As the document says, or undefined where its top level does not. */
  readonly schemaVersion: string | undefined;
}

/**
 * Reads a stored document (gzip) to its end.
 *
 * Gzip's own CRC-32 is checked on the way, so a file that was damaged in the store gets no new digest that matches the damage.
 *
 * @throws {SnapshotError} `document_corrupt` when it is no whole gzip file, and what the stream fails with.
 */
export async function verifyDocument(
  stored: Readable,
  snapshotId: string,
): Promise<VerifiedDocument> {
  const storedDigester = new Digester();
  const textDigester = new Digester();
  const scan = new SchemaVersionScan();
  try {
    await pipeline(
      stored,
      (chunks: AsyncIterable<Uint8Array>) => digesting(chunks, storedDigester),
      createGunzip(),
      async (texts: AsyncIterable<Uint8Array>) => {
        for await (const text of texts) {
          textDigester.add(text);
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
    ...storedDigester.digest(),
    textSha256: textDigester.digest().sha256,
    schemaVersion: scan.schemaVersion,
  };
}
