/** Tables with a layout of their own → rows of the document: one for each cell that has a value, its hour in UTC. */
import { HOUR_MS } from '../../../snapshot/domain/windows.js';
import { shown, type Problems } from '../../../snapshot/document/problems.js';
import { DAY_HOURS } from '../../../snapshot/document/rows/dates.js';
import type { ListTexts } from '../build-lists.js';
import { NumberCells } from '../number-cells.js';
import type { TableFile } from '../table-file.js';
import { findForm, type TableForm } from '../table-form.js';
import type { TableOptions } from '../table-options.js';
import { readTableLines, type TableLine } from '../table-reader.js';
import type { RowText } from '../write-rows.js';
import { AmbiguousRows, type DecidedRow } from './ambiguous-rows.js';
import { findColumns, type LayoutColumns, type ValueColumn } from './layout-columns.js';
import { Names } from './names.js';
import { TableHours } from './table-hours.js';
import type { TableLayout } from './table-layout.js';

export interface LayoutOptions {
  readonly layout: TableLayout;
  readonly tableOptions: TableOptions;
  readonly lists: ListTexts;
  readonly problems: Problems;
  /** Called with how many bytes of all tables, as stored, have been read. */
  readonly onProgress?: (bytesRead: number) => void;
  readonly onForm?: (file: TableFile, form: TableForm) => void;
}

/**
 * Rows in the order of the tables, but for those of an hour over which clocks were put back: they follow once it is
 * known which they are. Memory goes by the series and the days of each.
 *
 * @throws {DocumentError} for a table or columns that cannot be read; what is wrong in a cell is noted.
 */
export async function* layoutRows(
  files: readonly TableFile[],
  options: LayoutOptions,
): AsyncGenerator<RowText, void, undefined> {
  const { lists, layout } = options;
  const stations = new Names('station', lists.stations);
  const components = new Names('component', lists.components);
  const series = new SeriesHours(layout, options.problems);
  let doneBytes = 0;
  for (const file of files) {
    const onProgress = (bytesRead: number) => options.onProgress?.(doneBytes + bytesRead);
    const form = await findForm(file, { ...options.tableOptions, problems: options.problems });
    options.onForm?.(file, form);
    const lines = readTableLines(file, { form, problems: options.problems, onProgress });
    const header = (await lines.next()).value?.cells ?? [];
    const table = new LayoutTable(header, { ...options, file, form, stations, components });
    for await (const line of lines) {
      if (line.line < (options.tableOptions.firstLine ?? 0)) continue;
      for (const reading of table.take(line)) yield* series.take(reading);
    }
    doneBytes += file.sizeBytes;
  }
  yield* series.finish();
}

/** Values of one hour, with one time. */
interface Reading {
  /** Of those rows that must have different hours. */
  readonly key: string;
  readonly first: number;
  readonly second: number;
  readonly rows: readonly { readonly ids: string; readonly json: string }[];
  readonly line: TableLine;
  readonly table: LayoutTable;
}

interface OpenTable extends LayoutOptions {
  readonly file: TableFile;
  readonly form: TableForm;
  readonly stations: Names;
  readonly components: Names;
}

type Found = number | { readonly message: string } | { readonly kind: 'ignored' };

class LayoutTable {
  readonly file: TableFile;
  readonly #options: OpenTable;
  readonly #columns: LayoutColumns;
  readonly #hours: TableHours;
  readonly #numbers: NumberCells;
  /** What cells mean: a table repeats few of them. */
  readonly #known: Record<'station' | 'component', Map<string, Found>>;

  /** @throws {DocumentError} */
  constructor(header: readonly string[], options: OpenTable) {
    const { layout, form, tableOptions } = options;
    this.file = options.file;
    this.#options = options;
    this.#hours = new TableHours(layout);
    this.#numbers = new NumberCells({ ...tableOptions, ...form });
    this.#columns = findColumns(header, options);
    this.#known = { station: new Map(), component: new Map() };
    const { shape = 'wide' } = layout;
    const needed = [
      ...(shape === 'stations' ? [] : (['station'] as const)),
      ...(shape === 'wide' ? [] : (['component'] as const)),
    ];
    for (const kind of needed) {
      if (this.#columns[kind] === -1) this.#known[kind].set('', this.#fixed(kind));
    }
  }

  /** Where a line is, in words. */
  place({ line }: TableLine, position = this.#columns.time[0] ?? -1): string {
    const title = this.#columns.header[position];
    const column = title === '' ? position + 1 : title;
    return `${this.file.name}, line ${line}${column === undefined ? '' : `, column ${column}`}`;
  }

  /** The time of a line as it is written. */
  writtenTime({ cells }: TableLine): string {
    return this.#columns.time.map((position) => cells[position] ?? '').join('-');
  }

  *take(line: TableLine): Generator<Reading, void, undefined> {
    const { shape = 'wide' } = this.#options.layout;
    const { cells } = line;
    for (const position of this.#columns.nameless) {
      const cell = cells[position]?.trim() ?? '';
      if (cell !== '') this.#refuse(line, position, `${shown(cell)} is in a column without a name`);
    }
    const component = shape === 'wide' ? '' : this.#idOf('component', line);
    if (component === undefined) return;
    const station = shape === 'stations' ? '' : this.#idOf('station', line);
    if (station === undefined) return;
    const key = `${station}/${component}`;
    const { values } = this.#columns;
    if (shape !== 'hours') {
      const time = this.#time(line, undefined);
      if (time === undefined) return;
      const rows = values.flatMap((column) => this.#row(line, column, { station, component }));
      yield { key, ...time, rows, line, table: this };
      return;
    }
    for (const column of values) {
      const rows = this.#row(line, column, { station, component });
      // Hours that clocks were put forward over have a column, and no value.
      if (rows.length === 0) continue;
      const time = this.#time(line, column.hour);
      if (time !== undefined) yield { key, ...time, rows, line, table: this };
    }
  }

  /** One row, or none where there is no value. */
  #row(
    line: TableLine,
    { position, stationId, componentId, valid }: ValueColumn,
    { station, component }: { readonly station: number | ''; readonly component: number | '' },
  ): Reading['rows'] {
    const { cells } = line;
    if (valid && !valid.values.includes(cells[valid.position]?.trim() ?? '')) return [];
    const value = this.#numbers.parse(cells[position] ?? '');
    if (value.kind === 'refused') this.#refuse(line, position, value.message);
    if (value.kind !== 'value') return [];
    const ids = `"station_id":${stationId ?? station},"component_id":${componentId ?? component}`;
    return [{ ids, json: value.json }];
  }

  #time(line: TableLine, ofColumn: number | undefined) {
    const { time, hour } = this.#columns;
    const hourCell = ofColumn === undefined ? line.cells[hour] : String(ofColumn);
    const found = this.#hours.parse(this.writtenTime(line), hourCell);
    if (found.kind === 'hour') return { first: found.hour, second: found.hour };
    if (found.kind === 'ambiguous') return { first: found.first, second: found.second };
    this.#refuse(line, time[0] ?? -1, found.message);
    return undefined;
  }

