/** Reads tables of past years as documents of a limited size, in bounded memory, with the checks of `bura build`. */
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { DocumentError, Problems, unexpected } from '../../snapshot/document/problems.js';
import { readSnapshot } from '../../snapshot/document/read.js';
import { DEFAULT_SCHEMA_VERSION } from '../../snapshot/document/schema-version.js';
import type { Snapshot } from '../../snapshot/domain/model.js';
import { publicPart } from '../../snapshot/domain/public.js';
import { dateOfHour, HOUR_MS, utcDateTime } from '../../snapshot/domain/windows.js';
import { cutFile } from '../findings.js';
import type { ExportOptions } from '../sql/exports.js';
import { restOfDocument } from '../tables/build-document.js';
import { buildLists, type ListOptions } from '../tables/build-lists.js';
import { withCsvTables } from '../tables/open-tables.js';
import { noRows, rowTexts, type RowText } from '../tables/row-texts.js';
import { writeMonths, type Addition, type WorkOptions } from './addition.js';

/** Rows of one document, about 8 MB of text. With 250,000 the peak of ten years is 50 MB higher, at no gain in time. */
const BATCH_ROWS = 100_000;

/** Earliest accepted hour: earlier ones come from years of two digits. */
const EARLIEST_HOUR = Date.UTC(1900) / HOUR_MS;

type TablesOptions = ListOptions & Pick<ExportOptions, 'encoding'> & Pick<Addition, 'readHiding'>;

/**
 * Reads tables; their time of generation is one hour after the newest row.
 *
 * @throws {DocumentError} where `bura build` would refuse the tables, and for an hour before 1900 or in the future; a
 * repeated hour may go unnoticed.
 * @throws {FileError} for a folder or file that cannot be read.
 * @throws {SqlError} with DuckDB's message about `bura.sql`.
 */
export async function readTables(
  from: string,
  options: TablesOptions & WorkOptions,
): Promise<Addition> {
  const problems = new Problems();
  return await withCsvTables(from, { ...options, problems }, async (tables, { notes, cut }) => {
    options.refuse(cut.map(cutFile));
    const lists = await buildLists(tables, options, problems);
    const rows = new Map<string, readonly string[]>();
    const written = noRows();
    let texts: string[] = [];
    let before = 0;
    let series = 0;
    const take = async (): Promise<Snapshot> => {
      problems.throwIfAny();
      const generatedAt = utcDateTime(((written.newestHour ?? 0) + 1) * HOUR_MS);
      const content = { generatedAt, demonstration: false, rows: written, lists };
      const snapshot = await readBatch(content, texts, before);
      const hours = snapshot.observations.hours.toSorted();
      const interval = { from: hours[0] ?? 0, to: (hours.at(-1) ?? -1) + 1 };
      const path = join(options.root, String(before));
      series += await writeMonths(snapshot, rows, { ...interval, path });
      before += written.count;
      // The next text begins another document.
      written.count = 0;
      texts = [];
      return snapshot;
    };
    for await (const text of rowTexts(checked(tables.rows(), problems), written)) {
      texts.push(text);
      if (written.count >= BATCH_ROWS) await take();
    }
    const publicSnapshot = publicPart(await take());
    if (series === 0) problems.fail('measurements', 'no row of a public station and component');
    return { publicSnapshot, rows, isNewer: false, readHiding: options.readHiding, notes };
  });
}

async function* checked(rows: AsyncIterable<RowText>, problems: Problems): AsyncGenerator<RowText> {
  const latestHour = Date.now() / HOUR_MS + 1;
  let index = 0;
  for await (const row of rows) {
    const { hour = EARLIEST_HOUR } = row;
    if (hour < EARLIEST_HOUR || hour > latestHour) {
      const message = unexpected('a day from 1900 to now', dateOfHour(hour));
      problems.add(`measurements[${index}].date`, message);
    }
    index += 1;
    yield row;
  }
}

/** Reads the next rows as a document. @throws {DocumentError} with row numbers of the whole table. */
async function readBatch(
  content: Parameters<typeof restOfDocument>[0],
  texts: readonly string[],
  rowsBefore: number,
): Promise<Snapshot> {
  const rest = restOfDocument(content);
  const head = `{"schema_version":"${DEFAULT_SCHEMA_VERSION}","snapshot_id":"tables",${rest}`;
  const chunks = [head, ...texts, '\n]}\n'].map((text) => Buffer.from(text));
  return await readSnapshot(Readable.from(chunks)).catch((error: unknown) => {
    if (!(error instanceof DocumentError)) throw error;
    const shift = (_all: string, row: string) => `measurements[${Number(row) + rowsBefore}]`;
    throw error.withPaths((path) => path.replace(/^measurements\[(\d+)\]/, shift));
  });
}
