/** The four lists of a document to build: from their tables, or one organization and network from the options. */
import { RecordWriter, type Table } from './cells.js';
import { readCsv, type CsvFile } from './csv-reader.js';
import type { Problems } from '../../snapshot/document/problems.js';

/** Elements as JSON text, in the order of the tables. */
export type ListTexts = Readonly<
  Record<'organizations' | 'networks' | 'components' | 'stations', readonly string[]>
>;

interface ListOptions {
  readonly organizationName?: string;
  readonly organizationShortName?: string;
  readonly problems: Problems;
}

/**
 * Stations whose table names no organization or network belong to the only one there is.
 *
 * @throws {DocumentError} for tables that cannot be read; what is wrong inside them is noted.
 */
export async function buildLists(
  tables: ReadonlyMap<Table, CsvFile>,
  options: ListOptions,
): Promise<ListTexts> {
  const { problems } = options;
  const read = (table: Table, defaults?: Readonly<Record<string, string>>) =>
    readList(table, { file: tables.get(table), problems, ...(defaults && { defaults }) });
  const organizations = await read('organizations');
  if (!tables.has('organizations')) organizations.push(organizationFrom(options));
  const networks = await read('networks');
  if (!tables.has('networks')) networks.push(networkFrom(options, organizations));
  const components = await read('components');
  const stations = await read('stations', {
    ...onlyId(organizations, 'organization_id'),
    ...onlyId(networks, 'network_id'),
  });
  problems.throwIfAny();
  return { organizations, networks, components, stations };
}

async function readList(
  table: Table,
  options: {
    readonly file: CsvFile | undefined;
    readonly defaults?: Readonly<Record<string, string>>;
    readonly problems: Problems;
  },
): Promise<string[]> {
  const { file, problems } = options;
  if (file === undefined) return [];
  const records = readCsv(file, { problems });
  const header = (await records.next()).value ?? [];
  const writer = new RecordWriter(table, { ...options, header, fileName: file.name });
  const elements: string[] = [];
  for await (const record of records) elements.push(writer.write(record, elements.length));
  return elements;
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

/** Network 1, called as the organization is (`docs/snapshot-format.md, "CSV tables"`). */
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
