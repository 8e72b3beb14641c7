/** Reads a whole document as the service would, and takes its size and digest on the way. */
import { readSnapshot, type ReadOptions } from '../snapshot/document/read.js';
import { Digester, digesting, type Digest } from '../snapshot/domain/digest.js';
import type { Snapshot } from '../snapshot/domain/model.js';
import { SnapshotError } from '../snapshot/domain/snapshot-error.js';

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
