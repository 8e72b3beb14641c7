/** The rows of a sheet as texts (ECMA-376 part 1, 18.3.1). */
import { messageOf } from '../../snapshot/domain/snapshot-error.js';
import { RichText, unescaped, type Book, type Sheet } from './workbook-parts.js';
import { readXml } from './xml-tables.js';
import { readZipMember } from './zip.js';

export interface SheetRow {
  readonly number: number;
  /** Texts of the cells up to the last non-empty cell. */
  readonly cells: readonly string[];
}

const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;
const DAY_SECONDS = 86_400;
/** Day 0 of the two calendars, in days since 1970-01-01. */
const DAY_0 = { from1900: -25_569, from1904: -24_107 };

/** Non-empty rows, ascending. @throws {Error} for a malformed sheet; the message names the sheet and the cell. */
export async function* readRows(book: Book, sheet: Sheet): AsyncGenerator<SheetRow> {
  const reader = new SheetReader(book);
  try {
    const bytes = readZipMember(book.path, sheet.part);
    const reading = readXml(bytes, reader);
    while ((await reading.next()).done !== true) yield* reader.takeRows();
    yield* reader.takeRows();
  } catch (cause) {
    if (cause instanceof Error && 'syscall' in cause) throw cause;
    throw new Error(`sheet "${sheet.title}", ${reader.position}: ${messageOf(cause)}`, { cause });
  }
}

class SheetReader {
  readonly #book: Book;
  #rows: SheetRow[] = [];
  #isInData = false;
  /** Numbers of the last row and cell; a row or cell without an address is the next one. */
  #row = 0;
  #column = 0;
  #isRowNumbered = false;
  #cells: string[] = [];
  #cell: { readonly type: string; readonly style: string | undefined } | undefined;
  #value: string | undefined;
  #isValue = false;
  #inline = new RichText();

  constructor(book: Book) {
    this.#book = book;
  }

  get position(): string {
    return this.#column === 0 ? `row ${this.#row}` : `cell ${cellAddress(this.#row, this.#column)}`;
  }

  takeRows(): readonly SheetRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  readonly open = (name: string, attributes: Readonly<Record<string, string>>): void => {
    if (name === 'sheetData') this.#isInData = true;
    if (!this.#isInData) return;
    if (name === 'row') this.#openRow(attributes['r']);
    else if (name === 'c') this.#openCell(attributes);
    else if (name === 'v') this.#isValue = true;
    else this.#inline.mark(name, true);
  };

  readonly text = (text: string): void => {
    if (this.#cell === undefined) return;
    if (this.#isValue) this.#value = (this.#value ?? '') + text;
    else this.#inline.add(text);
  };

  readonly close = (name: string): void => {
    if (name === 'sheetData') this.#isInData = false;
    if (!this.#isInData) return;
    if (name === 'v') this.#isValue = false;
    else if (name === 'c') this.#closeCell();
    else if (name === 'row') this.#closeRow();
    else this.#inline.mark(name, false);
  };

  #openRow(address: string | undefined): void {
    const number = address === undefined ? this.#row + 1 : Number(address);
    if (!Number.isInteger(number) || number <= this.#row || number > MAX_ROWS) {
      throw new Error(`row ${address ?? number} cannot follow`);
    }
    this.#row = number;
    this.#column = 0;
    this.#isRowNumbered = address !== undefined;
  }

  #openCell({ r: address, t: type = 'n', s: style }: Readonly<Record<string, string>>): void {
    const column = address === undefined ? this.#column + 1 : this.#columnOf(address);
    if (column <= this.#column || column > MAX_COLUMNS) {
      throw new Error(`cell ${address ?? 'without an address'} cannot follow`);
    }
    this.#column = column;
    this.#cell = { type, style };
    this.#value = undefined;
    this.#inline = new RichText();
  }

  #columnOf(address: string): number {
    const [, letters = '', digits = ''] = /^([A-Z]{1,3})(\d{1,7})$/.exec(address) ?? [];
    const row = Number(digits);
    // A row without a number gets it from the address of its first cell.
    if (!this.#isRowNumbered && this.#column === 0 && row > this.#row) this.#openRow(digits);
    if (row !== this.#row) throw new Error(`"${address}" is not a cell of this row`);
    return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
  }

  #closeCell(): void {
    const text = this.#cellText();
    this.#cell = undefined;
    if (text === '') return;
    while (this.#cells.length < this.#column - 1) this.#cells.push('');
    this.#cells.push(text);
  }

  #closeRow(): void {
    if (this.#cells.length > 0) this.#rows.push({ number: this.#row, cells: this.#cells });
    this.#cells = [];
  }

  /** Text of the cell; empty for the error of a formula (`e`). */
  #cellText(): string {
    const value = this.#value ?? '';
    switch (this.#cell?.type) {
      case 'inlineStr':
        return unescaped(this.#inline.text);
      case 'str':
        return unescaped(value);
      case 's':
        return value === '' ? '' : this.#sharedString(value);
      case 'b':
        if (!/^[01]?$/.test(value)) throw new Error(`"${shortened(value)}" is not a boolean`);
        return value === '' ? '' : String(value === '1');
      case 'e':
        return '';
      case 'd':
        return value === '' ? '' : timeText(Date.parse(withZone(value)) / 1000, value);
      case 'n':
        return value === '' ? '' : this.#numberText(value);
      default:
        throw new Error(`"${shortened(this.#cell?.type ?? '')}" is not a cell type`);
    }
  }

  #sharedString(value: string): string {
    const text = this.#book.sharedStrings[Number(value)];
    if (text === undefined) throw new Error(`there is no shared string ${shortened(value)}`);
    return text;
  }

  #numberText(value: string): string {
    const number = Number(value);
    if (!Number.isFinite(number)) throw new Error(`"${shortened(value)}" is not a number`);
    if (this.#book.dateStyles[Number(this.#cell?.style)] !== true) return String(number);
    const day0 = this.#book.is1904 ? DAY_0.from1904 : DAY_0.from1900;
    return timeText((number + day0) * DAY_SECONDS, value);
  }
}

/** Rounds to seconds, because times are stored as fractions of days. */
function timeText(seconds: number, value: string): string {
  const time = new Date(Math.round(seconds) * 1000);
  const text = Number.isNaN(time.getTime()) ? '' : time.toISOString();
  // A year of more than four digits begins with a sign.
  if (!/^\d/.test(text)) throw new Error(`"${shortened(value)}" is not a time`);
  return text.slice(0, 19).replace('T', ' ');
}

/** Adds UTC to a time without a zone, which `Date.parse` would read in the zone of the machine. */
function withZone(time: string): string {
  return /T[^Z+-]*$/.test(time) ? `${time}Z` : time;
}

export function cellAddress(row: number, column: number): string {
  let [letters, rest] = ['', column];
  for (; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return `${letters}${row}`;
}

function shortened(value: string): string {
  return value.length > 40 ? `${value.slice(0, 40)}...` : value;
}
