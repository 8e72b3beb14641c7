/** Bytes of a table → text: the door to iconv-lite. */
import iconv from 'iconv-lite';
import type { Refuse } from '../../snapshot/document/problems.js';
import { utf8Text } from '../../snapshot/document/json/text.js';

/** iconv-lite looks for the order of bytes of `utf-16`; Latin-1 is read as the web does, by what contains it. */
function nameOf(encoding: string): string {
  return encoding === 'latin-1' ? 'windows-1252' : encoding;
}

export function decodeText(bytes: Buffer, encoding: string): string {
  return iconv.decode(bytes, nameOf(encoding));
}

/** The same in chunks; UTF-8 strictly. */
export async function* textOf(
  bytes: AsyncIterable<Uint8Array>,
  { encoding, refuse }: { readonly encoding: string; readonly refuse: Refuse },
): AsyncGenerator<string, void, undefined> {
  if (encoding === 'utf-8') {
    yield* utf8Text(bytes, refuse);
    return;
  }
  const decoder = iconv.getDecoder(nameOf(encoding));
  for await (const chunk of bytes) yield decoder.write(Buffer.from(chunk));
  yield decoder.end() ?? '';
}
