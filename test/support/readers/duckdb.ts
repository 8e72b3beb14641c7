/** DuckDB as an independent reader of the service's files. */
import { DuckDBInstance, type Json } from '@duckdb/node-api';
import type { Test } from 'tap';

export interface DuckDb {
  /** Rows in order; 64-bit numbers, decimals and times as text. */
  readonly rows: (sql: string) => Promise<readonly Readonly<Record<string, Json>>[]>;
}

/** A database in memory for one test, with times in UTC. */
export async function openDuckDb(t: Test): Promise<DuckDb> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  t.teardown(() => {
    connection.closeSync();
    instance.closeSync();
  });
  return {
    rows: async (sql) => (await connection.runAndReadAll(sql)).getRowObjectsJson(),
  };
}
