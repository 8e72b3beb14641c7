/**
 * Parquet files as bytes, one row group after the other. With `encodings.ts` the door to hyparquet-writer.
 *
 * Of the libraries that write Parquet in Node, hyparquet-writer 0.17 was taken: JavaScript alone with one
 * dependency (its reader half), MIT, a release a month. parquet-wasm brings 6 MB of WebAssembly and wants Arrow tables;
 * @dsnp/parquetjs needs Node 24 and the AWS client, and writes rows; DuckDB would be 70 MB of native code to load in
 * every import.
 *
 * The library writes headers, footers and Snappy. Column chunks are put together here: it takes every cell as a value of its own,
 * and most of our columns have one text for hundreds of rows.
 */
import assert from 'node:assert/strict';
import { ByteWriter } from 'hyparquet-writer';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { writeMetadata } from 'hyparquet-writer/src/metadata.js';
import { snappyCompress } from 'hyparquet-writer/src/snappy.js';
import {
  encodeDoubles,
  encodeTexts,
  encodeTimes,
  type EncodedCells,
  type TextRun,
} from './encodings.js';

/** `timestamp`: milliseconds since the epoch, UTC. Only a `double` may be null. */
export type ParquetType = ParquetCells['type'];

export interface ParquetColumn {
  readonly name: string;
  readonly type: ParquetType;
}

/** The cells of one column in one row group, by row. */
export type ParquetCells =
  | { readonly type: 'text'; readonly runs: readonly TextRun[] }
  | { readonly type: 'timestamp'; readonly epochMs: Float64Array }
  /** NaN for null. */
  | { readonly type: 'double'; readonly values: Float64Array };

export interface ParquetRowGroup {
  /** At least one. */
  readonly rows: number;
  /** In the order of the columns, and of their types. */
  readonly cells: readonly ParquetCells[];
}

export interface ParquetContent {
  readonly columns: readonly ParquetColumn[];
  /** Key-value metadata of the file, in this order. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly rowGroups: Iterable<ParquetRowGroup>;
}

/** Name of the writer, by which readers recognize writers with known faults; nothing that changes from file to file belongs here. */
const CREATED_BY = 'bura version 1.0.0 (build hyparquet-writer)';

type FileMetadata = Parameters<typeof writeMetadata>[1];
type SchemaElement = FileMetadata['schema'][number];
type RowGroup = FileMetadata['row_groups'][number];
type ColumnChunk = RowGroup['columns'][number];

const ELEMENTS = {
  text: {
    type: 'BYTE_ARRAY',
    converted_type: 'UTF8',
    logical_type: { type: 'STRING' },
    repetition_type: 'REQUIRED',
  },
  timestamp: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
    repetition_type: 'REQUIRED',
  },
  double: { type: 'DOUBLE', repetition_type: 'OPTIONAL' },
} as const satisfies Record<ParquetType, Partial<SchemaElement>>;

/** Begins and ends every file. */
const MAGIC = 0x31524150;

/**
 * The bytes of one file in chunks, at least one for each row group; memory is that of one group and the footer.
 *
 * Compressed with Snappy: gzip would make the file a fifth smaller, but then a reader in a browser needs one
 * more library. The same content gives the same bytes. Every row group has statistics of every column, whole texts too.
 */
export function* parquetBytes(content: ParquetContent): Generator<Uint8Array, void, undefined> {
  const output = new DrainedWriter();
  output.appendUint32(MAGIC);
  const groups: RowGroup[] = [];
  for (const group of content.rowGroups) {
    groups.push(writeRowGroup(output, content.columns, group));
    yield output.drain();
  }
  const metadata = {
    version: 2,
    created_by: CREATED_BY,
    schema: schemaOf(content.columns),
    num_rows: groups.reduce((sum, group) => sum + group.num_rows, 0n),
    row_groups: groups,
    key_value_metadata: Object.entries(content.metadata).map(([key, value]) => ({ key, value })),
    // Not of the file: readers tell it to themselves.
    metadata_length: 0,
  };
  writeMetadata(output, metadata, Infinity);
  output.appendUint32(MAGIC);
  yield output.drain();
}

function schemaOf(columns: readonly ParquetColumn[]): SchemaElement[] {
  return [
    { name: 'schema', num_children: columns.length },
    ...columns.map(({ name, type }): SchemaElement => ({ name, ...ELEMENTS[type] })),
  ];
}

