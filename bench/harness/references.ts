/** Starts the references: other servers with the same answers, each a process of its own. */
import { fileURLToPath } from 'node:url';
import type { BareOrder } from '../references/bare.js';
import type { LocalCopyOrder } from '../references/local-copy.js';
import type { SqliteOrder } from '../references/sqlite.js';
import { startReference, type Server } from './processes.js';

/** Starts the bare server with the answers that a running service gives to the order's targets now. */
export function startBare(order: BareOrder, cpu?: number): Promise<Server> {
  return startReference(moduleOf('bare'), order, { cpu });
}

/** Starts Fastify or plain `node:http` with the answers of a local copy. */
export function startOnLocalCopy(
  name: 'fastify' | 'node-server',
  order: LocalCopyOrder,
  cpu?: number,
): Promise<Server> {
  return startReference(moduleOf(name), order, { cpu });
}

/** Starts the SQLite server with the observations of a document, on a Node that has `node:sqlite`. */
export function startSqlite(order: SqliteOrder, node: string, cpu?: number): Promise<Server> {
  return startReference(moduleOf('sqlite'), order, { cpu, node });
}

const MODULES = {
  bare: new URL('../references/bare.js', import.meta.url),
  fastify: new URL('../references/fastify.js', import.meta.url),
  'node-server': new URL('../references/node-server.js', import.meta.url),
  sqlite: new URL('../references/sqlite.js', import.meta.url),
};

function moduleOf(name: keyof typeof MODULES): string {
  return fileURLToPath(MODULES[name]);
}
