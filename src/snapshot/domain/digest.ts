/** Size and SHA-256 of passing bytes, by which documents, files and local copies are verified. */
import { createHash } from 'node:crypto';

export interface Digest {
  readonly sizeBytes: number;
  /** 64 hex digits, lower case. */
  readonly sha256: string;
}

export class Digester {
  readonly #hash = createHash('sha256');
  sizeBytes = 0;

  add(chunk: Uint8Array): void {
    this.#hash.update(chunk);
    this.sizeBytes += chunk.byteLength;
  }

  /** Called once, at the end. */
  digest(): Digest {
    return { sizeBytes: this.sizeBytes, sha256: this.#hash.digest('hex') };
  }
}

/** Passes bytes on after adding each chunk to the digest. */
export async function* digesting(
  chunks: AsyncIterable<Uint8Array>,
  digester: Digester,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    digester.add(chunk);
    yield chunk;
  }
}

/** Passes bytes on. Calls `refuse` at the first byte too many, or at the end if the digest is not the expected one. */
export async function* expectedBytes(
  chunks: AsyncIterable<Uint8Array>,
  expected: Digest,
  refuse: (found: string) => never,
): AsyncGenerator<Uint8Array, void, undefined> {
  const digester = new Digester();
  for await (const chunk of digesting(chunks, digester)) {
    if (digester.sizeBytes > expected.sizeBytes) refuse(`more than ${expected.sizeBytes} bytes`);
    yield chunk;
  }
  const { sizeBytes, sha256 } = digester.digest();
  if (sizeBytes === expected.sizeBytes && sha256 === expected.sha256) return;
  refuse(`${sizeBytes} bytes, SHA-256 ${sha256}`);
}

/** The SHA-256 as lower-case hexadecimal digits. */
export function sha256Of(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

export async function digestOf(chunks: AsyncIterable<Uint8Array>): Promise<Digest> {
  const digester = new Digester();
  for await (const chunk of chunks) digester.add(chunk);
  return digester.digest();
}
