/** Size and SHA-256 of bytes that pass by: what a document, a file or a local copy is verified by. */
import { createHash } from 'node:crypto';

export interface Digest {
  readonly sizeBytes: number;
  /** 64 hex digits, lower case. */
  readonly sha256: string;
}

export class Digester {
  readonly #hash = createHash('sha256');
  #sizeBytes = 0;

  add(chunk: Uint8Array): void {
    this.#hash.update(chunk);
    this.#sizeBytes += chunk.byteLength;
  }

  /** Once, at the end. */
  digest(): Digest {
    return { sizeBytes: this.#sizeBytes, sha256: this.#hash.digest('hex') };
  }
}

/** The same bytes, each chunk added to the digester before it is passed on. */
export async function* digesting(
  chunks: AsyncIterable<Uint8Array>,
  digester: Digester,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    digester.add(chunk);
    yield chunk;
  }
}

/** Reads to the end. */
export async function digestOf(chunks: AsyncIterable<Uint8Array>): Promise<Digest> {
  const digester = new Digester();
  for await (const chunk of chunks) digester.add(chunk);
  return digester.digest();
}