function writeRowGroup(
  output: ByteWriter,
  columns: readonly ParquetColumn[],
  { rows, cells }: ParquetRowGroup,
): RowGroup {
  const start = output.offset;
  const chunks = columns.map((column, index): ColumnChunk => {
    const own = cells[index];
    assert(own?.type === column.type, `a row group has column ${column.name}`);
    return writeColumnChunk(output, column, { rows, encoded: encode(own) });
  });
  return {
    columns: chunks,
    num_rows: BigInt(rows),
    total_byte_size: chunks.reduce(
      (sum, { meta_data }) => sum + (meta_data?.total_uncompressed_size ?? 0n),
      0n,
    ),
    total_compressed_size: BigInt(output.offset - start),
  };
}

function encode(cells: ParquetCells): EncodedCells {
  switch (cells.type) {
    case 'text':
      return encodeTexts(cells.runs);
    case 'timestamp':
      return encodeTimes(cells.epochMs);
    case 'double':
      return encodeDoubles(cells.values);
  }
}

function writeColumnChunk(
  output: ByteWriter,
  { name, type }: ParquetColumn,
  { rows, encoded }: { readonly rows: number; readonly encoded: EncodedCells },
): ColumnChunk {
  const start = output.offset;
  const { encoding, dictionary, bounds, nulls } = encoded;
  const dictionaryBytes = dictionary === undefined ? 0 : writeDictionaryPage(output, dictionary);
  const dataOffset = output.offset;
  const dataBytes = writeDataPage(output, rows, encoded);
  return {
    file_offset: BigInt(start),
    meta_data: {
      type: ELEMENTS[type].type,
      encodings: dictionary === undefined ? [encoding] : ['PLAIN', encoding],
      path_in_schema: [name],
      codec: 'SNAPPY',
      num_values: BigInt(rows),
      total_uncompressed_size: BigInt(dictionaryBytes + dataBytes),
      total_compressed_size: BigInt(output.offset - start),
      data_page_offset: BigInt(dataOffset),
      ...(dictionary === undefined ? {} : { dictionary_page_offset: BigInt(start) }),
      statistics: {
        null_count: BigInt(nulls),
        ...(bounds === undefined ? {} : { min_value: bounds[0], max_value: bounds[1] }),
      },
      encoding_stats: [
        ...(dictionary === undefined
          ? []
          : [{ page_type: 'DICTIONARY_PAGE', encoding: 'PLAIN', count: 1 } as const]),
        { page_type: 'DATA_PAGE_V2', encoding, count: 1 },
      ],
    },
  };
}

/** Answers its size uncompressed, with its header, as `writeDataPage` does. */
function writeDictionaryPage(
  output: ByteWriter,
  { entries, bytes }: NonNullable<EncodedCells['dictionary']>,
): number {
  const start = output.offset;
  const compressed = snappyCompress(bytes);
  writePageHeader(output, {
    type: 'DICTIONARY_PAGE',
    uncompressed_page_size: bytes.byteLength,
    compressed_page_size: compressed.byteLength,
    dictionary_page_header: { num_values: entries, encoding: 'PLAIN' },
  });
  const headerBytes = output.offset - start;
  output.appendBytes(compressed);
  return headerBytes + bytes.byteLength;
}

function writeDataPage(
  output: ByteWriter,
  rows: number,
  { encoding, levels, nulls, bytes }: EncodedCells,
): number {
  const start = output.offset;
  const compressed = snappyCompress(bytes);
  writePageHeader(output, {
    type: 'DATA_PAGE_V2',
    uncompressed_page_size: levels.byteLength + bytes.byteLength,
    compressed_page_size: levels.byteLength + compressed.byteLength,
    data_page_header_v2: {
      num_values: rows,
      num_nulls: nulls,
      num_rows: rows,
      encoding,
      definition_levels_byte_length: levels.byteLength,
      repetition_levels_byte_length: 0,
      is_compressed: true,
    },
  });
  const headerBytes = output.offset - start;
  output.appendBytes(levels);
  output.appendBytes(compressed);
  return headerBytes + levels.byteLength + bytes.byteLength;
}

/** Buffers what the library writes until it is taken, so that no file is in memory whole. */
class DrainedWriter extends ByteWriter {
  drain(): Uint8Array {
    const bytes = this.getBytes().slice();
    // Offsets in the file count on; only the buffer begins again.
    this.index = 0;
    return bytes;
  }
}
