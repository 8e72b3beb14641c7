/**
 * The least that an import can cost: one thread that parses the document with `JSON.parse`, formats each output (JSON,
 * NDJSON, CSV, Parquet) once, compresses each text once, hashes each file once and writes the files. It checks nothing
 * and makes no index, and it has none of the service's code but shares zlib and the Parquet library with it.
 *
 * `node build/bench/references/lower-bound.js DOCUMENT.json.gz [FOLDER]` writes a line of JSON: rows, seconds, and CPU
 * seconds of the whole process. The files stay in FOLDER, where one is given.
 */
import { parquetWriteBuffer } from 'hyparquet-writer';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { parseDocument, type DocumentContent, type DocumentSeries } from './document.js';

/** The level that the service compresses observations with. */
const GZIP_LEVEL = 2;
const PARQUET_GROUP_ROWS = 20_000;
const HOUR_MS = 3_600_000;

/** What the process writes. */
export interface LowerBound {
  readonly rows: number;
  readonly seconds: number;
  /** User and system time, with the start of the process. */
  readonly cpuSeconds: number;
}

type Texts = Readonly<Record<'json' | 'ndjson' | 'csv', Buffer>>;

const COLUMNS = [
  'station_id',
  'parameter_code',
  'time_start_utc',
  'time_end_utc',
  'value',
  'unit',
  'data_status',
  'aggregation_type',
  'published_at_utc',
  'updated_at_utc',
  'coverage',
] as const;

const [document, kept] = process.argv.slice(2);
if (document === undefined) throw new Error('which document?');
const folder = kept ?? mkdtempSync(path.join(os.tmpdir(), 'bura-bench-lower-bound-'));
mkdirSync(folder, { recursive: true });
try {
  process.stdout.write(`${JSON.stringify(work(document, folder))}\n`);
} finally {
  if (kept === undefined) rmSync(folder, { recursive: true });
}

function work(file: string, directory: string): LowerBound {
  const content = parseDocument(readFileSync(file));
  const texts = formatTexts(content);
  const files = new Map<string, Uint8Array>(Object.entries(texts));
  files.set('parquet', formatParquet(content));
  for (const [name, text] of Object.entries(texts)) {
    files.set(`${name}.gz`, gzipSync(text, { level: GZIP_LEVEL }));
  }
  const sums: string[] = [];
  for (const [name, data] of files) {
    const digest = createHash('sha256').update(data).digest('hex');
    sums.push(`${digest}  observations.${name}\n`);
    writeFileSync(path.join(directory, `observations.${name}`), data);
  }
  writeFileSync(path.join(directory, 'SHA256SUMS'), sums.join(''));
  const rows = content.series.reduce((sum, one) => sum + one.rows.length, 0);
  const { user, system } = process.cpuUsage();
  return { rows, seconds: performance.now() / 1000, cpuSeconds: (user + system) / 1e6 };
}

/** Every text of a record that does not differ from row to row is made once a series, those of hours once a document. */
function formatTexts({ series, generatedAt, snapshotId }: DocumentContent): Texts {
  const pieces = { json: [] as Buffer[], ndjson: [] as Buffer[], csv: [] as Buffer[] };
  const ends = new Map<string, string>();
  const endOf = (start: string): string => {
    let end = ends.get(start);
    if (end === undefined) {
      end = new Date(Date.parse(start) + HOUR_MS).toISOString().replace('.000', '');
      ends.set(start, end);
    }
    return end;
  };
  for (const one of series) {
    const { json, csv } = formatSeries(one, { generatedAt, endOf });
    pieces.json.push(Buffer.from(json.join(',')), Buffer.from(','));
    pieces.ndjson.push(Buffer.from(`${json.join('\n')}\n`));
    pieces.csv.push(Buffer.from(csv.join('')));
  }
  pieces.json.pop();
  const meta = JSON.stringify({ snapshot_id: snapshotId, generated_at_utc: generatedAt });
  return {
    json: Buffer.concat([
      Buffer.from('{"data":['),
      ...pieces.json,
      Buffer.from(`],"meta":${meta}}`),
    ]),
    ndjson: Buffer.concat([Buffer.from(`{"meta":${meta}}\n`), ...pieces.ndjson]),
    csv: Buffer.concat([Buffer.from(`${COLUMNS.join(',')}\r\n`), ...pieces.csv]),
  };
}

