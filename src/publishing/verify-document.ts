/** Verifies a document by reading all of it: as the service reads it, or as stored bytes. */
import { readSnapshot, type ReadOptions } from '../snapshot/document/read.js';
import { plainBytes } from '../snapshot/document/json/bytes.js';
import { ObjectReader } from '../snapshot/document/json/object-reader.js';
import { jsonTokens } from '../snapshot/document/json/tokens.js';
import { DocumentError, Problems } from '../snapshot/document/problems.js';
import { SCHEMA_VERSIONS } from '../snapshot/document/schema-version.js';
import { Digester, digesting, digestOf, type Digest } from '../snapshot/domain/digest.js';
import type { Snapshot } from '../snapshot/domain/model.js';
import { SnapshotError } from '../snapshot/domain/snapshot-error.js';

export interface CheckOptions extends ReadOptions {
  /** Beginning of messages: a path or an id. */
  readonly name: string;
  /** Id under which the document is stored; default: it is not stored. */
  readonly snapshotId?: string;
}

/**
 * The snapshot in a document. `publish`, `activate` and `verify` use this check and no other, so all refuse the same
 * documents.
 *
 * @throws {SnapshotError} `document_invalid`, `schema_version` for an unknown version, `document_corrupt` for another
 * id than `snapshotId`, and what `bytes` fail with.
 */
export async function checkDocument(
  bytes: AsyncIterable<Uint8Array>,
  { name, snapshotId, ...options }: CheckOptions,
): Promise<Snapshot> {
  try {
    const snapshot = await readSnapshot(bytes, options);
    const { schemaVersion, snapshotId: own } = snapshot.header;
    if (!SCHEMA_VERSIONS.some((version) => version === schemaVersion)) {
      const known = SCHEMA_VERSIONS.join(', ');
      const message = `schema version ${schemaVersion} is not known (known: ${known})`;
      throw new SnapshotError('schema_version', message);
    }
    if (snapshotId !== undefined && snapshotId !== own) {
      throw new SnapshotError('document_corrupt', `the document says it is ${own}`);
    }
    return snapshot;
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error;
    throw new SnapshotError(error.code, `${name}: ${error.message}`, { cause: error });
  }
}

/**
 * Reads a document (plain or gzip) to its end, without parsing its text.
 *
 * @returns the digest of the stored bytes, and the SHA-256 of the JSON text, which is independent of the compression.
 * @throws {SnapshotError} `document_corrupt` for a damaged gzip file, and what the stream fails with.
 */
export async function verifyDocument(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
): Promise<Digest & { readonly textSha256: string }> {
  const digester = new Digester();
  const text = plainBytes(digesting(bytes, digester), (message, options) => {
    throw new SnapshotError('document_corrupt', `${name}: ${message}`, options);
  });
  const { sha256: textSha256 } = await digestOf(text);
  return { ...digester.digest(), textSha256 };
}

/** Whether a document (JSON, plain or gzip) is marked as a demonstration; reads it up to its rows. */
export async function isDemonstration(source: AsyncIterable<Uint8Array>): Promise<boolean> {
  const problems = new Problems();
  const refuse = (message: string): never => problems.fail('document', message);
  const read = { member: '', isDemonstration: false };
  const reader = new ObjectReader((name) => {
    read.member = name;
    if (name !== 'demonstration') return { kind: 'ignored' };
    return { kind: 'value', take: (value) => (read.isDemonstration = value === true) };
  }, problems);
  try {
    for await (const tokens of jsonTokens(source, { refuse, takeText: () => 0 })) {
      for (const token of tokens) {
        reader.take(token);
        if (read.isDemonstration || read.member === 'measurements') return read.isDemonstration;
      }
    }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
  }
  return false;
}
