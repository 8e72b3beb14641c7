/** The flags of `bura build` that say what tables are like (`docs/tables.md`, "Other tables"); `bura.toml` has the same. */
import { Option, type Command } from 'commander';
import { TABLES } from '../../publishing/tables/table-options.js';
import {
  AMBIGUOUS_HOURS,
  DATE_ORDERS,
  HOUR_MARKS,
  SHAPES,
  type TableLayout,
} from '../../publishing/tables/layout/table-layout.js';
import { parseCoordinateSystem } from '../../publishing/tables/positions.js';
import { DELIMITERS, ENCODINGS } from '../../publishing/tables/table-form.js';
import type { TableOptions } from '../../publishing/tables/table-options.js';
import { repeatable, text, UsageError, type Flags } from '../command.js';

const TABLES_GROUP = 'Tables as agencies have them (also in bura.toml):';
const GROUP = 'Measurements with columns of their own (also in bura.toml):';

/** Also the flag of a setting, which all commands have. */
const TIME_ZONE = '--time-zone <zone>';

export function addTableFlags(command: Command): void {
  for (const option of tableFlags()) command.addOption(option.helpGroup(TABLES_GROUP));
  command.addOption(
    new Option('--layout <layout>', LAYOUT_WORDS).choices(SHAPES).default('long').helpGroup(GROUP),
  );
  for (const option of layoutFlags()) command.addOption(option.helpGroup(GROUP));
}

const LAYOUT_WORDS =
  'a row of measurements is a value (long), or those of an hour by component (wide) or by station (stations), or those of a day (hours)';

function tableFlags(): readonly Option[] {
  return [
    repeatable(
      '--files <table=pattern>',
      'files of a table, such as measurements=*.csv or {station}_{component}.csv; default: TABLE.csv',
    ),
    repeatable(
      '--column <table.member=column>',
      'column of a member, such as stations.latitude=Lat',
    ),
    new Option('--encoding <encoding>', 'of all tables; default: found').choices(ENCODINGS),
    new Option(
      '--delimiter <name>',
      'what is between cells, of tables that have it; default: found',
    ).choices(Object.keys(DELIMITERS)),
    new Option('--decimal-comma', 'numbers are written as 12,5, but between commas'),
    repeatable('--missing <value>', 'what stands for no value, such as -999; may be repeated'),
    new Option('--coordinates <epsg>', 'what latitude (northing) and longitude (easting) are in'),
    repeatable('--component <code=unit>', 'a component, if there is no table of components'),
    repeatable(
      '--station-type <word=type>',
      "what a table's own word for the type of a station means",
    ),
    new Option('--header-line <n>', 'line of the header of measurements; default: 1'),
    new Option('--first-line <n>', 'line of the first row of measurements'),
  ];
}

function layoutFlags(): readonly Option[] {
  return [
    new Option('--time-column <column>', 'column of date and time'),
    repeatable('--date-column <column>', 'column of the date; three times: year, month, day'),
    new Option('--hour-column <column>', 'column of the hour, beside that of the date'),
    new Option('--hour-columns <pattern>', 'columns of hours with --layout hours, such as H%'),
    new Option('--dates <order>', 'what 05/10/2026 begins with').choices(DATE_ORDERS),
    new Option('--station-column <column>', 'column of the id, code or name of the station'),
    new Option('--component-column <column>', 'column of the id or code of the component'),
    new Option('--value-column <column>', 'column of the value'),
    repeatable('--valid <column=values>', 'what a value is valid with, such as V%=V or State=V,O'),
    new Option(
      TIME_ZONE,
      'of times that name no offset, such as Europe/Belgrade; never taken from TIME_ZONE',
    ),
    new Option('--hour-marks <end>', 'whether a time is the start or the end of its hour').choices(
      HOUR_MARKS,
    ),
    new Option(
      '--ambiguous-hours <which>',
      'where clocks were put back and only one hour of two is there; default: refuse',
    ).choices(AMBIGUOUS_HOURS),
    repeatable(
      '--map <column=component>',
      'column, or name in the column of components, of a component by id or code; may be repeated',
    ),
    repeatable('--ignore <column>', 'column or component to leave out; may be repeated'),
  ];
}

