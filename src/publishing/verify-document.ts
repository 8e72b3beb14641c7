/** Verifies a document by reading all of it: as bytes in a store, or as the service would read it. */
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { readSnapshot, type ReadOptions } from '../snapshot/document/read.js';
import { isZlibError } from '../snapshot/document/json/bytes.js';
import { jsonTokens } from '../snapshot/document/json/tokens.js';
import { Digester, digesting, type Digest } from '../snapshot/domain/digest.js';
import type { Snapshot } from '../snapshot/domain/model.js';
import { SnapshotError } from '../snapshot/domain/snapshot-error.js';

/** What is known of a document after its bytes were read; size and digest are those of the stored bytes. */
export interface VerifiedDocument extends Digest {
  /** Of the JSON text inside; lower-case hex. Equal for one document however it was compressed. */
  readonly textSha256: string;
  /** That the text says at its top; undefined where it does not. */
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
  const digester = new Digester();
  const text = new Digester();
  const texts = createGunzip();
  try {
    const [schemaVersion] = await Promise.all([
      readTop(texts, text),
      pipeline(stored, (chunks: AsyncIterable<Uint8Array>) => digesting(chunks, digester), texts),
    ]);
    return { ...digester.digest(), textSha256: text.digest().sha256, schemaVersion };
  } catch (error) {
    if (!isZlibError(error)) throw error;
    const message = `the stored document of ${snapshotId} is no whole gzip file: ${error.message}`;
    throw new SnapshotError('document_corrupt', message, { cause: error });
  }
}

/** The schema version of a text, all of which goes to the digester. */
async function readTop(text: Readable, digester: Digester): Promise<string | undefined> {
  // Left open when the version has been found.
  const begin = text.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
  const schemaVersion = await readSchemaVersion(digesting(begin, digester));
  if (text.destroyed) return schemaVersion;
  for await (const chunk of text as AsyncIterable<Uint8Array>) digester.add(chunk);
  return schemaVersion;
}

/** The `schema_version` at the top of a document (JSON, plain or gzip), read no further; undefined where there is none. */
export async function readSchemaVersion(
  source: AsyncIterable<Uint8Array>,
): Promise<string | undefined> {
  for await (const { member, token } of topTokens(source)) {
    if (token.name === 'stringValue' && member === 'schema_version') return token.value;
  }
  return undefined;
}

/** Whether a document says of itself that it is a demonstration; it is read as far as its rows. */
export async function isDemonstration(source: AsyncIterable<Uint8Array>): Promise<boolean> {
  for await (const { member, token } of topTokens(source)) {
    if (member === 'demonstration' && token.name === 'trueValue') return true;
    if (member === 'measurements') return false;
  }
  return false;
}

/** The tokens at the top of a document (JSON, plain or gzip), each with the member that it belongs to; none after what is no JSON. */
async function* topTokens(source: AsyncIterable<Uint8Array>) {
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
        if (depth === 1) yield { member, token };
      }
    }
  } catch (error) {
    if (!(error instanceof NotJsonError)) throw error;
  }
}

class NotJsonError extends Error {
  override readonly name = 'NotJsonError';
}

export interface CheckOptions extends ReadOptions {
  /** What messages begin with: the path of a file, or an id. */
  readonly name: string;
  /** How many bytes there may be. Default: any number. */
  readonly limitBytes?: number | undefined;
}

/**
 * The snapshot in a document, with size and digest of the document as it is stored.
 *
 * @throws {SnapshotError} `document_invalid`, `document_corrupt` where it is longer than `limitBytes`.
 */
export async function checkDocument(
  bytes: AsyncIterable<Uint8Array>,
  { name, limitBytes, ...options }: CheckOptions,
): Promise<Digest & { readonly snapshot: Snapshot }> {
  const digester = new Digester(limitBytes);
  try {
    const snapshot = await readSnapshot(digesting(bytes, digester), options);
    return { snapshot, ...digester.digest() };
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error;
    throw new SnapshotError(error.code, `${name}: ${error.message}`, { cause: error });
  }
}
