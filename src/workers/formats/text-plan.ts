/** Plans for answers that a worker makes whole, compressed where that gains something. */
import type { Plan } from '../../snapshot/local/plan.js';
import { MIN_GZIP_BYTES, gzipText } from './answers.js';

/** One that no client can make large. */
export function planText(
  text: string,
  options: { readonly gzip: boolean; readonly records?: number },
): Plan {
  return planBytes(Buffer.from(text), options);
}

/** The same of its UTF-8. */
export function planBytes(
  identity: Uint8Array,
  { gzip, ...count }: { readonly gzip: boolean; readonly records?: number },
): Plan {
  const compressed = gzip && identity.byteLength >= MIN_GZIP_BYTES;
  // Not a slice of Node's pool: that would travel whole to another thread.
  const bytes = Uint8Array.from(compressed ? gzipText(identity) : identity);
  return {
    coding: compressed ? 'gzip' : 'identity',
    ...count,
    totalBytes: bytes.byteLength,
    chunks: [{ kind: 'bytes', bytes }],
  };
}