interface Times {
  readonly generatedAt: string;
  /** The end of the hour that begins at a time. */
  readonly endOf: (start: string) => string;
}

function formatSeries(
  { stationId, parameterCode, unit, rows }: DocumentSeries,
  { generatedAt, endOf }: Times,
): Readonly<Record<'json' | 'csv', readonly string[]>> {
  const before = `{"station_id":"${stationId}","parameter_code":${JSON.stringify(parameterCode)},"time_start_utc":"`;
  const after = `,"unit":${JSON.stringify(unit)},"data_status":"preliminary","aggregation_type":"hourly_mean","published_at_utc":"${generatedAt}","updated_at_utc":"${generatedAt}","coverage":null}`;
  const csvBefore = `${stationId},${parameterCode},`;
  const csvAfter = `,${unit},preliminary,hourly_mean,${generatedAt},${generatedAt},\r\n`;
  const json: string[] = [];
  const csv: string[] = [];
  for (const { date, time, value } of rows) {
    const start = `${date}T${time}:00Z`;
    const end = endOf(start);
    json.push(`${before}${start}","time_end_utc":"${end}","value":${value}${after}`);
    csv.push(`${csvBefore}${start},${end},${value ?? ''}${csvAfter}`);
  }
  return { json, csv };
}

function formatParquet({ series, generatedAt, snapshotId }: DocumentContent): Uint8Array {
  const cells: Record<(typeof COLUMNS)[number], unknown[]> = {
    station_id: [],
    parameter_code: [],
    time_start_utc: [],
    time_end_utc: [],
    value: [],
    unit: [],
    data_status: [],
    aggregation_type: [],
    published_at_utc: [],
    updated_at_utc: [],
    coverage: [],
  };
  const generated = BigInt(Date.parse(generatedAt));
  const times = new Map<string, readonly [start: bigint, end: bigint]>();
  const timesOf = (start: string): readonly [start: bigint, end: bigint] => {
    let pair = times.get(start);
    if (pair === undefined) {
      const startMs = Date.parse(start);
      pair = [BigInt(startMs), BigInt(startMs + HOUR_MS)];
      times.set(start, pair);
    }
    return pair;
  };
  for (const { stationId, parameterCode, unit, rows } of series) {
    const station = String(stationId);
    for (const { date, time, value } of rows) {
      const [start, end] = timesOf(`${date}T${time}:00Z`);
      cells.station_id.push(station);
      cells.parameter_code.push(parameterCode);
      cells.time_start_utc.push(start);
      cells.time_end_utc.push(end);
      cells.value.push(value);
      cells.unit.push(unit);
      cells.data_status.push('preliminary');
      cells.aggregation_type.push('hourly_mean');
      cells.published_at_utc.push(generated);
      cells.updated_at_utc.push(generated);
      cells.coverage.push(null);
    }
  }
  const bytes = parquetWriteBuffer({
    schema: [{ name: 'schema', num_children: COLUMNS.length }, ...COLUMNS.map(schemaElement)],
    columnData: COLUMNS.map((name) => ({
      name,
      data: cells[name],
      ...(name === 'value'
        ? {}
        : { encoding: name.endsWith('_utc') ? 'DELTA_BINARY_PACKED' : 'RLE_DICTIONARY' }),
    })),
    rowGroupSize: PARQUET_GROUP_ROWS,
    kvMetadata: [{ key: 'snapshot_id', value: snapshotId }],
  });
  return new Uint8Array(bytes);
}

type SchemaElement = NonNullable<Parameters<typeof parquetWriteBuffer>[0]['schema']>[number];

function schemaElement(name: (typeof COLUMNS)[number]): SchemaElement {
  if (name === 'value') return { name, type: 'DOUBLE', repetition_type: 'OPTIONAL' };
  if (name.endsWith('_utc')) {
    return {
      name,
      type: 'INT64',
      repetition_type: 'REQUIRED',
      converted_type: 'TIMESTAMP_MILLIS',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
    };
  }
  const repetition_type = name === 'coverage' ? 'OPTIONAL' : 'REQUIRED';
  return { name, type: 'BYTE_ARRAY', repetition_type, converted_type: 'UTF8' };
}
