/**
 * Parquet files as bytes, one row group after the other. The door to hyparquet-writer.
 *
 * Of the libraries that write Parquet in Node, hyparquet-writer 0.17 was taken: JavaScript alone with one
 * dependency (its reader half), MIT, a release a month, row groups and statistics as we ask for them, the same
 * bytes every time. parquet-wasm brings 6 MB of WebAssembly and wants Arrow tables; @dsnp/parquetjs needs
 * Node 24 and the AWS client, and writes rows; DuckDB would be 70 MB of native code to load in every import.
 */
import assert from 'node:assert/strict';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';

/** `timestamp`: milliseconds since the epoch, UTC. */
export type ParquetType = 'text' | 'timestamp' | 'double';

export interface ParquetColumn {
  readonly name: string;
  readonly type: ParquetType;
  readonly nullable: boolean;
}

/** `text`: string; `timestamp`: bigint; `double`: number. */
export type ParquetCell = string | bigint | number | null;

export interface ParquetContent {
  readonly columns: readonly ParquetColumn[];
  /** Key-value metadata of the file, in this order. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Cells of all columns by name, in each as many as the group has rows; none is empty. */
  readonly rowGroups: Iterable<Readonly<Record<string, ParquetCell[]>>>;
}

/** Name of the writer, by which readers recognize writers with known faults; nothing that changes from file to file belongs here. */
const CREATED_BY = 'bura version 1.0.0 (build hyparquet-writer)';

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];

const ELEMENTS = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  timestamp: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
  double: { type: 'DOUBLE' },
} as const satisfies Record<ParquetType, Partial<SchemaElement>>;

/**
 * Texts repeat and hours follow one another: 111,250 observations take 170 kB, and 290 kB with dictionaries
 * for hours. Of doubles the library makes a dictionary where that halves them.
 */
const ENCODINGS = {
  text: 'RLE_DICTIONARY',
  timestamp: 'DELTA_BINARY_PACKED',
  double: undefined,
} as const satisfies Record<ParquetType, string | undefined>;

/**
 * The bytes of one file in chunks, at least one for each row group; memory is that of one group and the footer.
 *
 * Compressed with Snappy: gzip would make the file a fifth smaller, but then a reader in a browser needs one
 * more library. The same content gives the same bytes. Every row group has statistics of every column, whole texts too.
 */
export function* parquetBytes(content: ParquetContent): Generator<Uint8Array, void, undefined> {
  const output = new DrainedWriter();
  const writer = new ParquetWriter({
    writer: output,
    schema: schemaOf(content.columns),
    codec: 'SNAPPY',
    statisticsTruncateLength: Infinity,
    kvMetadata: Object.entries(content.metadata).map(([key, value]) => ({ key, value })),
    createdBy: CREATED_BY,
  });
  for (const group of content.rowGroups) {
    const columnData = content.columns.map(({ name, type }) => {
      const data = group[name];
      assert(data !== undefined, `a row group has column ${name}`);
      return { name, data, ...encodingOf(type) };
    });
    done(writer.write({ columnData, rowGroupSize: Infinity }));
    yield output.drain();
  }
  done(writer.finish());
  yield output.drain();
}

function schemaOf(columns: readonly ParquetColumn[]): SchemaElement[] {
  return [
    { name: 'schema', num_children: columns.length },
    ...columns.map(({ name, type, nullable }): SchemaElement => {
      return { name, ...ELEMENTS[type], repetition_type: nullable ? 'OPTIONAL' : 'REQUIRED' };
    }),
  ];
}

function encodingOf(type: ParquetType): { encoding?: 'RLE_DICTIONARY' | 'DELTA_BINARY_PACKED' } {
  const encoding = ENCODINGS[type];
  return encoding === undefined ? {} : { encoding };
}

/** The library is asynchronous only for a writer that is. */
function done(result: unknown): void {
  assert(result === undefined, 'the writer is synchronous');
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
