/** Builds the four lists of a document from tables; options replace a missing table of organizations or networks. */
import type { Problems } from '../../snapshot/document/problems.js';
import { columnsOf, type ListName } from './table-columns.js';
import { RecordWriter } from './record-writer.js';
import type { CsvTables } from './csv-tables.js';

/** Elements of the lists as JSON texts, in the order of the tables. */
export type ListTexts = Readonly<Record<ListName, readonly string[]>>;

export interface ListOptions {
  readonly organizationName?: string;
  readonly organizationShortName?: string;
}

/**
 * Builds the lists. Stations without an organization or a network belong to the only one.
 *
 * @throws {DocumentError} for missing and malformed tables, and for faults in them.
 */
export async function buildLists(
  tables: CsvTables,
  options: ListOptions,
  problems: Problems,
): Promise<ListTexts> {
  const read = async (list: ListName, defaults: Readonly<Record<string, string>> = {}) => {
    const table = await tables.list(list);
    if (table === undefined) return undefined;
    const optional = Object.keys(defaults);
    const columns = columnsOf({ ...table, table: list, optional }, problems);
    const writer = new RecordWriter(list, { columns, defaults, problems });
    return table.records.map((record, index) => writer.write(record, index));
  };
  const needed = (list: ListName): readonly string[] => {
    tables.noteMissing(list);
    return [];
  };
  const organizations = (await read('organizations')) ?? [organizationFrom(options, problems)];
  const networks = (await read('networks')) ?? [networkFrom(options, organizations, problems)];
  const components = (await read('components')) ?? needed('components');
  const defaults = {
    ...onlyId(organizations, 'organization_id'),
    ...onlyId(networks, 'network_id'),
  };
  const stations = (await read('stations', defaults)) ?? needed('stations');
  problems.throwIfAny();
  return { organizations, networks, components, stations };
}

function organizationFrom(
  { organizationName: name, organizationShortName: shortName }: ListOptions,
  problems: Problems,
): string {
  if (name === undefined || shortName === undefined) {
    const flags = '--organization-name and --organization-short-name';
    return problems.fail('organizations.csv', `not found: give ${flags}`);
  }
  return JSON.stringify({ organization_id: 1, name, short_name: shortName });
}

/** Network 1, with the name of the organization (`docs/tables.md`, "CSV tables"). */
function networkFrom(
  options: ListOptions,
  organizations: readonly string[],
  problems: Problems,
): string {
  const names = options.organizationShortName === undefined ? namesOf(organizations) : options;
  const { organizationName: name, organizationShortName: shortName } = names;
  if (shortName === undefined) {
    return problems.fail('networks.csv', 'not found: give --organization-short-name');
  }
  return JSON.stringify({
    network_id: 1,
    network_code: shortName,
    name: name ?? shortName,
    short_name: shortName,
  });
}

function namesOf(organizations: readonly string[]): ListOptions {
  const [only, ...others] = organizations;
  if (only === undefined || others.length > 0) return {};
  const { name, short_name: shortName } = JSON.parse(only) as Record<string, unknown>;
  return {
    ...(typeof name === 'string' && { organizationName: name }),
    ...(typeof shortName === 'string' && { organizationShortName: shortName }),
  };
}

/** The id of a list's only element, as the default for stations; empty for another number of elements. */
function onlyId(elements: readonly string[], name: string): Readonly<Record<string, string>> {
  const [only, ...others] = elements;
  if (only === undefined || others.length > 0) return {};
  const id = (JSON.parse(only) as Record<string, unknown>)[name];
  return typeof id === 'number' ? { [name]: String(id) } : {};
}
