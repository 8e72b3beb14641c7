/**
 * The reference for filters: what a team would write with a database. A table of observations in SQLite with the columns
 * of the JSON records, an index by series and time, a prepared statement, `JSON.stringify`, and gzip by `node:zlib` in
 * its threads; behind plain `node:http`, a process of its own, with `node:sqlite` of a newer Node than the service's.
 */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { parseDocument, type DocumentContent } from './document.js';
import { serveOrder } from './reference.js';

export interface SqliteOrder {
  /** A snapshot document, gzipped. */
  readonly document: string;
}

/** The part of `node:sqlite` that is used; the types of this Node do not have it. */
interface Database {
  exec(sql: string): void;
  prepare(sql: string): {
    run(...values: readonly (string | number | null)[]): unknown;
    all(...values: readonly string[]): readonly object[];
  };
}

const SQLITE = 'node:sqlite';
const HOUR_MS = 3_600_000;
const RETENTION_MS = 30 * 24 * HOUR_MS;

const gzipAsync = promisify(gzip);

serveOrder(async ({ document }: SqliteOrder) => {
  const content = parseDocument(readFileSync(document));
  const answer = createAnswer(await fill(content), content);
  return await listen((request, response) => {
    void respond(request, response, answer);
  });
});

async function fill({ series, generatedAt }: DocumentContent): Promise<Database> {
  const { DatabaseSync } = (await import(SQLITE)) as {
    readonly DatabaseSync: new (file: string) => Database;
  };
  const directory = mkdtempSync(path.join(os.tmpdir(), 'bura-bench-sqlite-'));
  process.once('exit', () => {
    rmSync(directory, { recursive: true, force: true });
  });
  process.once('SIGTERM', () => process.exit(0));
  const database = new DatabaseSync(path.join(directory, 'observations.sqlite'));
  // In memory as far as SQLite can: the database has about 400 bytes a row.
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;
    PRAGMA cache_size = -262144; PRAGMA mmap_size = 1073741824;
    CREATE TABLE observations (
      station_id TEXT NOT NULL, parameter_code TEXT NOT NULL,
      time_start_utc TEXT NOT NULL, time_end_utc TEXT NOT NULL, value REAL, unit TEXT NOT NULL,
      data_status TEXT NOT NULL, aggregation_type TEXT NOT NULL,
      published_at_utc TEXT NOT NULL, updated_at_utc TEXT NOT NULL, coverage REAL);
    BEGIN`);
  const insert = database.prepare('INSERT INTO observations VALUES (?,?,?,?,?,?,?,?,?,?,NULL)');
  for (const { stationId, parameterCode, unit, rows } of series) {
    for (const { date, time, value } of rows) {
      const start = `${date}T${time}:00Z`;
      insert.run(
        String(stationId),
        parameterCode,
        start,
        isoText(Date.parse(start) + HOUR_MS),
        value,
        unit,
        'preliminary',
        'hourly_mean',
        generatedAt,
        generatedAt,
      );
    }
  }
  database.exec(`COMMIT;
    CREATE INDEX by_series ON observations (station_id, parameter_code, time_start_utc);
    ANALYZE`);
  return database;
}

type AnswerOf = (query: URLSearchParams) => string;

/** The body that the service has for a filter by station, parameter and time. */
function createAnswer(database: Database, { snapshotId, generatedAt }: DocumentContent): AnswerOf {
  const select = database.prepare(`SELECT * FROM observations
    WHERE station_id = ? AND parameter_code = ? AND time_start_utc >= ? AND time_start_utc < ?
    ORDER BY time_start_utc`);
  const generatedAtMs = Date.parse(generatedAt);
  const oldestMs = generatedAtMs - RETENTION_MS;
  const clamp = (ms: number): number => Math.min(Math.max(ms, oldestMs), generatedAtMs);
  return (query) => {
    const fromMs = timeIn(query, 'from');
    const toMs = timeIn(query, 'to');
    const start = clamp(fromMs ?? oldestMs);
    const end = Math.max(start, clamp(toMs ?? generatedAtMs));
    const data = select.all(
      query.get('station_id') ?? '',
      query.get('parameter_code') ?? '',
      isoText(Math.ceil(start / HOUR_MS) * HOUR_MS),
      isoText(Math.ceil(end / HOUR_MS) * HOUR_MS),
    );
    const isAsked = fromMs !== undefined || toMs !== undefined;
    const meta = {
      snapshot_id: snapshotId,
      generated_at_utc: generatedAt,
      retention_days: 30,
      data_status: 'preliminary',
      aggregation_type: 'hourly_mean',
      requested_window: isAsked ? { from: textOf(fromMs), to: textOf(toMs) } : null,
      actual_window: { from: isoText(start), to: isoText(end) },
      out_of_retention_window: start >= end,
      count: data.length,
    };
    return JSON.stringify({ data, meta });
  };
}

async function respond(
  { url = '', headers }: IncomingMessage,
  response: ServerResponse,
  answer: AnswerOf,
): Promise<void> {
  const body = Buffer.from(answer(new URL(url, 'http://127.0.0.1').searchParams));
  const isGzip = headers['accept-encoding']?.includes('gzip') === true;
  const sent = isGzip ? await gzipAsync(body) : body;
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': sent.byteLength,
    Vary: 'Accept-Encoding',
    ...(isGzip ? { 'Content-Encoding': 'gzip' } : {}),
  });
  response.end(sent);
}

/** Listens on a free port of 127.0.0.1, and keeps connections for as long as clients do. */
async function listen(respond: RequestListener): Promise<number> {
  const server = createServer({ keepAliveTimeout: 0 }, respond);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

function timeIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  return text === null ? undefined : Date.parse(text);
}

function textOf(ms: number | undefined): string | null {
  return ms === undefined ? null : isoText(ms);
}

/** To the second, as the service writes times. */
function isoText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
