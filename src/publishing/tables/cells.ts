/** Cells of the tables → members of the document, as JSON text in which numbers keep their digits. */
import { distance } from 'fastest-levenshtein';
import { shown, unexpected, type Problems } from '../../snapshot/document/problems.js';
import { FORBIDDEN_FIELDS } from '../../snapshot/domain/model.js';
import { isNumber, type NumberCells } from './number-cells.js';
import { degrees, fromGrid } from './positions.js';
import type { Table, TableOptions } from './table-options.js';

type Kind = 'number' | 'amount' | 'degrees' | 'boolean' | 'ids' | 'text' | 'value' | 'type';

/** Columns that a table must have. */
const REQUIRED: Readonly<Record<Table, readonly string[]>> = {
  organizations: ['organization_id', 'name', 'short_name'],
  networks: ['network_id', 'network_code', 'name', 'short_name'],
  components: ['component_id', 'short_name', 'unit'],
  stations: ['station_id', 'station_name', 'station_code', 'organization_id', 'network_id'],
  measurements: ['station_id', 'component_id', 'date', 'time', 'value'],
};

/** Columns that it may have besides, and that mean something. */
const OPTIONAL: Readonly<Record<Table, readonly string[]>> = {
  organizations: [],
  networks: [],
  components: ['public', 'cas_number', 'description', 'parameter_name'],
  stations: [
    ...['city', 'municipality', 'latitude', 'longitude', 'station_type', 'elevation_m', 'address'],
    ...['start_date', 'end_date', 'notes', 'active', 'public', 'component_ids'],
  ],
  measurements: ['published_at_utc', 'updated_at_utc'],
};

/** Columns that are no text. */
const KINDS: Readonly<Record<string, Kind>> = {
  organization_id: 'number',
  network_id: 'number',
  component_id: 'number',
  station_id: 'number',
  latitude: 'degrees',
  longitude: 'degrees',
  elevation_m: 'amount',
  active: 'boolean',
  public: 'boolean',
  component_ids: 'ids',
  station_type: 'type',
  value: 'value',
};

/** Whether a column means something in a table. */
export function isMember(table: Table, name: string): boolean {
  return REQUIRED[table].includes(name) || OPTIONAL[table].includes(name);
}

export interface Column {
  /** The member. */
  readonly name: string;
  /** As the table has it. */
  readonly title: string;
  readonly position: number;
}

/** What stands for a likely mistake: `latitud` where there is no `latitude`. */
export interface Misspelt {
  readonly column: string;
  readonly meant: string;
}

/** The columns of a table by what they mean. Noted: what is missing, and what is there twice. */
export function columnsOf(
  table: Table,
  {
    header,
    fileName,
    columns,
    optional = [],
    problems,
  }: {
    readonly header: readonly string[];
    readonly fileName: string;
    readonly columns: TableOptions['columns'];
    /** Required ones that may be missing. */
    readonly optional?: readonly string[];
    readonly problems: Problems;
  },
): readonly Column[] {
  const titles = header.map((title) => title.trim());
  const said = [...columns].flatMap(([path, title]) =>
    path.startsWith(`${table}.`) ? [{ name: path.slice(table.length + 1), title }] : [],
  );
  const found = said.map(({ name, title }) => {
    const position = titles.indexOf(title);
    if (position === -1) {
      const there = titles.map((one) => shown(one)).join(', ');
      problems.add(fileName, `no column ${shown(title)}; there are ${there || 'none'}`);
    }
    return { name, title, position };
  });
  titles.forEach((title, position) => {
    if (title === '' && position < titles.length - 1) {
      problems.add(fileName, `column ${position + 1} has no name`);
    } else if (titles.indexOf(title) < position) {
      problems.add(fileName, `column ${shown(title)} is there twice`);
    } else if (
      title !== '' &&
      !found.some((one) => one.name === title || one.title === title) &&
      // Who says what some columns mean wants no other ones.
      (said.length === 0 || isMember(table, title)) &&
      !FORBIDDEN_FIELDS.some((forbidden) => forbidden === title)
    ) {
      found.push({ name: title, title, position });
    }
  });
  for (const name of REQUIRED[table]) {
    if (!optional.includes(name) && !found.some((one) => one.name === name)) {
      problems.add(fileName, `no column ${name}`);
    }
  }
  return found.sort((a, b) => a.position - b.position);
}

/** Columns that mean nothing, and look like one that does and is not there. */
export function misspelt(table: Table, columns: readonly Column[]): readonly Misspelt[] {
  const missing = [...REQUIRED[table], ...OPTIONAL[table]].filter(
    (name) => !columns.some((one) => one.name === name),
  );
  return columns.flatMap(({ name: column }) => {
    if (isMember(table, column)) return [];
    const meant = missing.find((name) => isLike(column.toLowerCase(), name));
    return meant === undefined ? [] : [{ column, meant }];
  });
}

