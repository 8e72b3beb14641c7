/** Starts the references: other servers with the same answers, each a process of its own. */
import { fileURLToPath } from 'node:url';
import type { BareOrder } from '../references/bare.js';
import type { SqliteOrder } from '../references/sqlite.js';
import { startReference, type Server } from './processes.js';

/** Starts the bare server with the answers that a running service gives to the order's targets now. */
export function startBare(order: BareOrder, cpu?: number): Promise<Server> {
  return startReference(moduleOf('bare'), order, { cpu });
}

/** Starts the SQLite server with the observations of a document, on a Node that has `node:sqlite`. */
export function startSqlite(order: SqliteOrder, node: string, cpu?: number): Promise<Server> {
  return startReference(moduleOf('sqlite'), order, { cpu, node });
}

function moduleOf(name: string): string {
  return fileURLToPath(new URL(`../references/${name}.js`, import.meta.url));
}
