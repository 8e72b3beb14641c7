/** Reads the stations and parameters in a file of the archive; checks lengths before memory is allocated by them. */
import { parquetMetadataAsync, parquetReadObjects, type FileMetaData } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import type { FileContent } from '../../../snapshot/archive/archive-state.js';
import type { ReadableFile } from '../../../snapshot/archive/keep-archive.js';
import { messageOf, SnapshotError } from '../../../snapshot/domain/snapshot-error.js';

/** Limit of the footer; a month of 2,000,000 rows has one of 0.4 MB. */
const FOOTER_BYTES_MAX = 4 * 1024 * 1024;

/** Limit of rows in a row group; archives have groups of 10,240 rows. */
const GROUP_ROWS_MAX = 1024 * 1024;

/** Limit of a page's uncompressed bytes; usual pages have some 100 kB. */
const PAGE_BYTES_MAX = 32 * 1024 * 1024;

/** Magic number, length of the footer, magic number. */
const FRAME_BYTES = 12;

/** @throws {SnapshotError} `archive_damaged` for a file that cannot be decoded, or exceeds a limit. */
export async function readContent(file: ReadableFile): Promise<FileContent> {
  try {
    checkFooter(file);
    const metadata = await parquetMetadataAsync(file, { geoparquet: false });
    checkLengths(file, metadata);
    return {
      stationIds: await valuesOf(file, metadata, 'station_id'),
      parameterCodes: await valuesOf(file, metadata, 'parameter_code'),
    };
  } catch (cause) {
    if (cause instanceof SnapshotError) throw cause;
    const why = messageOf(cause);
    throw new SnapshotError('archive_damaged', `a Parquet file cannot be read: ${why}`, { cause });
  }
}

/** Distinct values of a text column; empty if the file lacks the column. */
async function valuesOf(
  file: ReadableFile,
  metadata: FileMetaData,
  column: string,
): Promise<readonly string[]> {
  const values = new Set<string>();
  if (!metadata.schema.some(({ name }) => name === column)) return [];
  let rowStart = 0;
  for (const { num_rows: rows } of metadata.row_groups) {
    const rowEnd = rowStart + Number(rows);
    const range = { file, metadata, columns: [column], rowStart, rowEnd };
    for (const row of await parquetReadObjects(range)) values.add(String(row[column]));
    rowStart = rowEnd;
  }
  return [...values];
}

function checkFooter({ byteLength, slice }: ReadableFile): void {
  require(byteLength > FRAME_BYTES, 'it is too short');
  const bytes = new DataView(slice(byteLength - 8, byteLength)).getUint32(0, true);
  require(bytes <= Math.min(FOOTER_BYTES_MAX, byteLength - FRAME_BYTES), 'its footer is too long');
}

function checkLengths(file: ReadableFile, metadata: FileMetaData): void {
  let allRows = 0;
  for (const { num_rows, columns } of metadata.row_groups) {
    const rows = Number(num_rows);
    require(rows > 0 && rows <= GROUP_ROWS_MAX, 'a group has too many rows');
    allRows += rows;
    for (const { meta_data: column } of columns) {
      require(column !== undefined && column.path_in_schema.length === 1, 'a column is nested');
      const from = Number(column.dictionary_page_offset ?? column.data_page_offset);
      const bytes = Number(column.total_compressed_size);
      const isInside = from >= 4 && bytes > 0 && from + bytes <= file.byteLength - 8;
      require(isInside, 'a column is not in the file');
      checkPages(file.slice(from, from + bytes), rows);
    }
  }
  require(allRows === Number(metadata.num_rows), 'its groups have other rows');
}

/** Checks the page headers of one column in one group. */
function checkPages(chunk: ArrayBuffer, rows: number): void {
  const reader = { view: new DataView(chunk), offset: 0 };
  let values = 0;
  while (reader.offset < chunk.byteLength) {
    const header = parquetHeader(reader);
    const { compressed_page_size: stored, uncompressed_page_size: bytes } = header;
    const data = header.data_page_header ?? header.data_page_header_v2;
    const count = (data ?? header.dictionary_page_header)?.num_values ?? NaN;
    require(stored >= 0 && reader.offset + stored <= chunk.byteLength, 'a page is not in the file');
    require(bytes >= 0 && bytes <= PAGE_BYTES_MAX, 'a page is too long');
    require(count >= 0 && count <= rows, 'a page has too many values');
    if (data !== undefined) values += count;
    reader.offset += stored;
  }
  require(values === rows, 'a column has other rows');
}

function require(isRight: boolean, problem: string): asserts isRight {
  if (!isRight) throw new RangeError(problem);
}
