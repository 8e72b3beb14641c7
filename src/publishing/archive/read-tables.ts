/**
 * The tables of years past → their rows by month, as Parquet that DuckDB reads. Rows are read as documents of so many, so
 * that they are checked as `bura build` checks them, in memory that does not grow with the years.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { DocumentError, Problems, unexpected } from '../../snapshot/document/problems.js';
import { readSnapshot } from '../../snapshot/document/read.js';
import { DEFAULT_SCHEMA_VERSION } from '../../snapshot/document/schema-version.js';
import type { Snapshot } from '../../snapshot/domain/model.js';
import {
  inObservationOrder,
  type ParameterSeries,
} from '../../snapshot/domain/observation-order.js';
import { firstAtOrAfter, publicPart } from '../../snapshot/domain/public.js';
import { dateOfHour, HOUR_MS, utcDateTime } from '../../snapshot/domain/windows.js';
import { observationsParquet } from '../../workers/formats/parquet/observations-parquet.js';
import { restOfDocument } from '../tables/build-document.js';
import { buildLists, type ListOptions, type ListTexts } from '../tables/build-lists.js';
import { withCsvTables, type OpenOptions } from '../tables/open-tables.js';
import { monthOf, type PastTables } from './merge.js';

/** Rows of one document: 8 MB of text. Of 250,000 the peak of ten years would be 50 MB higher, and no time be saved. */
const BATCH_ROWS = 100_000;
const CHUNK_ROWS = 1000;

/** An earlier hour is of a year of two digits. */
const EARLIEST_HOUR = Date.UTC(1900) / HOUR_MS;

/** How tables are read, as `bura build` has it. */
export type FolderOptions = ListOptions & Pick<OpenOptions, 'encoding'>;

interface ReadOptions extends FolderOptions, Pick<OpenOptions, 'signal' | 'onProgress'> {
  /** A local folder that takes the files. */
  readonly root: string;
}

/**
 * @throws {DocumentError} where `bura build` would refuse the tables, and for an hour before 1900 or in the future; but an
 * hour that is there twice may go unnoticed.
 * @throws {FileError} for what cannot be read.
 * @throws {SqlError} what DuckDB says of `bura.sql`.
 */
export async function readTables(from: string, options: ReadOptions): Promise<PastTables> {
  const problems = new Problems();
  const opened = { ...options, problems, step: 'reading' };
  return await withCsvTables(from, opened, async (tables, { unread, cut }) => {
    for (const name of cut) problems.add(name, 'it is empty, or its last line has no end');
    const lists = await buildLists(tables, options, problems);
    const batches = new Batches(lists, options.root, problems);
    for await (const { json, hour } of tables.rows()) await batches.add(json, hour);
    const snapshot = await batches.finish();
    return { snapshot, months: batches.months, unread };
  });
}

/** Rows come one by one, and go into files by month as soon as there are enough for a document. */
class Batches {
  readonly months = new Map<string, readonly string[]>();
  readonly #lists: ListTexts;
  readonly #root: string;
  readonly #problems: Problems;
  readonly #latestHour = Date.now() / HOUR_MS + 1;
  #newestHour: number | undefined;
  #batch: string[] = [];
  /** Rows of earlier batches. */
  #before = 0;

  constructor(lists: ListTexts, root: string, problems: Problems) {
    this.#lists = lists;
    this.#root = root;
    this.#problems = problems;
  }

  /** @param hour since the epoch; undefined where the row has none. @throws {DocumentError} */
  async add(json: string, hour: number | undefined): Promise<void> {
    if (hour !== undefined) this.#newestHour = Math.max(hour, this.#newestHour ?? hour);
    if (hour !== undefined && (hour < EARLIEST_HOUR || hour > this.#latestHour)) {
      const path = `measurements[${this.#before + this.#batch.length}].date`;
      this.#problems.add(path, unexpected('a day from 1900 to now', dateOfHour(hour)));
    }
    if (this.#batch.push(json) === BATCH_ROWS) await this.#take();
  }

  /** The last rows, which may be none. @throws {DocumentError} also where there is no row to show. */
  async finish(): Promise<Snapshot> {
    const snapshot = await this.#take();
    if (this.months.size > 0) return snapshot;
    return this.#problems.fail('measurements', 'no row of a public station and component');
  }

  async #take(): Promise<Snapshot> {
    this.#problems.throwIfAny();
    const generatedAt = utcDateTime(((this.#newestHour ?? 0) + 1) * HOUR_MS);
    const content = { generatedAt, demonstration: false, rows: this.#batch.length };
    const rest = restOfDocument({ ...content, lists: this.#lists });
    const head = `{"schema_version":"${DEFAULT_SCHEMA_VERSION}","snapshot_id":"tables",${rest}`;
    const bytes = Readable.from(documentOf(head, this.#batch));
    const snapshot = await readSnapshot(bytes).catch((error: unknown) => {
      throw error instanceof DocumentError ? shifted(error, this.#before) : error;
    });
    this.#before += this.#batch.length;
    this.#batch = [];
    const { header, observations } = snapshot;
    for (const [month, series] of shownByMonth(snapshot)) {
      const path = join(this.#root, `${month.replaceAll('/', '-')}-${this.#before}.parquet`);
      await writeFile(path, observationsParquet({ header, observations, series, metadata: {} }));
      this.months.set(month, [...(this.months.get(month) ?? []), path]);
    }
    return snapshot;
  }
}

function* documentOf(
  head: string,
  rows: readonly string[],
): Generator<Uint8Array, void, undefined> {
  yield Buffer.from(head);
  for (let at = 0; at < rows.length; at += CHUNK_ROWS) {
    const text = rows.slice(at, at + CHUNK_ROWS).join(',\n');
    yield Buffer.from(at === 0 ? text : `,\n${text}`);
  }
  yield Buffer.from('\n]}\n');
}

/** The same refusal, of rows that come after so many others. */
function shifted(error: DocumentError, rowsBefore: number): DocumentError {
  const shift = (_all: string, row: string): string => `measurements[${Number(row) + rowsBefore}]`;
  const problems = error.problems.map(({ path, message }) => ({
    path: path.replace(/^measurements\[(\d+)\]/, shift),
    message,
  }));
  return new DocumentError(problems, error.problemCount, { cause: error });
}

/** Rows that are shown, however old they are, in observation order within a month. */
function shownByMonth(snapshot: Snapshot): ReadonlyMap<string, readonly ParameterSeries[]> {
  const { series, hours } = snapshot.observations;
  const { stations, components } = publicPart(snapshot);
  const stationIds = new Set(stations.map(({ id }) => id));
  const componentIds = new Set(components.map(({ id }) => id));
  const shown = series.filter(
    ({ stationId, componentId }) => stationIds.has(stationId) && componentIds.has(componentId),
  );
  const months = new Map<string, readonly ParameterSeries[]>();
  for (const one of inObservationOrder(shown, components)) {
    for (let { start } = one; start < one.end;) {
      const first = hours[start] ?? 0;
      const end = firstAtOrAfter(hours, { start, end: one.end }, nextMonth(first));
      const month = monthOf(first);
      months.set(month, [...(months.get(month) ?? []), { ...one, start, end }]);
      start = end;
    }
  }
  return months;
}

function nextMonth(hour: number): number {
  const date = new Date(hour * HOUR_MS);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / HOUR_MS;
}
