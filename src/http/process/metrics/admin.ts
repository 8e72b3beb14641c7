/** Serves `/metrics` to the operator, on 127.0.0.1 and never on the public address. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import type { Log } from '../log.js';
import { describeAddress, reasonOf } from '../port.js';
import type { Metrics } from './metrics.js';
import type { ScrapeOptions } from './scrape.js';

const PROMETHEUS_TEXT = 'text/plain; version=0.0.4; charset=utf-8';

/** The instance that was taken over from closes its port before it says that it has left. */
const FREE_MS = 5000;
const LOOK_MS = 100;

export interface Admin {
  close(): void;
}

/** The library of metrics is loaded here, so only where they are wanted. */
export async function loadMetrics(build: string): Promise<Metrics> {
  const { Metrics } = await import('./metrics.js');
  return new Metrics(build);
}

/**
 * Opens `ADMIN_PORT`.
 *
 * @throws {Error} one line, where the port cannot be had.
 */
export async function openAdmin(port: number, log: Log, of: ScrapeOptions): Promise<Admin> {
  const { createScrape } = await import('./scrape.js');
  let server: Server;
  try {
    server = await listen(port);
  } catch (cause) {
    const where = describeAddress({ host: '127.0.0.1', port });
    throw new Error(`cannot listen on ${where} for metrics: ${reasonOf(cause)}`, { cause });
  }
  // What watches this process begins only once: a port that is taken is asked for many times.
  const renderMetrics = createScrape(of);
  server.on('request', (request, response) => {
    if (request.url !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Not Found\n');
      return;
    }
    renderMetrics().then(
      (text) => response.writeHead(200, { 'Content-Type': PROMETHEUS_TEXT }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  const address = server.address();
  const listening = typeof address === 'object' && address !== null ? address.port : port;
  log.info({ host: '127.0.0.1', port: listening }, 'metrics listening');
  return {
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The same for a service that runs already: without its metrics, it goes on. */
export async function openAdminInTime(
  open: () => Promise<Admin | undefined>,
  log: Log,
): Promise<Admin | undefined> {
  const deadline = performance.now() + FREE_MS;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (performance.now() < deadline) {
        await after(LOOK_MS);
        continue;
      }
      log.error({ reason: reasonOf(error) }, 'no metrics');
      return undefined;
    }
  }
}

/** On 127.0.0.1; port 0 picks a free one. */
async function listen(port: number): Promise<Server> {
  const server = createServer();
  server.listen({ host: '127.0.0.1', port });
  await once(server, 'listening');
  return server;
}
