/** Reads spreadsheets without the libraries that write them. */
import { unzipSync } from 'fflate';
import { find, parseXml, type Element } from './xml.js';

export interface Cell {
  readonly type: 'text' | 'number' | 'formula';
  readonly text: string;
}

/** Rows of the only sheet, with decoded strings (ISO/IEC 29500-1 §22.9.2.19). */
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

function partsOf(file: Uint8Array): ReadonlyMap<string, Uint8Array> {
  return new Map(Object.entries(unzipSync(file)));
}

/** @throws {Error} for a missing or malformed part. */
function parse(parts: ReadonlyMap<string, Uint8Array>, name: string): Element {
  return parseXml(parts.get(name) ?? new Uint8Array());
}

/** The text of an element; elements for white space count as characters (OpenDocument 1.3, part 3 §6.1). */
function textOf(element: Element): string {
  if (element.name === 'text:tab') return '\t';
  if (element.name === 'text:s') return ' '.repeat(Number(element.attributes['text:c'] ?? '1'));
  return element.children
    .map((child) => (typeof child === 'string' ? child : textOf(child)))
    .join('');
}
