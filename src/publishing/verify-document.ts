/** Verifies a stored document by reading all its bytes, and finds the schema version that it says it has. */
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { isZlibError } from '../snapshot/document/json/bytes.js';
import { jsonTokens } from '../snapshot/document/json/tokens.js';
import { Digester, digesting, digestOf, type Digest } from '../snapshot/domain/digest.js';
import { SnapshotError } from '../snapshot/domain/snapshot-error.js';

/** What is known of a document after its bytes were read; size and digest are those of the stored bytes. */
export interface VerifiedDocument extends Digest {
  /** Of the JSON text inside; lower-case hex. Equal for one document however it was compressed. */
  readonly textSha256: string;
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
  const digester = new Digester();
  try {
    const text = await pipeline(
      stored,
      (chunks: AsyncIterable<Uint8Array>) => digesting(chunks, digester),
      createGunzip(),
      (texts: AsyncIterable<Uint8Array>) => digestOf(texts),
    );
    return { ...digester.digest(), textSha256: text.sha256 };
  } catch (error) {
    if (!isZlibError(error)) throw error;
    const message = `the stored document of ${snapshotId} is no whole gzip file: ${error.message}`;
    throw new SnapshotError('document_corrupt', message, { cause: error });
  }
}

/** The `schema_version` at the top of a document (JSON, plain or gzip), read no further; undefined where there is none. */
export async function readSchemaVersion(
  source: AsyncIterable<Uint8Array>,
): Promise<string | undefined> {
  let depth = 0;
  let member = '';
  const refuse = (message: string): never => {
    throw new NotJsonError(message);
  };
  try {
    for await (const tokens of jsonTokens(source, { refuse, takeText: () => 0 })) {
      for (const token of tokens) {
        if (token.name === 'startObject' || token.name === 'startArray') depth += 1;
        else if (token.name === 'endObject' || token.name === 'endArray') depth -= 1;
        else if (depth === 1 && token.name === 'keyValue') member = token.value;
        else if (depth === 1 && token.name === 'stringValue' && member === 'schema_version') {
          return token.value;
        }
      }
    }
  } catch (error) {
    if (!(error instanceof NotJsonError)) throw error;
  }
  return undefined;
}

class NotJsonError extends Error {
  override readonly name = 'NotJsonError';
}