/** @throws {UsageError} naming the value. */
export function tableOptions(flags: Flags): Partial<TableOptions> {
  const { encoding, timeZone } = { ...text(flags, 'encoding'), ...text(flags, 'timeZone') };
  const found = ENCODINGS.find((known) => known === encoding);
  const delimiter = Object.entries(DELIMITERS).find(([name]) => name === flags['delimiter'])?.[1];
  const files = pairs(flags, 'files');
  const columns = pairs(flags, 'column');
  const unknown = [...files.keys()].find((name) => !TABLES.some((table) => table === name));
  if (unknown !== undefined) {
    throw new UsageError(`--files ${unknown}: expected one of ${TABLES.join(', ')}`);
  }
  const { coordinates } = text(flags, 'coordinates');
  const system = coordinates === undefined ? undefined : parseCoordinateSystem(coordinates);
  if (coordinates !== undefined && system === undefined) {
    throw new UsageError(
      `--coordinates is ${JSON.stringify(coordinates)}: expected a known code such as EPSG:32633`,
    );
  }
  return {
    files: new Map(
      TABLES.flatMap((table) => {
        const pattern = files.get(table);
        return pattern === undefined ? [] : [[table, pattern]];
      }),
    ),
    columns,
    ...(found && { encoding: found }),
    ...(delimiter && { delimiter }),
    ...(timeZone !== undefined && { timeZone }),
    decimalComma: flags['decimalComma'] === true,
    missing: texts(flags, 'missing'),
    ...(system !== undefined && { coordinates: system }),
    components: pairs(flags, 'component'),
    stationTypes: pairs(flags, 'stationType'),
    ...lineFlag(flags, 'headerLine'),
    ...lineFlag(flags, 'firstLine'),
  };
}

function lineFlag<Name extends string>(flags: Flags, name: Name): Partial<Record<Name, number>> {
  const found: Partial<Record<Name, number>> = {};
  const value = text(flags, name)[name];
  if (value === undefined) return found;
  if (!/^[1-9]\d{0,5}$/.test(value)) {
    throw new UsageError(`--${kebab(name)} is ${JSON.stringify(value)}: expected a line, from 1`);
  }
  found[name] = Number(value);
  return found;
}

/** The layout that the flags ask for. @throws {UsageError} for flags that do not go together. */
export function tableLayout(flags: Flags): { readonly layout?: TableLayout } {
  const shape = SHAPES.find((known) => known === flags['layout']) ?? 'long';
  const given = layoutFlags().filter(
    (option) => option.flags !== TIME_ZONE && flags[option.attributeName()] !== undefined,
  );
  const [first] = given;
  if (shape === 'long' && first === undefined) return {};
  const layout = {
    shape,
    ...text(flags, 'timeColumn'),
    ...(flags['dateColumn'] !== undefined && { dateColumns: texts(flags, 'dateColumn') }),
    ...text(flags, 'hourColumn'),
    ...text(flags, 'hourColumns'),
    ...text(flags, 'stationColumn'),
    ...text(flags, 'componentColumn'),
    ...text(flags, 'valueColumn'),
    ...text(flags, 'timeZone'),
    ...choice('dateOrder', DATE_ORDERS, flags['dates']),
    ...choice('ambiguousHours', AMBIGUOUS_HOURS, flags['ambiguousHours']),
    valid: new Map([...pairs(flags, 'valid')].map(([column, values]) => [column, list(values)])),
    hourMarks: HOUR_MARKS.find((known) => known === flags['hourMarks']),
    components: mapped(flags),
    ignoredColumns: texts(flags, 'ignore'),
  };
  const { hourMarks } = layout;
  const missing = missingFlags(layout);
  if (missing.length > 0 || hourMarks === undefined) {
    const also = hourMarks === undefined ? ['--hour-marks'] : [];
    const needed = [...missing, ...also].join(', ');
    throw new UsageError(
      shape === 'long' && first
        ? `${String(first.long)} needs --layout wide, stations or hours, or else ${needed}`
        : `--layout ${shape} needs ${needed}`,
    );
  }
  refuseTwice(layout);
  return { layout: { ...layout, hourMarks } };
}

