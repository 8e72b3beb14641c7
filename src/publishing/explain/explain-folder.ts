/** `bura build --explain`: what the tables of a folder are, as far as their names and cells tell, and what nobody but the operator knows. */
import { readdir } from 'node:fs/promises';
import { DocumentError } from '../../snapshot/document/problems.js';
import { IDS_FILE } from '../tables/made-ids.js';
import { findTables } from '../tables/table-file.js';
import type { FormOptions } from '../tables/table-options.js';
import { explainMeasurements } from './measurements.js';
import { addTo, type Beliefs, type Proposal, type Question } from './proposal.js';
import { isDate, isNumeric, profile, type ColumnProfile, type TableProfile } from './profile.js';
import { plain, STATION_WORDS } from './words.js';
import { isMember } from '../tables/cells.js';
import { TABLES } from '../tables/table-options.js';

const TABLE = /\.(?:csv|txt|tsv|dat)(?:\.gz)?$|\.xlsx$/i;

interface ExplainedTable {
  readonly name: string;
  /** Such as `windows-1250, semicolons, header on line 3`. */
  readonly form: string;
  readonly belief: string;
  readonly columns: readonly {
    readonly title: string;
    readonly belief: string;
    readonly examples: readonly string[];
  }[];
}

export interface Explained {
  readonly tables: readonly ExplainedTable[];
  readonly proposal: Proposal;
  readonly questions: readonly Question[];
}

/** @throws {DocumentError} for a folder without any table. */
export async function explainFolder(folder: string, options: FormOptions): Promise<Explained> {
  const names = (await readdir(folder)).filter((name) => TABLE.test(name) && name !== IDS_FILE);
  const profiles: TableProfile[] = [];
  const unread: ExplainedTable[] = [];
  for (const name of names.sort()) {
    for (const file of await findTables(folder, name)) {
      try {
        profiles.push(await profile(file, options));
      } catch (error) {
        if (!(error instanceof DocumentError)) throw error;
        unread.push({ name, form: '', belief: `not read: ${error.message}`, columns: [] });
      }
    }
  }
  if (profiles.length === 0) {
    const why = unread.map(({ belief }) => belief).join('; ');
    throw new DocumentError([{ path: folder, message: `no table is there ${why}`.trim() }], 1);
  }
  const beliefs: Beliefs = new Map();
  const proposal: Proposal = {};
  const questions: Question[] = [];
  const named = (table: string) =>
    profiles.find(({ file }) => new RegExp(`^${table}\\.(?:csv|csv\\.gz|xlsx)$`).test(file.name));
  const stations = named('stations') ?? profiles.find(isStations);
  const rest = profiles.filter(
    (one) =>
      one !== stations && !TABLES.some((table) => table !== 'measurements' && one === named(table)),
  );
  const measurements = rest.filter(
    ({ columns }) => columns.some((one) => isDate(one)) || hasDateParts(columns),
  );
  if (stations) explainStations(stations, { beliefs, proposal, questions });
  else
    questions.push({
      proposal: 'files = { stations = "FILE" }',
      why: 'no table of stations was found',
    });
  if (!named('organizations')) {
    questions.push({ proposal: 'organization-name = "NAME"', why: 'who publishes' });
    questions.push({ proposal: 'organization-short-name = "SHORT"', why: 'its short name' });
  }
  const codes = stations ? codesOf(stations) : new Set<string>();
  explainMeasurements(measurements, {
    codes,
    hasComponents: named('components') !== undefined,
    beliefs,
    proposal,
    questions,
  });
  const isComma = [...(stations ? [stations] : []), ...measurements].some(
    ({ form, columns }) =>
      form.delimiter !== ',' &&
      columns.some((one) => isNumeric(one) && one.cells.some((cell) => /^-?\d+,\d+$/.test(cell))),
  );
  if (isComma) proposal['decimal-comma'] = true;
  return {
    tables: [
      ...profiles.map((one) => explained(one, { beliefs, stations, measurements })),
      ...unread,
    ],
    proposal,
    questions,
  };
}

function hasDateParts(columns: readonly ColumnProfile[]): boolean {
  return columns.some(
    (one) => one.cells.length > 0 && one.cells.every((cell) => /^(?:19|20)\d{2}$/.test(cell)),
  );
}

