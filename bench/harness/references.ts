/** Starts the references: other servers with the same answers, each in its own process. */
import { fileURLToPath } from 'node:url';
import type { Row } from '../suites/requests.js';
import type { BareOrder } from '../references/bare.js';
import type { LocalCopyOrder } from '../references/fastify.js';
import { startNginx } from '../references/nginx.js';
import type { Listening } from '../references/reference.js';
import type { SqliteOrder } from '../references/sqlite.js';
import { ask, type Target } from './exchange.js';
import { forkOnCore, ofChild, serverOf, type ForkOptions, type Server } from './processes.js';

const MODULES = {
  bare: new URL('../references/bare.js', import.meta.url),
  fastify: new URL('../references/fastify.js', import.meta.url),
  sqlite: new URL('../references/sqlite.js', import.meta.url),
};

interface Orders {
  readonly bare: BareOrder;
  readonly fastify: LocalCopyOrder;
  readonly sqlite: SqliteOrder;
}

export async function startReference<Name extends keyof Orders>(
  name: Name,
  order: Orders[Name],
  options: ForkOptions = {},
): Promise<Server> {
  const child = forkOnCore(fileURLToPath(MODULES[name]), options);
  const { port } = await ofChild<Listening>(child, order);
  return serverOf(child, port);
}

export interface FileServer {
  readonly server: Server;
  /** The reference's requests for each row, by the row's name. */
  readonly targets: ReadonlyMap<string, readonly Target[]>;
}

/** Starts nginx with the bodies that a running service gives to the rows' targets now, as files. */
export async function startFileServer(
  program: string,
  rows: readonly Row[],
  { port, cpu }: { readonly port: number; readonly cpu: number | undefined },
): Promise<FileServer> {
  const files = new Map<string, Buffer>();
  const targets = new Map<string, Target[]>();
  for (const [index, row] of rows.entries()) {
    const own: Target[] = [];
    for (const [at, target] of row.targets.entries()) {
      const { headers } = target;
      const name = `${index}-${at}.json`;
      const isGzip = headers['Accept-Encoding'] !== undefined;
      files.set(isGzip ? `${name}.gz` : name, (await ask(port, target)).body);
      own.push({ path: `/${name}`, headers });
    }
    targets.set(row.name, own);
  }
  return { server: await startNginx(program, files, cpu), targets };
}