function choice<Name extends string, Value extends string>(
  name: Name,
  values: readonly Value[],
  given: unknown,
): Partial<Record<Name, Value>> {
  const found: Partial<Record<Name, Value>> = {};
  const value = values.find((known) => known === given);
  if (value !== undefined) found[name] = value;
  return found;
}

type Draft = Omit<TableLayout, 'hourMarks'>;

/** What a layout cannot do without. */
function missingFlags(layout: Draft): readonly string[] {
  const { shape, timeColumn, dateColumns, hourColumn, hourColumns, valueColumn, components } =
    layout;
  const missing: string[] = [];
  const dates = dateColumns?.length ?? 0;
  if (shape === 'hours') {
    if (dates === 0) missing.push('--date-column');
    if (hourColumns?.includes('%') !== true) missing.push('--hour-columns with a %');
  } else if (timeColumn === undefined && (dates === 0 || hourColumn === undefined)) {
    missing.push('--time-column, or --date-column and --hour-column');
  }
  if (dates === 2 || dates > 3) missing.push('one --date-column or three');
  if (shape === 'long' && valueColumn === undefined) missing.push('--value-column');
  if (shape === 'wide' && components.size === 0) missing.push('at least one --map');
  return missing;
}

function refuseTwice(layout: Draft): void {
  const { timeColumn, dateColumns = [], hourColumn, stationColumn, componentColumn } = layout;
  const columns = [
    ...[timeColumn, ...dateColumns, hourColumn, stationColumn, componentColumn],
    ...[layout.valueColumn, ...(layout.shape === 'wide' ? layout.components.keys() : [])],
    ...layout.ignoredColumns,
  ].filter((column) => column !== undefined);
  const twice = columns.find((column, index) => columns.indexOf(column) < index);
  if (twice !== undefined) {
    throw new UsageError(`the flags say two things of the column ${JSON.stringify(twice)}`);
  }
}

function list(values: string): readonly string[] {
  return values.split(',').map((value) => value.trim());
}

function texts(flags: Flags, name: string): readonly string[] {
  const values = flags[name];
  return Array.isArray(values) ? values.map(String) : [];
}

/** What is before and after the last `=` of each. @throws {UsageError} */
function pairs(flags: Flags, name: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const pair of texts(flags, name)) {
    const [, key = '', value = ''] = /^(.+?)=(.+)$/.exec(pair) ?? [];
    const flag = `--${kebab(name)}`;
    if (key === '' || value.trim() === '') {
      throw new UsageError(`${flag} is ${JSON.stringify(pair)}: expected something, = and a value`);
    }
    if (found.has(key.trim())) throw new UsageError(`${flag} ${key.trim()} is there twice`);
    found.set(key.trim(), value.trim());
  }
  return found;
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Components by column: ids are numbers, codes are texts. */
function mapped(flags: Flags): ReadonlyMap<string, number | string> {
  const components = new Map<string, number | string>();
  for (const map of texts(flags, 'map')) {
    const [, column = '', component = ''] = /^(.+)=(.+)$/.exec(map) ?? [];
    if (column.trim() === '' || component.trim() === '') {
      throw new UsageError(
        `--map is ${JSON.stringify(map)}: expected a column, = and a component id or code`,
      );
    }
    const [name, value] = [column.trim(), component.trim()];
    const id = /^\d{1,15}$/.test(value) ? Number(value) : value;
    if (components.has(name) || [...components.values()].includes(id)) {
      throw new UsageError(`--map ${map}: the column or the component is mapped already`);
    }
    components.set(name, id);
  }
  return components;
}
