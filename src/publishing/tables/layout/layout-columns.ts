/** The header of a table with a layout of its own: which column is what. */
import { shown, type Problems } from '../../../snapshot/document/problems.js';
import type { TableFile } from '../table-file.js';
import type { Names } from './names.js';
import type { TableLayout } from './table-layout.js';

/** A column of values, and what it says of them. */
export interface ValueColumn {
  readonly position: number;
  readonly componentId?: number;
  readonly stationId?: number;
  /** Of the shape `hours`. */
  readonly hour?: number;
  /** The column that says whether the value is one, and what it says then. */
  readonly valid?: { readonly position: number; readonly values: readonly string[] } | undefined;
}

export interface LayoutColumns {
  readonly header: readonly string[];
  /** One of a time, or those of the date. */
  readonly time: readonly number[];
  /** -1 where the table has no such column. */
  readonly hour: number;
  readonly station: number;
  readonly component: number;
  /** In the order of the table. */
  readonly values: readonly ValueColumn[];
  /** Positions that must be blank: columns without a name. */
  readonly nameless: readonly number[];
}

interface Options {
  readonly file: TableFile;
  readonly layout: TableLayout;
  readonly stations: Names;
  readonly components: Names;
  readonly problems: Problems;
}

/**
 * Positions of the columns.
 *
 * @throws {DocumentError} naming every column that is missing, twice there, or neither used nor ignored.
 */
export function findColumns(record: readonly string[], options: Options): LayoutColumns {
  const { file, layout, problems } = options;
  const header = record.map((title) => title.trim());
  const { timeColumn, dateColumns = [], hourColumn, stationColumn, componentColumn } = layout;
  const times = timeColumn === undefined ? dateColumns : [timeColumn];
  const own = [...times, hourColumn, stationColumn, componentColumn].filter(
    (title) => title !== undefined,
  );
  const values = valueColumns(header, options);
  const flags = new Set(values.flatMap(({ valid }) => (valid ? [valid.position] : [])));
  for (const title of [...own, ...columnsToFind(layout)]) {
    if (header.includes(title)) continue;
    const columns = header.map((one) => shown(one)).join(', ');
    problems.add(file.name, `no column ${shown(title)}; there are ${columns || 'none'}`);
  }
  const last = header.findLastIndex((title) => title !== '');
  const isStrict =
    layout.shape === undefined || layout.shape === 'wide' || layout.shape === 'stations';
  header.forEach((title, index) => {
    if (layout.ignoredColumns.includes(title) || index > last) return;
    const isUsed =
      own.includes(title) || flags.has(index) || values.some(({ position }) => position === index);
    if (isUsed && header.indexOf(title) < index && !flags.has(index)) {
      problems.add(`${file.name}, line 1`, `column ${shown(title)} is there twice`);
    } else if (!isUsed && isStrict) {
      const column =
        title === '' ? `column ${index + 1}, which has no name,` : `column ${shown(title)}`;
      problems.add(
        `${file.name}, line 1`,
        `${column} is neither mapped nor ignored: say --map or --ignore`,
      );
    }
  });
  problems.throwIfAny();
  const at = (title: string | undefined): number =>
    title === undefined ? -1 : header.indexOf(title);
  return {
    header,
    time: times.map(at),
    hour: at(hourColumn),
    station: at(stationColumn),
    component: at(componentColumn),
    values,
    nameless: header.flatMap((title, index) => (title === '' && index > last ? [index] : [])),
  };
}

/** Columns of values that are named one by one. */
function columnsToFind({
  shape = 'wide',
  components,
  valueColumn,
}: TableLayout): readonly string[] {
  if (shape === 'wide') return [...components.keys()];
  return shape === 'long' && valueColumn !== undefined ? [valueColumn] : [];
}

function valueColumns(header: readonly string[], options: Options): readonly ValueColumn[] {
  const { layout } = options;
  const { shape = 'wide' } = layout;
  const found = header.flatMap((title, position): readonly ValueColumn[] => {
    if (shape === 'wide') return mapped(title, position, options);
    if (shape === 'long') return title === layout.valueColumn ? [{ position }] : [];
    if (shape === 'hours') {
      const hour = hourOf(title, layout.hourColumns ?? '');
      return hour === undefined ? [] : [{ position, hour }];
    }
    if (title === layout.timeColumn || layout.ignoredColumns.includes(title)) return [];
    const stationId = options.stations.find(title);
    return typeof stationId === 'number' ? [{ position, stationId }] : [];
  });
  return found.map((column, index) => ({
    ...column,
    valid: validity(header, { column, next: found[index + 1]?.position ?? header.length, layout }),
  }));
}

function mapped(
  title: string,
  position: number,
  { layout, components, problems }: Options,
): readonly ValueColumn[] {
  const id = layout.components.get(title);
  if (id === undefined) return [];
  const componentId = components.find(String(id));
  if (typeof componentId === 'number') return [{ position, componentId }];
  const message = typeof id === 'number' ? `no component has id ${id}` : componentId;
  problems.add(`--map ${title}=${id}`, message);
  return [];
}

/** The column of validity that stands after a value's column and before the next one; for a single value, anywhere. */
function validity(
  header: readonly string[],
  {
    column,
    next,
    layout,
  }: { readonly column: ValueColumn; readonly next: number; readonly layout: TableLayout },
) {
  for (const [title, values] of layout.valid ?? []) {
    const isLong = layout.shape === 'long';
    const position = header.findIndex(
      (one, index) =>
        (isLong || (index > column.position && index < next)) &&
        (one === title || (column.hour !== undefined && hourOf(one, title) === column.hour)),
    );
    if (position !== -1) return { position, values };
  }
  return undefined;
}

/** The hour in a title such as `H07`, by a pattern such as `H%`. */
function hourOf(title: string, pattern: string): number | undefined {
  const [before = '', after = ''] = pattern.split('%');
  if (!pattern.includes('%') || !title.startsWith(before) || !title.endsWith(after))
    return undefined;
  const digits = title.slice(before.length, title.length - after.length);
  return /^\d{1,2}(?::00)?$/.test(digits) && Number.parseInt(digits, 10) <= 24
    ? Number.parseInt(digits, 10)
    : undefined;
}