/** Named as a position, or written as one, and without a date in each row. */
function isStations({ columns }: TableProfile): boolean {
  const words = STATION_WORDS.slice(0, 2).map(([, expression]) => expression);
  const has = (expression: RegExp): boolean =>
    columns.some(({ title }) => expression.test(plain(title)));
  return words.every(has) && !columns.some((one) => isDate(one) && one.distinct.size > 24);
}

interface Context {
  readonly beliefs: Beliefs;
  readonly proposal: Proposal;
  readonly questions: Question[];
}

function explainStations(
  { file, columns }: TableProfile,
  { beliefs, proposal, questions }: Context,
): void {
  if (!/^stations\./.test(file.name)) addTo(proposal, 'files', { stations: file.name });
  const mapping: Record<string, string> = {};
  const taken = new Set<ColumnProfile>();
  const take = (member: string, column: ColumnProfile | undefined): void => {
    if (column === undefined || taken.has(column)) return;
    taken.add(column);
    beliefs.set(column, member);
    if (column.title !== member) mapping[`stations.${member}`] = column.title;
  };
  for (const column of columns) if (isMember('stations', column.title)) take(column.title, column);
  for (const [member, expression] of STATION_WORDS) {
    if ([...beliefs.values()].includes(member)) continue;
    const fits = columns.filter((one) => !taken.has(one) && expression.test(plain(one.title)));
    const isCoded = member === 'station_code';
    // A code is in every row, and in one only.
    take(member, isCoded ? fits.find((one) => one.distinct.size === one.cells.length) : fits[0]);
  }
  Object.assign(proposal, Object.keys(mapping).length > 0 ? { column: mapping } : {});
  const latitude = [...beliefs].find(([, member]) => member === 'latitude')?.[0];
  if (latitude?.cells.some((cell) => Number(cell.replace(',', '.')) > 180) === true) {
    questions.push({
      proposal: 'coordinates = "EPSG:32633"',
      why: `the coordinate system of ${latitude.title}, ${latitude.cells[0] ?? ''}`,
    });
  }
  const type = [...beliefs].find(([, member]) => member === 'station_type')?.[0];
  const types = [...(type?.distinct ?? [])].filter(
    (one) => !/^(?:traffic|urban|background|industrial|rural|other)$/.test(one),
  );
  if (types.length > 0) {
    const words = Object.fromEntries(types.map((one) => [one, typeOf(one)]));
    proposal['station-type'] = words;
  }
}

/** By the words of a few languages; `other` for none of them. */
function typeOf(text: string): string {
  const words = plain(text);
  const found = (
    [
      ['traffic', /traf|promet|saobra|verkehr|komunik|doprav/],
      ['industrial', /indus|przem|prumysl/],
      ['rural', /rural|rurale|landl|rural|wiejsk|seosk|venkov/],
      ['background', /backg|fondo|fond|hinterg|pozadin|tlo|tlow|pozad/],
      ['urban', /urb|grad|stadt|miejsk|mestsk|residen/],
    ] as const
  ).find(([, expression]) => expression.test(words));
  return found?.[0] ?? 'other';
}

/** What measurements may call stations by. */
function codesOf({ columns }: TableProfile): ReadonlySet<string> {
  return new Set(
    columns
      .filter((one) => !isDate(one))
      .flatMap((one) => (one.distinct.size === one.cells.length ? [...one.distinct] : [])),
  );
}

function explained(
  one: TableProfile,
  {
    beliefs,
    stations,
    measurements,
  }: {
    beliefs: Beliefs;
    stations: TableProfile | undefined;
    measurements: readonly TableProfile[];
  },
): ExplainedTable {
  const { file, form, headerLine, columns } = one;
  const delimiter = { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'bars' }[form.delimiter];
  const words = [
    form.encoding,
    delimiter,
    headerLine > 1 ? `header on line ${headerLine}` : undefined,
  ];
  const belief =
    one === stations
      ? 'stations'
      : measurements.includes(one)
        ? 'measurements'
        : 'not used, or a table by its name';
  return {
    name: file.name,
    form: words.filter(Boolean).join(', '),
    belief,
    columns: columns.map((column) => ({
      title: column.title,
      belief: beliefs.get(column) ?? 'not used',
      examples: [...column.distinct].slice(0, 3),
    })),
  };
}
