/** How a table is written: its encoding, what is between its cells, and where it begins; found in its first bytes where nobody says. */
import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { plainBytes } from '../../snapshot/document/json/bytes.js';
import type { Problems, Refuse } from '../../snapshot/document/problems.js';
import { decodeText } from './text-decoder.js';
import type { TableFile } from './table-file.js';
import { DELIMITERS, type Encoding, type FormOptions } from './table-options.js';

export interface TableForm {
  readonly encoding: Encoding | 'xlsx';
  readonly delimiter: string;
  readonly decimalComma: boolean;
  /** The line of the header, from 1. */
  readonly headerLine: number;
  /** Whether the last line has its end; without it, a number may have been cut. */
  readonly isEnded: boolean;
  /** The first bytes as text; empty of a workbook. */
  readonly sample: string;
}

const SAMPLE_BYTES = 256 * 1024;
const LATIN_2 = new Set(
  ['Belgrade', 'Bratislava', 'Bucharest', 'Budapest', 'Ljubljana', 'Podgorica', 'Prague'].concat([
    'Sarajevo',
    'Skopje',
    'Tirane',
    'Warsaw',
    'Zagreb',
  ]),
);

/** @throws {DocumentError} where nothing says the encoding. */
export async function findForm(
  file: TableFile,
  {
    headerLine = 1,
    problems,
    ...options
  }: FormOptions & { headerLine?: number; problems: Problems },
): Promise<TableForm> {
  const { delimiter, decimalComma = false } = options;
  if (file.name.endsWith('.xlsx')) {
    return { encoding: 'xlsx', delimiter: '', decimalComma, headerLine, isEnded: true, sample: '' };
  }
  const refuse: Refuse = (message, why) => problems.fail(file.name, message, why);
  const bytes = await firstBytes(file, refuse);
  const encoding = options.encoding ?? encodingOf(bytes, options.timeZone, refuse);
  const sample = decodeText(bytes, encoding);
  const header = sample.split(/\r\n|\r|\n/, headerLine).at(-1) ?? '';
  const found =
    delimiter !== undefined && header.includes(delimiter) ? delimiter : delimiterOf(header);
  const isEnded = await hasEnd(file);
  return { encoding, delimiter: found, decimalComma, headerLine, isEnded, sample };
}

async function firstBytes(file: TableFile, refuse: Refuse): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const source = createReadStream(file.path);
  try {
    for await (const chunk of plainBytes(source, refuse)) {
      chunks.push(Uint8Array.from(chunk));
      length += chunk.byteLength;
      if (length >= SAMPLE_BYTES) break;
    }
  } catch {
    // Reading the whole says what is wrong, and where.
  } finally {
    source.destroy();
  }
  return Buffer.concat(chunks);
}

/** Whether the last character is the end of a line; gzip has a checksum of its own. */
async function hasEnd({ path, name, sizeBytes }: TableFile): Promise<boolean> {
  if (name.endsWith('.gz') || sizeBytes < 2) return true;
  const end = createReadStream(path, { start: sizeBytes - 2 }).toArray();
  return Buffer.concat(await end.catch(() => [])).includes(0x0a);
}

function encodingOf(bytes: Buffer, timeZone: string | undefined, refuse: Refuse): Encoding {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return 'utf-16';
  // Half of the bytes of Latin letters in UTF-16.
  if (bytes.subarray(0, 64).filter((byte) => byte === 0).length > 8) return 'utf-16';
  // The last character may be cut.
  if ([0, 1, 2, 3].some((cut) => isUtf8(bytes.subarray(0, bytes.length - cut)))) return 'utf-8';
  const [central, western] = [decodeText(bytes, 'windows-1250'), decodeText(bytes, 'windows-1252')];
  if (central.includes('mł')) return 'windows-1252';
  if (timeZone !== undefined) {
    return LATIN_2.has(timeZone.replace('Europe/', '')) ? 'windows-1250' : 'windows-1252';
  }
  if (central === western) return 'windows-1252';
  const at = Array.from(central).findIndex((character, index) => character !== western[index]);
  const words = [central, western].map((text) => /\S*$/.exec(text.slice(0, at + 1))?.[0] ?? '');
  return refuse(
    `neither UTF-8 nor UTF-16: say --encoding windows-1250 (${words[0] ?? ''}...) or windows-1252 (${words[1] ?? ''}...)`,
  );
}

/** A line without what is quoted in it; a quote within a cell is none. */
export function withoutQuoted(line: string): string {
  return line.replace(/(^|[,;\t|])"(?:[^"]|"")*"/g, '$1');
}

/** The one that is in a header most often, outside quotes. */
function delimiterOf(header: string): string {
  const plain = withoutQuoted(header);
  const count = (one: string): number => plain.split(one).length;
  return Object.values(DELIMITERS).reduce((best, one) => (count(one) > count(best) ? one : best));
}
