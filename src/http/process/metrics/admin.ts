/** Serves `/metrics` to the operator, on 127.0.0.1 and never on the public address. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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
  try {
    const admin = await startAdmin({ port, renderMetrics: createScrape(of) });
    log.info({ host: '127.0.0.1', port: admin.port }, 'metrics listening');
    return admin;
  } catch (cause) {
    const where = describeAddress({ host: '127.0.0.1', port });
    throw new Error(`cannot listen on ${where} for metrics: ${reasonOf(cause)}`, { cause });
  }
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

/**
 * Answers `/metrics` on 127.0.0.1; port 0 picks a free one.
 *
 * @throws {Error} the system's own, where the port cannot be had.
 */
async function startAdmin(options: {
  readonly port: number;
  readonly renderMetrics: () => Promise<string>;
}): Promise<{ readonly port: number; close(): void }> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Not Found\n');
      return;
    }
    options.renderMetrics().then(
      (text) => response.writeHead(200, { 'Content-Type': PROMETHEUS_TEXT }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  const address = await new Promise<AddressInfo | string | null>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: options.port }, () => {
      resolve(server.address());
    });
  });
  return {
    port: typeof address === 'object' && address !== null ? address.port : options.port,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