  /** Undefined for one that is to be left out, or is refused. */
  #idOf(kind: 'station' | 'component', line: TableLine): number | undefined {
    const position = this.#columns[kind];
    const cell = line.cells[position] ?? '';
    const known = this.#known[kind].get(cell) ?? this.#find(kind, cell);
    this.#known[kind].set(cell, known);
    if (typeof known === 'number') return known;
    if ('message' in known) this.#refuse(line, position, known.message);
    return undefined;
  }

  #find(kind: 'station' | 'component', cell: string): Found {
    const { layout } = this.#options;
    const text = cell.trim();
    if (kind === 'component' && layout.ignoredColumns.includes(text)) return { kind: 'ignored' };
    const mapped = kind === 'component' ? layout.components.get(text) : undefined;
    const names = this.#options[kind === 'station' ? 'stations' : 'components'];
    const found = names.find(String(mapped ?? text));
    return typeof found === 'number' ? found : { message: `${found}, got ${shown(cell)}` };
  }

  /** By the file's name, else the only one. @throws {DocumentError} */
  #fixed(kind: 'station' | 'component'): Found {
    const named = this.file.named[kind];
    if (named !== undefined) return this.#find(kind, named);
    const only = this.#options[kind === 'station' ? 'stations' : 'components'].only();
    if (only !== undefined) return only;
    return this.#options.problems.fail(
      `${kind}s.csv`,
      `has more than one ${kind}: say --${kind}-column, or {${kind}} in --files`,
    );
  }

  #refuse(line: TableLine, position: number, message: string): void {
    this.#options.problems.add(this.place(line, position), message);
  }
}

interface Hours {
  readonly rows: AmbiguousRows<Reading>;
  /** A bit for each hour of a day, by days since the epoch. */
  readonly seen: Map<number, number>;
}

/** The hours of each series, no two of which may be the same. */
class SeriesHours {
  readonly #layout: TableLayout;
  readonly #problems: Problems;
  readonly #series = new Map<string, Hours>();

  constructor(layout: TableLayout, problems: Problems) {
    this.#layout = layout;
    this.#problems = problems;
  }

  *take(reading: Reading): Generator<RowText, void, undefined> {
    const { first, second } = reading;
    yield* this.#decided(this.#of(reading).rows.take({ row: reading, first, second }));
  }

  *finish(): Generator<RowText, void, undefined> {
    for (const { rows } of this.#series.values()) yield* this.#decided(rows.finish());
  }

  #of({ key }: Reading): Hours {
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    const { ambiguousHours = 'refuse' } = this.#layout;
    const hours = { rows: new AmbiguousRows<Reading>(ambiguousHours), seen: new Map() };
    this.#series.set(key, hours);
    return hours;
  }

  *#decided(rows: readonly DecidedRow<Reading>[]): Generator<RowText, void, undefined> {
    for (const decided of rows) {
      const { row } = decided;
      if ('message' in decided) {
        const written = shown(row.table.writtenTime(row.line));
        this.#problems.add(row.table.place(row.line), `${decided.message}, got ${written}`);
      } else if (this.#isRepeated(row, decided.hour)) {
        const when = dateAndTime(decided.hour).join(' ');
        const [station, component] = row.key.split('/');
        const what = [station && `station ${station}`, component && `component ${component}`];
        const place = row.table.place(row.line);
        this.#problems.add(place, `repeats ${what.filter(Boolean).join(', ')}, ${when} UTC`);
      } else {
        const [date, time] = dateAndTime(decided.hour);
        const at = { file: row.table.file, line: row.line.line };
        for (const { ids, json } of row.rows) {
          const text = `{${ids},"date":"${date}","time":"${time}","value":${json}}`;
          yield { json: text, hour: decided.hour, at };
        }
      }
    }
  }

  #isRepeated(reading: Reading, hour: number): boolean {
    const { seen } = this.#of(reading);
    const day = Math.floor(hour / DAY_HOURS);
    const bit = 1 << (hour - day * DAY_HOURS);
    const hours = seen.get(day) ?? 0;
    seen.set(day, hours | bit);
    return (hours & bit) !== 0;
  }
}

/** `YYYY-MM-DD` and `HH:MM` of an hour since the epoch, UTC. */
function dateAndTime(hour: number): readonly [string, string] {
  const text = new Date(hour * HOUR_MS).toISOString();
  return [text.slice(0, 10), text.slice(11, 16)];
}
