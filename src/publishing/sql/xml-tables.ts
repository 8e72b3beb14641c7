/** XML as events, in bounded memory; the only file that loads saxes. */
import { SaxesParser } from 'saxes';

/** Limit of nested elements: more than any workbook has. */
const MAX_DEPTH = 64;
/** Limit of one name, value or text; a cell has 32,767 characters at most. */
const MAX_TOKEN_BYTES = 1024 * 1024;

/** Callbacks; names of elements and attributes are without prefixes. */
export interface XmlEvents {
  readonly open?: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly close?: (name: string) => void;
  readonly text?: (text: string) => void;
}

/** Reads a document; yields the size of each chunk after its events. @throws {Error} for malformed XML. */
export async function* readXml(
  chunks: AsyncIterable<Uint8Array>,
  events: XmlEvents,
): AsyncGenerator<number> {
  let [depth, sinceEvent] = [0, 0];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    [depth, sinceEvent] = [depth + 1, 0];
    if (depth > MAX_DEPTH) throw new RangeError(`more than ${MAX_DEPTH} nested elements`);
    events.open?.(localName(name), local(attributes));
  });
  parser.on('closetag', ({ name }) => {
    [depth, sinceEvent] = [depth - 1, 0];
    events.close?.(localName(name));
  });
  parser.on('text', (text) => events.text?.(text));
  parser.on('cdata', (text) => events.text?.(text));
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of chunks) {
    sinceEvent += chunk.byteLength;
    parser.write(decoder.decode(chunk, { stream: true }));
    if (sinceEvent > MAX_TOKEN_BYTES) {
      throw new RangeError(`more than ${MAX_TOKEN_BYTES} bytes without an element`);
    }
    yield chunk.byteLength;
  }
  parser.write(decoder.decode()).close();
}

function local(attributes: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const name in attributes) {
    if (!name.includes(':')) continue;
    const entries = Object.entries(attributes).filter(([name]) => !name.startsWith('xmlns:'));
    return Object.fromEntries(entries.map(([name, value]) => [localName(name), value]));
  }
  return attributes;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
