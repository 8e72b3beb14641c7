/** Cells of the CSV tables → members of the document, as JSON text in which numbers keep their digits. */
import { shown, unexpected, type Problems } from '../../snapshot/document/problems.js';
import { FORBIDDEN_FIELDS } from '../../snapshot/domain/model.js';

export const TABLES = [
  'organizations',
  'networks',
  'components',
  'stations',
  'measurements',
] as const;
export type Table = (typeof TABLES)[number];

type Kind = 'number' | 'boolean' | 'ids' | 'text' | 'value';

/** Columns that a table must have. */
const REQUIRED: Readonly<Record<Table, readonly string[]>> = {
  organizations: ['organization_id', 'name', 'short_name'],
  networks: ['network_id', 'network_code', 'name', 'short_name'],
  components: ['component_id', 'short_name', 'unit'],
  stations: ['station_id', 'station_name', 'station_code', 'organization_id', 'network_id'],
  measurements: ['station_id', 'component_id', 'date', 'time', 'value'],
};

/** Columns that are no text. */
const KINDS: Readonly<Record<Table, Readonly<Record<string, Kind>>>> = {
  organizations: { organization_id: 'number' },
  networks: { network_id: 'number' },
  components: { component_id: 'number', public: 'boolean' },
  stations: {
    station_id: 'number',
    organization_id: 'number',
    network_id: 'number',
    latitude: 'number',
    longitude: 'number',
    elevation_m: 'number',
    active: 'boolean',
    public: 'boolean',
    component_ids: 'ids',
  },
  measurements: { station_id: 'number', component_id: 'number', value: 'value' },
};

/** JSON's own grammar (RFC 8259 §6): what is written here goes into the document as it is. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

/** Whether a text is a number as JSON writes it. */
export function isNumber(text: string): boolean {
  return NUMBER.test(text);
}

interface Column {
  readonly name: string;
  readonly kind: Kind;
  /** `"name":` */
  readonly label: string;
}

/** Turns the records of one table into JSON objects. */
export class RecordWriter {
  readonly #table: Table;
  readonly #columns: readonly (Column | undefined)[];
  readonly #defaults: readonly string[];
  readonly #problems: Problems;

  /** `defaults`: JSON text of members that the table has no column for. */
  constructor(
    table: Table,
    options: {
      readonly header: readonly string[];
      readonly fileName: string;
      readonly defaults?: Readonly<Record<string, string>>;
      readonly problems: Problems;
    },
  ) {
    const { header, fileName, defaults = {}, problems } = options;
    const names = header.map((name) => name.trim());
    this.#table = table;
    this.#problems = problems;
    this.#columns = names.map((name) => column(table, name));
    this.#defaults = Object.entries(defaults)
      .filter(([name]) => !names.includes(name))
      .map(([name, json]) => `${JSON.stringify(name)}:${json}`);
    for (const name of REQUIRED[table]) {
      if (!names.includes(name) && !(name in defaults)) {
        problems.add(fileName, `no column ${name}`);
      }
    }
    names.forEach((name, index) => {
      if (name === '') problems.add(fileName, `column ${index + 1} has no name`);
      else if (names.indexOf(name) < index) {
        problems.add(fileName, `column ${shown(name)} is there twice`);
      }
    });
  }

  /** Position of a column, or -1. */
  position(name: string): number {
    return this.#columns.findIndex((one) => one?.name === name);
  }

  /** One record as a JSON object; what is wrong is noted at the path that it has in the document. */
  write(record: readonly string[], index: number): string {
    let json = '';
    for (const [position, one] of this.#columns.entries()) {
      if (one === undefined) continue;
      const text = this.#cell(one, record[position] ?? '', index);
      if (text !== undefined) json += `${json === '' ? '' : ','}${one.label}${text}`;
    }
    for (const member of this.#defaults) json += `${json === '' ? '' : ','}${member}`;
    return `{${json}}`;
  }

  /** JSON text of a cell; `undefined` for an empty one, which is an absent member. */
  #cell({ name, kind }: Column, cell: string, index: number): string | undefined {
    const text = cell.trim();
    if (text === '') return kind === 'value' ? 'null' : undefined;
    const json = parseCell(kind, text, cell);
    if (json === undefined) {
      this.#problems.add(`${this.#table}[${index}].${name}`, unexpected(EXPECTED[kind], text));
    }
    return json;
  }
}

function column(table: Table, name: string): Column | undefined {
  if (FORBIDDEN_FIELDS.some((forbidden) => forbidden === name)) return undefined;
  const kinds = KINDS[table];
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  return { name, kind: kind ?? 'text', label: `${JSON.stringify(name)}:` };
}

const EXPECTED: Readonly<Record<Kind, string>> = {
  number: 'a number',
  value: 'a number or nothing',
  boolean: 'true, false, 1 or 0',
  ids: 'ids with blanks or semicolons between',
  text: 'a text',
};

function parseCell(kind: Kind, trimmed: string, cell: string): string | undefined {
  switch (kind) {
    case 'number':
    case 'value':
      return NUMBER.test(trimmed) ? trimmed : undefined;
    case 'boolean':
      return parseBoolean(trimmed.toLowerCase());
    case 'ids': {
      const ids = trimmed.split(/[\s;]+/).filter((id) => id !== '');
      return ids.every((id) => NUMBER.test(id)) ? `[${ids.join(',')}]` : undefined;
    }
    case 'text':
      return JSON.stringify(cell);
  }
}

function parseBoolean(text: string): string | undefined {
  if (text === 'true' || text === '1') return 'true';
  return text === 'false' || text === '0' ? 'false' : undefined;
}
