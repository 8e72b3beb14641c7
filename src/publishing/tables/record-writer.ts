/** Converts records of a table to JSON objects, as text that keeps the digits of numbers. */
import { unexpected, type Problems } from '../../snapshot/document/problems.js';
import { kindOf, type TableColumn, type Kind, type Table } from './table-columns.js';

/** JSON's own grammar (RFC 8259 §6): matching text is copied into the document. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
/** Other notations of agencies: `+5`, `.5`, `5.` and `007`. */
const LOOSE = /^\+?(-?)0*(\d*)(?:\.(\d*))?$/;

interface WriterOptions {
  readonly columns: readonly TableColumn[];
  /** JSON texts of members for which the table has no column. */
  readonly defaults?: Readonly<Record<string, string>>;
  readonly problems: Problems;
}

export class RecordWriter {
  readonly #table: Table;
  readonly #columns: readonly (TableColumn & { readonly kind: Kind; readonly label: string })[];
  readonly #defaults: string;
  readonly #problems: Problems;

  constructor(table: Table, { columns, defaults = {}, problems }: WriterOptions) {
    this.#table = table;
    this.#problems = problems;
    this.#columns = columns.map((column) => ({
      ...column,
      kind: kindOf(table, column.name),
      label: `${JSON.stringify(column.name)}:`,
    }));
    this.#defaults = Object.entries(defaults)
      .filter(([name]) => !columns.some((column) => column.name === name))
      .map(([name, text]) => `,${JSON.stringify(name)}:${text}`)
      .join('');
  }

  /** One record as a JSON object; reports faults with their path in the document. */
  write(record: readonly string[], index: number): string {
    let json = '';
    for (const { name, position, kind, label } of this.#columns) {
      const cell = record[position] ?? '';
      const blank = cell.trim();
      // An empty cell means that the member is absent; for `value` it means null.
      if (blank === '' && name !== 'value') continue;
      const text = blank === '' ? 'null' : jsonOf(kind, cell, blank);
      if (text === undefined) {
        const message = unexpected(EXPECTED[kind], blank);
        this.#problems.add(`${this.#table}[${index}].${name}`, message);
      } else json += `,${label}${text}`;
    }
    return `{${(json + this.#defaults).slice(1)}}`;
  }
}

const EXPECTED: Readonly<Record<Kind, string>> = {
  number: 'a number',
  amount: 'a number or nothing',
  boolean: 'true, false, 1 or 0',
  ids: 'ids with blanks or semicolons between',
  text: 'a text',
};

function jsonOf(kind: Kind, cell: string, text: string): string | undefined {
  switch (kind) {
    case 'number':
    case 'amount':
      return numberOf(text);
    case 'boolean':
      return booleanOf(text.toLowerCase());
    case 'ids': {
      const ids = text.split(/[\s;]+/).filter((id) => id !== '');
      return ids.every((id) => NUMBER.test(id)) ? `[${ids.join(',')}]` : undefined;
    }
    case 'text':
      return JSON.stringify(cell);
  }
}

function numberOf(text: string): string | undefined {
  const json = NUMBER.test(text) ? text : normal(text);
  return Number.isFinite(Number(json)) ? json : undefined;
}

function normal(text: string): string | undefined {
  const [all, sign = '', whole = '', fraction = ''] = LOOSE.exec(text) ?? [];
  if (all === undefined || !/\d/.test(text)) return undefined;
  return `${sign}${whole || '0'}${fraction === '' ? '' : `.${fraction}`}`;
}

function booleanOf(text: string): string | undefined {
  if (text === 'true' || text === '1') return 'true';
  return text === 'false' || text === '0' ? 'false' : undefined;
}
