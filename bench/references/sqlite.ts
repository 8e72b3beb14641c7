/**
 * The reference for filters: a typical database service. A table in SQLite with the columns of the JSON records, an
 * index by series and time, a prepared statement, `JSON.stringify`, and gzip by `node:zlib` in its threads; behind
 * `node:http`, in its own process, with `node:sqlite` of a newer Node than the service's.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { gunzipSync, gzip } from 'node:zlib';
import { serveOrder } from './reference.js';

export interface SqliteOrder {
  /** A snapshot document, gzipped, like those of the benches: all rows are public and not older than 30 days. */
  readonly document: string;
}

interface PlainDocument {
  readonly snapshot_id: string;
  readonly generated_at: string;
  readonly components: readonly {
    readonly component_id: number;
    readonly short_name: string;
    readonly unit: string;
  }[];
  readonly measurements: readonly {
    readonly station_id: number;
    readonly component_id: number;
    readonly date: string;
    readonly time: string;
    readonly value: number | null;
  }[];
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
  const content = JSON.parse(gunzipSync(readFileSync(document)).toString()) as PlainDocument;
  const answer = createAnswer(await fill(content), content);
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    void respond(request, response, answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
});

async function fill({ components, measurements, ...rest }: PlainDocument): Promise<Database> {
  const { DatabaseSync } = (await import(SQLITE)) as {
    readonly DatabaseSync: new (file: string) => Database;
  };
  const generatedAt = isoText(Date.parse(rest.generated_at));
  const database = new DatabaseSync(':memory:');
  database.exec(`CREATE TABLE observations (
      station_id TEXT NOT NULL, parameter_code TEXT NOT NULL,
      time_start_utc TEXT NOT NULL, time_end_utc TEXT NOT NULL, value REAL, unit TEXT NOT NULL,
      data_status TEXT NOT NULL, aggregation_type TEXT NOT NULL,
      published_at_utc TEXT NOT NULL, updated_at_utc TEXT NOT NULL, coverage REAL);
    BEGIN`);
  const insert = database.prepare('INSERT INTO observations VALUES (?,?,?,?,?,?,?,?,?,?,NULL)');
  const byId = new Map(components.map((one) => [one.component_id, one]));
  for (const { station_id, component_id, date, time, value } of measurements) {
    const { short_name = '', unit = '' } = byId.get(component_id) ?? {};
    const start = `${date}T${time}:00Z`;
    const end = isoText(Date.parse(start) + HOUR_MS);
    const kinds = ['preliminary', 'hourly_mean', generatedAt, generatedAt];
    insert.run(String(station_id), short_name, start, end, value, unit, ...kinds);
  }
  database.exec(`COMMIT;
    CREATE INDEX by_series ON observations (station_id, parameter_code, time_start_utc);
    ANALYZE`);
  return database;
}

type AnswerOf = (query: URLSearchParams) => string;

/** Returns a function for the body that the service has for a filter by station, parameter and time. */
function createAnswer(database: Database, document: PlainDocument): AnswerOf {
  const select = database.prepare(`SELECT * FROM observations
    WHERE station_id = ? AND parameter_code = ? AND time_start_utc >= ? AND time_start_utc < ?
    ORDER BY time_start_utc`);
  const generatedAtMs = Date.parse(document.generated_at);
  const oldestMs = generatedAtMs - RETENTION_MS;
  const clamp = (ms: number): number => Math.min(Math.max(ms, oldestMs), generatedAtMs);
  const nextHour = (ms: number): string => isoText(Math.ceil(ms / HOUR_MS) * HOUR_MS);
  return (query) => {
    const [from, to] = ['from', 'to'].map((name) => query.get(name));
    const start = clamp(from ? Date.parse(from) : oldestMs);
    const end = Math.max(start, clamp(to ? Date.parse(to) : generatedAtMs));
    const series = [query.get('station_id') ?? '', query.get('parameter_code') ?? ''];
    const data = select.all(...series, nextHour(start), nextHour(end));
    const textOf = (time: string | null | undefined): string | null =>
      time ? isoText(Date.parse(time)) : null;
    const meta = {
      snapshot_id: document.snapshot_id,
      generated_at_utc: isoText(generatedAtMs),
      retention_days: 30,
      data_status: 'preliminary',
      aggregation_type: 'hourly_mean',
      requested_window: from || to ? { from: textOf(from), to: textOf(to) } : null,
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

/** A time to the second, as the service writes it. */
function isoText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
