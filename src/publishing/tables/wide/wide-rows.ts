/** A wide table → rows of the document: one for each cell that has a value, its hour in UTC. */
import { HOUR_MS } from '../../../snapshot/domain/windows.js';
import { shown, type Problems } from '../../../snapshot/document/problems.js';
import { DAY_HOURS } from '../../../snapshot/document/rows/dates.js';
import type { ListTexts } from '../build-lists.js';
import { readCsvLines, type CsvFile, type CsvLine } from '../csv-reader.js';
import type { RowText } from '../write-rows.js';
import { AmbiguousRows, type DecidedRow } from './ambiguous-rows.js';
import { StationNames } from './station-names.js';
import { TableHours } from './table-hours.js';
import { findColumns, type WideColumns } from './wide-columns.js';
import type { WideLayout } from './wide-layout.js';
import { WideValues } from './wide-values.js';

export interface WideOptions {
  readonly layout: WideLayout;
  readonly lists: ListTexts;
  readonly problems: Problems;
  /** Called with how many bytes of the table, as stored, have been read. */
  readonly onProgress?: (bytesRead: number) => void;
}

/**
 * Rows in the order of the table, but for those of an hour over which clocks were put back: they follow once it is
 * known which they are. Memory goes by the stations and the days of each.
 *
 * @throws {DocumentError} for a table or columns that cannot be read; what is wrong in a cell is noted.
 */
export async function* wideRows(
  file: CsvFile,
  { layout, lists, problems, onProgress }: WideOptions,
): AsyncGenerator<RowText, void, undefined> {
  const { delimiter = ',' } = layout;
  const records = readCsvLines(file, { problems, delimiter, ...(onProgress && { onProgress }) });
  const header = (await records.next()).value?.cells ?? [];
  const knownComponents = new Set(lists.components.map(componentId));
  const { name: fileName } = file;
  const columns = findColumns(header, { fileName, layout, knownComponents, problems });
  const stations = new StationNames(lists.stations);
  if (layout.stationColumn === undefined && stations.only() === undefined) {
    problems.fail('stations.csv', 'has more than one station: say --station-column');
  }
  const table = new WideTable({ fileName, header, columns, layout, stations, problems });
  for await (const record of records) yield* table.take(record);
  yield* table.finish();
}

function componentId(json: string): number {
  return Number((JSON.parse(json) as Record<string, unknown>)['component_id']);
}

interface TableOptions {
  readonly fileName: string;
  readonly header: readonly string[];
  readonly columns: WideColumns;
  readonly layout: WideLayout;
  readonly stations: StationNames;
  readonly problems: Problems;
}

/** The hours of one station as far as the table has been read. */
interface StationHours {
  readonly rows: AmbiguousRows<CsvLine>;
  /** Of the hours of each day, a bit for each that has been there. */
  readonly seen: Map<number, number>;
}

class WideTable {
  readonly #options: TableOptions;
  readonly #hours: TableHours;
  readonly #values: WideValues;
  readonly #stations = new Map<number, StationHours>();

  constructor(options: TableOptions) {
    this.#options = options;
    this.#hours = new TableHours(options.layout);
    this.#values = new WideValues(options.layout);
  }

  *take(row: CsvLine): Generator<RowText, void, undefined> {
    const { columns } = this.#options;
    const station = this.#station(row);
    const hour = this.#hours.parse(row.cells[columns.time] ?? '');
    if (hour.kind === 'refused') this.#refuse(row, columns.time, hour.message);
    if (station === undefined || hour.kind === 'refused') return;
    const { first, second } = hour.kind === 'hour' ? { first: hour.hour, second: hour.hour } : hour;
    yield* this.#decided(station, this.#hoursOf(station).rows.take({ row, first, second }));
  }

  *finish(): Generator<RowText, void, undefined> {
    for (const [station, { rows }] of this.#stations) yield* this.#decided(station, rows.finish());
  }

  #station(row: CsvLine): number | undefined {
    const { columns, stations } = this.#options;
    if (columns.station === undefined) return stations.only();
    const cell = row.cells[columns.station] ?? '';
    const found = stations.find(cell);
    if (typeof found === 'number') return found;
    this.#refuse(row, columns.station, `${found}, got ${shown(cell)}`);
    return undefined;
  }

  #hoursOf(station: number): StationHours {
    const known = this.#stations.get(station);
    if (known !== undefined) return known;
    const { ambiguousHours = 'refuse' } = this.#options.layout;
    const hours = { rows: new AmbiguousRows<CsvLine>(ambiguousHours), seen: new Map() };
    this.#stations.set(station, hours);
    return hours;
  }

  *#decided(
    station: number,
    rows: readonly DecidedRow<CsvLine>[],
  ): Generator<RowText, void, undefined> {
    const { columns } = this.#options;
    for (const decided of rows) {
      const { row } = decided;
      if ('message' in decided) {
        const cell = shown(row.cells[columns.time] ?? '');
        this.#refuse(row, columns.time, `${decided.message}, got ${cell}`);
      } else if (this.#isRepeated(station, decided.hour)) {
        const when = dateAndTime(decided.hour).join(' ');
        this.#refuse(row, columns.time, `repeats station ${station}, ${when} UTC`);
      } else {
        yield* this.#rowTexts(row, { station, hour: decided.hour });
      }
    }
  }

  #isRepeated(station: number, hour: number): boolean {
    const { seen } = this.#hoursOf(station);
    const day = Math.floor(hour / DAY_HOURS);
    const bit = 1 << (hour - day * DAY_HOURS);
    const hours = seen.get(day) ?? 0;
    seen.set(day, hours | bit);
    return (hours & bit) !== 0;
  }

  *#rowTexts(
    row: CsvLine,
    { station, hour }: { readonly station: number; readonly hour: number },
  ): Generator<RowText, void, undefined> {
    const [date, time] = dateAndTime(hour);
    const when = `"date":"${date}","time":"${time}"`;
    for (const { position, componentId } of this.#options.columns.components) {
      const value = this.#values.parse(row.cells[position] ?? '');
      if (value.kind === 'refused') this.#refuse(row, position, value.message);
      if (value.kind !== 'value') continue;
      const ids = `"station_id":${station},"component_id":${componentId}`;
      yield { json: `{${ids},${when},"value":${value.json}}`, hour };
    }
  }

  #refuse({ line }: CsvLine, position: number, message: string): void {
    const { fileName, header, problems } = this.#options;
    const column = (header[position] ?? '').trim();
    problems.add(`${fileName}, line ${line}, column ${column}`, message);
  }
}

/** `YYYY-MM-DD` and `HH:MM` of an hour since the epoch, UTC. */
function dateAndTime(hour: number): readonly [string, string] {
  const text = new Date(hour * HOUR_MS).toISOString();
  return [text.slice(0, 10), text.slice(11, 16)];
}
