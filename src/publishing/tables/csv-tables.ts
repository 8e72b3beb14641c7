/** Reads the five tables of a folder (`docs/tables.md`, "CSV tables"); the only file that loads csv-parse. */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { plainBytes } from '../../snapshot/document/json/bytes.js';
import { utf8Text } from '../../snapshot/document/json/text.js';
import { FileError, systemCode } from '../../files/file-error.js';
import { statIfExists } from '../../files/regular-file.js';
import type { Problems, Refuse } from '../../snapshot/document/problems.js';
import { DAY_HOURS, parseDay, parseHourOfDay } from '../../snapshot/document/rows/dates.js';
import { columnsOf, type ListName, type Table } from './table-columns.js';
import { RecordWriter } from './record-writer.js';
import type { RowText } from './row-texts.js';

/** Longest record, in bytes: an unclosed quote would take the rest of the file. */
const MAX_RECORD_BYTES = 1024 * 1024;

interface TableFile {
  readonly name: string;
  readonly path: string;
  readonly sizeBytes: number;
}

/**
 * The table of one of the document's lists (stations, components, organizations or networks), with its cells as texts.
 */
interface ListTable {
  /** Name in messages, such as `stations.csv`. */
  readonly name: string;
  readonly titles: readonly string[];
  readonly records: readonly (readonly string[])[];
}

export class CsvTables {
  readonly #folder: string;
  readonly #problems: Problems;
  readonly #onProgress: ((doneBytes: number, totalBytes: number) => void) | undefined;
  /** Tables read so far. */
  readonly read = new Map<Table, Pick<ListTable, 'name' | 'titles'> & Partial<ListTable>>();
  readonly #isMade: boolean;

  /** @param options.problems collects faults of files and cells. */
  constructor(
    folder: string,
    options: {
      readonly problems: Problems;
      /** Whether `bura.sql` made the tables: messages then name relations instead of files; default: false. */
      readonly isMade?: boolean;
      readonly onProgress?: ((doneBytes: number, totalBytes: number) => void) | undefined;
    },
  ) {
    this.#folder = folder;
    this.#problems = options.problems;
    this.#isMade = options.isMade ?? false;
    this.#onProgress = options.onProgress;
  }

  /** The table of a list; undefined if the folder lacks it. @throws {DocumentError} @throws {FileError} */
  async list(list: ListName): Promise<ListTable | undefined> {
    const file = await this.#find(list);
    if (file === undefined) return undefined;
    const records: (readonly string[])[] = [];
    for await (const record of this.#read(file)) records.push(record);
    const table = { name: file.name, titles: records.shift() ?? [], records };
    this.read.set(list, table);
    return table;
  }

  async *rows(): AsyncGenerator<RowText, void, undefined> {
    const problems = this.#problems;
    const file = await this.#find('measurements');
    if (file === undefined) {
      this.noteMissing('measurements');
      problems.throwIfAny();
      return;
    }
    const records = this.#read(file, (bytes) => this.#onProgress?.(bytes, file.sizeBytes));
    const titles = (await records.next()).value ?? [];
    this.read.set('measurements', { name: file.name, titles });
    const columns = columnsOf({ table: 'measurements', name: file.name, titles }, problems);
    problems.throwIfAny();
    const writer = new RecordWriter('measurements', { columns, problems });
    const [date = -1, time = -1] = ['date', 'time'].map(
      (name) => columns.find((column) => column.name === name)?.position,
    );
    let index = 0;
    for await (const record of records) {
      yield { json: writer.write(record, index), hour: hourOf(record[date], record[time]) };
      index += 1;
    }
  }

  /** Converts a path in the document, such as `stations[3].latitude`, to a place in the tables. */
  placeOf(path: string): string {
    const [, table = '', index = '', column] = /^([a-z]+)\[(\d+)\](?:\.(\w+))?/.exec(path) ?? [];
    const read = this.read.get(table as Table);
    if (read === undefined) return path;
    const { name, titles, records } = read;
    // The header is the first row.
    let row = `${name}, row ${Number(index) + 2}`;
    if (this.#isMade) {
      const title = ['station_code', 'short_name', 'network_code'].find((one) =>
        titles.includes(one),
      );
      const code = title && records?.[Number(index)]?.[titles.indexOf(title)];
      row = code
        ? `${table}, ${title} ${code}`
        : `${table}, row ${Number(index) + 1} by station, component and time`;
    }
    return `${row}${column === undefined ? '' : `, column ${column}`}`;
  }

  noteMissing(table: Table): void {
    this.#problems.add(`${table}.csv`, `not found in ${this.#folder} (nor as ${table}.csv.gz)`);
  }

  /** The file of a table, plain or gzip; both at once are a problem. */
  async #find(table: Table): Promise<TableFile | undefined> {
    const forms: TableFile[] = [];
    for (const name of [`${table}.csv`, `${table}.csv.gz`]) {
      const path = join(this.#folder, name);
      const status = await statIfExists(path).catch((error: unknown) => {
        throw new FileError(`read ${path}`, error);
      });
      if (status === undefined) continue;
      if (!status.isFile()) throw new FileError(`read ${path}`, new Error('not a regular file'));
      forms.push({ name, path, sizeBytes: status.size });
    }
    const [first, second] = forms;
    if (first && second) this.#problems.fail(first.name, `there is a ${second.name} too`);
    return first;
  }

  /** Records (RFC 4180) of equal length, the header first, without empty lines. */
  async *#read(
    file: TableFile,
    onProgress?: (bytesRead: number) => void,
  ): AsyncGenerator<readonly string[], void, undefined> {
    const refuse: Refuse = (message, options) => this.#problems.fail(file.name, message, options);
    const parser = parse({
      bom: true,
      skip_empty_lines: true,
      max_record_size: MAX_RECORD_BYTES,
    });
    const bytes = plainBytes(createReadStream(file.path), refuse, onProgress);
    const text = Readable.from(utf8Text(bytes, refuse));
    text.on('error', (error) => parser.destroy(error));
    text.pipe(parser);
    try {
      for await (const record of parser as AsyncIterable<string[]>) yield record;
    } catch (error) {
      if (systemCode(error) !== undefined) throw new FileError(`read ${file.path}`, error);
      if (!(error instanceof CsvError)) throw error;
      refuse(`not CSV: ${error.message}`, { cause: error });
    } finally {
      text.destroy();
    }
  }
}

function hourOf(date = '', time = ''): number | undefined {
  const day = parseDay(date);
  const hourOfDay = parseHourOfDay(time);
  return day === undefined || hourOfDay === undefined ? undefined : day * DAY_HOURS + hourOfDay;
}
