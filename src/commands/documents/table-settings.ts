/** The flags of `table-flags.ts` → what they say of tables. */
import {
  AMBIGUOUS_HOURS,
  DATE_ORDERS,
  HOUR_MARKS,
  SHAPES,
  type TableLayout,
} from '../../publishing/tables/layout/table-layout.js';
import { parseCoordinateSystem } from '../../publishing/tables/positions.js';
import {
  DELIMITERS,
  ENCODINGS,
  TABLES,
  type TableOptions,
} from '../../publishing/tables/table-options.js';
import { text, UsageError, type Flags } from '../command.js';
import { layoutFlags, TIME_ZONE } from './table-flags.js';

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
