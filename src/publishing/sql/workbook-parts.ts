/** The parts of an Office Open XML workbook (ECMA-376 part 1): sheets, shared strings, date formats. */
import { readXml, type XmlEvents } from './xml-tables.js';
import { readZipDirectory, readZipMember, type ZipMember } from './zip.js';

export interface Sheet {
  readonly title: string;
  readonly part: ZipMember;
}

export interface Book {
  readonly path: string;
  readonly sheets: readonly Sheet[];
  readonly sharedStrings: readonly string[];
  /** Whether a cell style shows a time, by the number of the style. */
  readonly dateStyles: readonly boolean[];
  /** Whether days count from 1904 instead of 1900. */
  readonly is1904: boolean;
}

/** Limit of all unpacked sheets: some million rows of ten columns. */
const MAX_SHEETS_BYTES = 512 * 1024 * 1024;
/** Limit of any other unpacked part: in memory, shared strings take up to three times as much. */
const MAX_PART_BYTES = 64 * 1024 * 1024;
const MAX_SHEETS = 1024;

/** Reads all parts except the rows; checks every declared size before it is used. */
export async function readBook(path: string): Promise<Book> {
  const members = await readZipDirectory(path);
  const read = async (name: string, events: XmlEvents, isNeeded = false): Promise<void> => {
    const part = members.get(name.toLowerCase());
    if (part === undefined && isNeeded) throw new Error(`no ${name} in it`);
    if (part === undefined) return;
    checkBytes(name, part.sizeBytes, MAX_PART_BYTES);
    const reading = readXml(readZipMember(path, part), events);
    while ((await reading.next()).done !== true);
  };
  const paths = new Map<string, string>();
  const byKind = new Map<string, string>();
  const addPath: XmlEvents['open'] = (name, { Id = '', Type = '', Target = '' }) => {
    if (name !== 'Relationship') return;
    const target = Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`;
    const kind = Type.slice(Type.lastIndexOf('/') + 1);
    byKind.set(kind, target);
    if (kind === 'worksheet') paths.set(Id, target);
  };
  await read('xl/_rels/workbook.xml.rels', { open: addPath }, true);
  const named: { readonly title: string; readonly id: string }[] = [];
  let is1904 = false;
  const addSheet: XmlEvents['open'] = (element, { name = '', id = '', date1904 = '' }) => {
    if (element === 'workbookPr') is1904 = ['1', 'true'].includes(date1904);
    if (element === 'sheet') named.push({ title: unescaped(name), id });
  };
  await read('xl/workbook.xml', { open: addSheet }, true);
  if (named.length > MAX_SHEETS) throw new RangeError(`${named.length} sheets`);
  const sheets = named.flatMap(({ title, id }) => {
    const name = paths.get(id);
    // A chart sheet has no cells.
    if (name === undefined) return [];
    const part = members.get(name.toLowerCase());
    if (part === undefined) throw new Error(`sheet "${title}": no ${name} in it`);
    return [{ title, part }];
  });
  if (sheets.length === 0) throw new Error('no sheet in it');
  const sheetsBytes = sheets.reduce((sum, { part }) => sum + part.sizeBytes, 0);
  checkBytes('the sheets', sheetsBytes, MAX_SHEETS_BYTES);
  const sharedStrings: string[] = [];
  await read(byKind.get('sharedStrings') ?? 'xl/sharedStrings.xml', stringEvents(sharedStrings));
  const dateStyles: boolean[] = [];
  await read(byKind.get('styles') ?? 'xl/styles.xml', { open: styleEvents(dateStyles) });
  return { path, sheets, sharedStrings, dateStyles, is1904 };
}

function checkBytes(name: string, bytes: number, limit: number): void {
  if (bytes <= limit) return;
  throw new RangeError(`${name}: ${bytes} bytes unpacked, expected ${limit} at most; save as CSV`);
}

/** Text of a cell or a shared string: the text of all its runs except phonetic ones (`rPh`). */
export class RichText {
  text = '';
  #isText = false;
  #isSound = false;

  /** Takes the beginning or the end of an element. */
  mark(name: string, isOpen: boolean): void {
    if (name === 't') this.#isText = isOpen;
    if (name === 'rPh') this.#isSound = isOpen;
  }

  add(text: string): void {
    if (this.#isText && !this.#isSound) this.text += text;
  }
}

function stringEvents(strings: string[]): XmlEvents {
  let rich: RichText | undefined;
  return {
    open: (name) => {
      if (name === 'si') rich = new RichText();
      rich?.mark(name, true);
    },
    close: (name) => {
      rich?.mark(name, false);
      if (name !== 'si') return;
      strings.push(unescaped(rich?.text ?? ''));
      rich = undefined;
    },
    text: (text) => rich?.add(text),
  };
}

/** Decodes `_xHHHH_`, which stands for a character that XML lacks (22.9.2.19). */
export function unescaped(text: string): string {
  return text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
}

/** First and last numbers of built-in formats that are dates in any language (18.8.30). */
const DATE_FORMATS = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
  [71, 81],
] as const;

function styleEvents(dateStyles: boolean[]): NonNullable<XmlEvents['open']> {
  const custom = new Map<string, boolean>();
  const base: string[] = [];
  let list = '';
  return (name, { numFmtId, formatCode = '', xfId = '' }) => {
    if (/^cell(?:Style)?Xfs$|^dxfs$|^cellStyles$/.test(name)) list = name;
    if (name === 'numFmt' && list === '') custom.set(numFmtId ?? '', isDateFormat(formatCode));
    if (name !== 'xf') return;
    if (list === 'cellStyleXfs') base.push(numFmtId ?? '');
    if (list !== 'cellXfs') return;
    const id = numFmtId ?? base[Number(xfId)] ?? '';
    const isBuiltIn = DATE_FORMATS.some(([from, to]) => from <= Number(id) && Number(id) <= to);
    dateStyles.push(custom.get(id) ?? (id !== '' && isBuiltIn));
  };
}

/** Excel allows 255 characters. */
const MAX_FORMAT_CHARACTERS = 1024;
const DATE_TOKEN = /^(?:ss?|m{1,5}|hh?|[ap]m?|a{3,5}|d{1,4}|yy?|yyyy|ee?|eeee)$/;

/** Whether a section of a number format has only letters of dates (18.8.31). */
function isDateFormat(code: string): boolean {
  if (code.length > MAX_FORMAT_CHARACTERS) return false;
  const parts = code.toLowerCase().replace(/;@$/, '').replaceAll(/\\./g, ' ').split(';');
  return parts.some((part) => {
    const letters = part
      .replaceAll(/"[^"]*"/g, ' ')
      .replaceAll(/(\[?[smhd]{1,2}\]?)[.,]00?0?/g, '$1')
      .replaceAll(/\[([smhd]{1,2})\]/g, '$1')
      .replaceAll(/\[[^\]]*\]/g, '');
    const tokens = letters.split(/[^a-z0#?%]+/).filter((token) => token !== '');
    return tokens.length > 0 && tokens.every((token) => DATE_TOKEN.test(token));
  });
}
