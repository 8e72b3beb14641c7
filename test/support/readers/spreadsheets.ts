/** Reads spreadsheets back without the libraries that write them, and by way of LibreOffice. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { strFromU8, unzipSync } from 'fflate';
import { SaxesParser } from 'saxes';
import { requireProgram } from '../../../tools/system.mjs';

/** A cell's type as the file says it, and its text as a person sees it. */
export interface Cell {
  readonly type: 'text' | 'number' | 'formula';
  readonly text: string;
}

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (Element | string)[];
}

/** Rows of the only sheet; strings with their escapes resolved (ISO/IEC 29500-1 §22.9.2.19). */
export function readXlsx(file: Uint8Array): readonly (readonly Cell[])[] {
  const parts = partsOf(file);
  const strings = find(parse(parts, 'xl/sharedStrings.xml'), 'si').map((one) =>
    textOf(one).replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_match, digits: string) =>
      String.fromCharCode(parseInt(digits, 16)),
    ),
  );
  const [formats] = find(parse(parts, 'xl/styles.xml'), 'cellXfs');
  const formatOf = (style: string | undefined): string | undefined =>
    formats && find(formats, 'xf')[Number(style)]?.attributes['numFmtId'];
  return find(parse(parts, 'xl/worksheets/sheet1.xml'), 'row').map((row) =>
    find(row, 'c').map((cell): Cell => {
      const text = find(cell, 'v').map(textOf).join('');
      if (find(cell, 'f').length > 0) return { type: 'formula', text };
      if (cell.attributes['t'] === 's') return { type: 'text', text: strings[Number(text)] ?? '' };
      // Formats 1 and 2 are `0` and `0.00` (ISO/IEC 29500-1 §18.8.30).
      const places = { 1: 0, 2: 2 }[formatOf(cell.attributes['s']) ?? ''];
      return { type: 'number', text: Number(text).toFixed(places) };
    }),
  );
}

/** Rows of the only table, with the text that paragraphs show. */
export function readOds(file: Uint8Array): readonly (readonly Cell[])[] {
  const parts = partsOf(file);
  for (const name of parts.keys()) if (name.endsWith('.xml')) parse(parts, name);
  return find(parse(parts, 'content.xml'), 'table:table-row').map((row) =>
    find(row, 'table:table-cell').map((cell): Cell => {
      const { attributes } = cell;
      const shown = find(cell, 'text:p').map(textOf).join('\n');
      if ('table:formula' in attributes) return { type: 'formula', text: shown };
      if (attributes['office:value-type'] === 'string') {
        return { type: 'text', text: attributes['office:string-value'] ?? shown };
      }
      const equal = Number(attributes['office:value']) === Number(shown);
      return { type: 'number', text: equal ? shown : `${attributes['office:value']} as ${shown}` };
    }),
  );
}

/** Rows of RFC 4180 text with CRLF line ends. */
export function readCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain, end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g,
  )) {
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end !== '\r\n') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

/** The CSV that LibreOffice makes of each file, cells as they are shown; the names end in their formats. */
export async function convertByOffice(
  directory: string,
  files: Readonly<Record<string, Uint8Array>>,
): Promise<Readonly<Record<string, string>>> {
  const office = requireProgram(['soffice']);
  const profile = pathToFileURL(join(directory, 'profile')).href;
  // Comma, quote, UTF-8.
  const filter = 'csv:Text - txt - csv (StarCalc):44,34,76';
  const words = [`-env:UserInstallation=${profile}`, '--headless', '--convert-to', filter];
  const paths: string[] = [];
  // All by one start of LibreOffice, each under a name of its own: it only changes the ending.
  for (const [name, bytes] of Object.entries(files)) {
    const path = join(directory, `${paths.length}-${name}`);
    await writeFile(path, bytes);
    paths.push(path);
  }
  await promisify(execFile)(office, [...words, '--outdir', directory, ...paths], {
    timeout: 120_000,
  });
  const texts = await Promise.all(
    paths.map((path) => readFile(path.replace(/\.\w+$/, '.csv'), 'utf8')),
  );
  return Object.fromEntries(Object.keys(files).map((name, at) => [name, texts[at] ?? '']));
}

function partsOf(file: Uint8Array): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(unzipSync(file)).map(([name, bytes]) => [name, strFromU8(bytes)] as const),
  );
}

/** @throws {Error} for XML that is not well-formed. */
function parse(parts: ReadonlyMap<string, string>, name: string): Element {
  const parser = new SaxesParser();
  const root = { name: '', attributes: {}, children: [] as (Element | string)[] };
  const open = [root];
  parser.on('opentag', ({ name: tag, attributes }) => {
    const element = { name: tag, attributes, children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => open.pop());
  parser.on('text', (text) => open.at(-1)?.children.push(text));
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(parts.get(name) ?? '').close();
  return root;
}

function find(element: Element, name: string): readonly Element[] {
  return element.children.flatMap((child) => {
    if (typeof child === 'string') return [];
    return child.name === name ? [child] : find(child, name);
  });
}

/** With the elements that stand for white space (OpenDocument 1.3, part 3 §6.1). */
function textOf(element: Element): string {
  if (element.name === 'text:tab') return '\t';
  if (element.name === 'text:s') return ' '.repeat(Number(element.attributes['text:c'] ?? '1'));
  return element.children
    .map((child) => (typeof child === 'string' ? child : textOf(child)))
    .join('');
}
