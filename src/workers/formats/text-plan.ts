/** Plans for answers that a worker makes whole, compressed where that gains something. */
import { ChunkList, type Plan } from '../../snapshot/local/plan.js';
import { MIN_GZIP_BYTES, gzipText } from './answers.js';
import { GzipCopy } from './gzip-copy.js';

/** A small one. */
export function planText(
  text: string,
  { gzip, ...count }: { readonly gzip: boolean; readonly records?: number },
): Plan {
  const identity = Buffer.from(text);
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

/** Characters that are compressed at once: more gain nothing. */
const PIECE_CHARACTERS = 256 * 1024;

/** One of any length, of texts that are made one after the other, and then answer how many records they have. */
export function planTexts(
  texts: Generator<string, number, undefined>,
  { gzip }: { readonly gzip: boolean },
): Plan {
  const plan = new ChunkList();
  let records = 0;
  const pieces = inPieces(texts, (count) => (records = count));
  const copy = new GzipCopy();
  for (const piece of gzip ? copy.passing(pieces) : pieces) if (!gzip) plan.addBytes(piece);
  // Not slices of larger memory, as in `planText`.
  if (gzip) for (const bytes of copy.finish()) plan.addBytes(Uint8Array.from(bytes));
  const { chunks, totalBytes } = plan;
  return { coding: gzip ? 'gzip' : 'identity', records, totalBytes, chunks };
}

function* inPieces(
  texts: Generator<string, number, undefined>,
  onEnd: (records: number) => void,
): Generator<Uint8Array, void, undefined> {
  let piece = '';
  for (;;) {
    const next = texts.next();
    if (next.done !== true) piece += next.value;
    if (next.done === true || piece.length >= PIECE_CHARACTERS) {
      yield Uint8Array.from(Buffer.from(piece));
      piece = '';
    }
    if (next.done !== true) continue;
    onEnd(next.value);
    return;
  }
}
