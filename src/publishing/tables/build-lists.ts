/** The four lists of a document to build: from their tables, or one organization and network from the options. */
import type { Problems } from '../../snapshot/document/problems.js';
import { columnsOf, RecordWriter, type Column } from './cells.js';
import type { Table } from './table-options.js';
import type { Kind, MadeIds } from './made-ids.js';
import { isNumber, NumberCells } from './number-cells.js';
import type { TableFile } from './table-file.js';
import { findForm, type TableForm } from './table-form.js';
import type { TableOptions } from './table-options.js';
import { readTable } from './table-reader.js';

/** Elements as JSON text, in the order of the tables. */
export type ListTexts = Readonly<
  Record<'organizations' | 'networks' | 'components' | 'stations', readonly string[]>
>;

/** A table that has been read: what messages about it need. */
export interface ReadTable {
  readonly file: TableFile;
  readonly form: TableForm;
  readonly columns: readonly Column[];
}

interface ListOptions {
  readonly organizationName?: string;
  readonly organizationShortName?: string;
  readonly tableOptions: TableOptions;
  readonly ids: MadeIds;
  /** Takes every table that has been read. */
  readonly read: Map<Table, ReadTable>;
  readonly problems: Problems;
}

/**
 * Stations whose table names no organization or network belong to the only one there is.
 *
 * @throws {DocumentError} for tables that cannot be read; what is wrong inside them is noted.
 */
export async function buildLists(
  files: ReadonlyMap<Table, TableFile>,
  options: ListOptions,
): Promise<ListTexts> {
  const { problems } = options;
  const read = async (table: Table, defaults: Readonly<Record<string, string>> = {}) => {
    const file = files.get(table);
    return file === undefined ? undefined : await readList(table, { ...options, file, defaults });
  };
  const organizations = (await read('organizations')) ?? [organizationFrom(options)];
  const networks = (await read('networks')) ?? [networkFrom(options, organizations)];
  const components = (await read('components')) ?? componentsFrom(options);
  const stations =
    (await read('stations', {
      ...onlyId(organizations, 'organization_id'),
      ...onlyId(networks, 'network_id'),
    })) ?? [];
  problems.throwIfAny();
  return { organizations, networks, components, stations };
}

/** Tables whose ids may be codes, and the column that a code is in where there is no id. */
const CODED: Partial<
  Record<Table, { readonly kind: Kind; readonly id: string; readonly code: string }>
> = {
  stations: { kind: 'station', id: 'station_id', code: 'station_code' },
  components: { kind: 'component', id: 'component_id', code: 'short_name' },
};

async function readList(
  table: Table,
  options: ListOptions & {
    readonly file: TableFile;
    readonly defaults: Readonly<Record<string, string>>;
  },
): Promise<string[]> {
  const { file, tableOptions, ids, problems } = options;
  const form = await findForm(file, { ...tableOptions, headerLine: 1, problems });
  const records: (readonly string[])[] = [];
  for await (const record of readTable(file, { form, problems })) records.push(record);
  const coded = CODED[table];
  const columns = columnsOf(table, {
    header: records.shift() ?? [],
    fileName: file.name,
    columns: tableOptions.columns,
    optional: [...Object.keys(options.defaults), ...(coded ? [coded.id, coded.code] : [])],
    problems,
  });
  options.read.set(table, { file, form, columns });
  const positionOf = (name: string): number | undefined =>
    columns.find((column) => column.name === name)?.position;
  const position = coded && (positionOf(coded.id) ?? positionOf(coded.code));
  if (coded && position === undefined) problems.add(file.name, `no column ${coded.id}`);
  const cells = records.map((record) => record[position ?? -1]?.trim() ?? '');
  const isMade = coded && (positionOf(coded.id) === undefined || !cells.every(isIdOrBlank));
  if (coded && isMade === false && positionOf(coded.code) === undefined) {
    problems.add(file.name, `no column ${coded.code}`);
  }
  const both = coded ? [coded.id, coded.code] : [];
  const writer = new RecordWriter(table, {
    ...options,
    // A list between commas comes from another program than measurements between semicolons.
    numbers: new NumberCells({
      missing: tableOptions.missing,
      decimalComma: form.decimalComma && form.delimiter !== ',',
    }),
    options: tableOptions,
    columns: [
      ...columns,
      // Made of the other one, and so at a place of its own.
      ...both.flatMap((name) =>
        positionOf(name) === undefined ? [{ name, title: name, position: -1 }] : [],
      ),
    ],
  });
  return records.map((record, index) => {
    const code = cells[index] ?? '';
    const made = {
      ...(coded && isMade && code !== '' && { [coded.id]: String(ids.idOf(coded.kind, code)) }),
      ...(coded && positionOf(coded.code) === undefined && { [coded.code]: JSON.stringify(code) }),
    };
    return writer.write(record, index, made);
  });
}

function isIdOrBlank(cell: string): boolean {
  return cell === '' || isNumber(cell);
}

/** @throws {DocumentError} where nobody says them. */
function componentsFrom({ tableOptions, ids, problems }: ListOptions): string[] {
  if (tableOptions.components.size === 0) {
    problems.fail('components.csv', 'not found: say --component CODE=UNIT for each');
  }
  return [...tableOptions.components].map(([code, unit]) =>
    JSON.stringify({ component_id: ids.idOf('component', code), short_name: code, unit }),
  );
}

function organizationFrom(options: ListOptions): string {
  const { organizationName, organizationShortName, problems } = options;
  if (organizationName === undefined || organizationShortName === undefined) {
    return problems.fail(
      'organizations.csv',
      'not found: say --organization-name and --organization-short-name',
    );
  }
  return JSON.stringify({
    organization_id: 1,
    name: organizationName,
    short_name: organizationShortName,
  });
}

/** Network 1, called as the organization is (`docs/tables.md, "CSV tables"`). */
function networkFrom(options: ListOptions, organizations: readonly string[]): string {
  const names = options.organizationShortName === undefined ? namesOf(organizations) : options;
  const { organizationName: name, organizationShortName: shortName } = names;
  if (shortName === undefined) {
    return options.problems.fail('networks.csv', 'not found: say --organization-short-name');
  }
  return JSON.stringify({
    network_id: 1,
    network_code: shortName,
    name: name ?? shortName,
    short_name: shortName,
  });
}

/** The names of the only organization there is. */
function namesOf(organizations: readonly string[]): Partial<ListOptions> {
  const [only, ...others] = organizations;
  if (only === undefined || others.length > 0) return {};
  const { name, short_name: shortName } = JSON.parse(only) as Record<string, unknown>;
  return {
    ...(typeof name === 'string' && { organizationName: name }),
    ...(typeof shortName === 'string' && { organizationShortName: shortName }),
  };
}

/** The id of a list's only element, as the default of stations that have no such column. */
function onlyId(elements: readonly string[], name: string): Readonly<Record<string, string>> {
  const [only, ...others] = elements;
  if (only === undefined || others.length > 0) return {};
  const id = (JSON.parse(only) as Record<string, unknown>)[name];
  return typeof id === 'number' ? { [name]: String(id) } : {};
}