/** The same letters, or all but one or two of a long word. */
function isLike(a: string, b: string): boolean {
  const letters = (text: string): string => text.replace(/[^a-z0-9]/g, '');
  if (letters(a) === letters(b)) return true;
  return b.length > 5 && a[0] === b[0] && distance(a, b) <= (b.length > 7 ? 2 : 1);
}

interface WriterOptions {
  readonly columns: readonly Column[];
  /** JSON text of members that the table has no column for. */
  readonly defaults?: Readonly<Record<string, string>>;
  readonly numbers: NumberCells;
  readonly options: Pick<TableOptions, 'coordinates' | 'stationTypes'>;
  readonly problems: Problems;
}

/** Turns the records of one table into JSON objects. */
export class RecordWriter {
  readonly #table: Table;
  readonly #columns: readonly (Column & { readonly kind: Kind; readonly label: string })[];
  readonly #defaults: readonly string[];
  readonly #options: WriterOptions;

  constructor(table: Table, options: WriterOptions) {
    const { columns, defaults = {} } = options;
    this.#table = table;
    this.#options = options;
    this.#columns = columns.map((column) => {
      const kind = Object.hasOwn(KINDS, column.name) ? KINDS[column.name] : undefined;
      const isKnown = isMember(table, column.name) && kind !== undefined;
      return { ...column, kind: isKnown ? kind : 'text', label: `${JSON.stringify(column.name)}:` };
    });
    this.#defaults = Object.entries(defaults)
      .filter(([name]) => !columns.some((column) => column.name === name))
      .map(([name, json]) => `${JSON.stringify(name)}:${json}`);
  }

  /**
   * One record as a JSON object; what is wrong is noted at the path that it has in the document.
   *
   * @param made JSON texts that stand for a cell.
   */
  write(
    record: readonly string[],
    index: number,
    made: Readonly<Partial<Record<string, string>>> = {},
  ): string {
    let json = '';
    const add = (member: string): void => {
      json += `${json === '' ? '' : ','}${member}`;
    };
    for (const column of this.#columns) {
      const cell = made[column.name] === undefined ? (record[column.position] ?? '') : undefined;
      const text =
        cell === undefined ? made[column.name] : this.#cell(column, cell, { record, index });
      if (text !== undefined) add(`${column.label}${text}`);
    }
    for (const member of this.#defaults) add(member);
    return `{${json}}`;
  }

  /** JSON text of a cell; `undefined` for an empty one, which is an absent member. */
  #cell(
    { name, kind }: { readonly name: string; readonly kind: Kind },
    cell: string,
    place: { readonly record: readonly string[]; readonly index: number },
  ): string | undefined {
    const text = cell.trim();
    if (text === '') return kind === 'value' ? 'null' : undefined;
    const { json, expected } = this.#parse({ name, kind }, cell, place.record);
    if (json !== undefined) return json;
    const { problems } = this.#options;
    problems.add(
      `${this.#table}[${place.index}].${name}`,
      expected ?? unexpected(EXPECTED[kind], text),
    );
    return undefined;
  }

  #parse(
    { name, kind }: { readonly name: string; readonly kind: Kind },
    cell: string,
    record: readonly string[],
  ): { readonly json?: string | undefined; readonly expected?: string } {
    const { numbers, options } = this.#options;
    const text = cell.trim();
    switch (kind) {
      case 'number':
        return { json: isNumber(text) ? text : undefined };
      case 'value':
      case 'amount': {
        const number = numbers.parse(text);
        if (number.kind === 'missing') return { json: 'null' };
        return number.kind === 'value' ? { json: number.json } : { expected: number.message };
      }
      case 'degrees':
        return options.coordinates === undefined
          ? { json: degrees(text, numbers) }
          : this.#fromGrid(name, options.coordinates, record);
      case 'boolean':
        return { json: parseBoolean(text.toLowerCase()) };
      case 'ids': {
        const ids = text.split(/[\s;]+/).filter((id) => id !== '');
        return { json: ids.every(isNumber) ? `[${ids.join(',')}]` : undefined };
      }
      case 'type':
        return { json: JSON.stringify(options.stationTypes.get(text) ?? cell) };
      case 'text':
        return { json: JSON.stringify(cell) };
    }
  }

  #fromGrid(name: string, system: string, record: readonly string[]) {
    const cell = (member: string): string =>
      record[this.#columns.find((one) => one.name === member)?.position ?? -1] ?? '';
    const { numbers } = this.#options;
    const grid = { north: cell('latitude'), east: cell('longitude') };
    const position = fromGrid(grid, { system, numbers });
    if (typeof position === 'string') return { expected: position };
    return { json: name === 'latitude' ? position.latitude : position.longitude };
  }
}

const EXPECTED: Readonly<Record<Kind, string>> = {
  number: 'a number',
  amount: 'a number or nothing',
  value: 'a number or nothing',
  degrees: 'degrees',
  boolean: 'true, false, 1 or 0',
  ids: 'ids with blanks or semicolons between',
  text: 'a text',
  type: 'a text',
};

function parseBoolean(text: string): string | undefined {
  if (text === 'true' || text === '1') return 'true';
  return text === 'false' || text === '0' ? 'false' : undefined;
}
