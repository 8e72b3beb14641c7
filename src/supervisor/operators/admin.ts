/** Serves `/metrics` to the operator, on 127.0.0.1 and never on the public address. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import type { Log } from '../../log/log.js';
import { describeAddress, reasonOf } from '../port.js';
import type { ScrapeOptions } from './scrape.js';

const PROMETHEUS_TEXT = 'text/plain; version=0.0.4; charset=utf-8';

const LOOK_MS = 100;

export interface Admin {
  close(): void;
}

/**
 * Opens `ADMIN_PORT`, for which it is tried again for as long as `patienceMs`.
 *
 * @throws {Error} one line, where the port cannot be had.
 */
export async function openAdmin(
  port: number,
  { log, patienceMs, ...of }: ScrapeOptions & { readonly log: Log; readonly patienceMs: number },
): Promise<Admin> {
  const { createScrape } = await import('./scrape.js');
  const server = await listen(port, performance.now() + patienceMs);
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

/** On 127.0.0.1; port 0 picks a free one. */
async function listen(port: number, until: number): Promise<Server> {
  for (;;) {
    const server = createServer();
    server.listen({ host: '127.0.0.1', port });
    try {
      await once(server, 'listening');
      return server;
    } catch (cause) {
      const where = describeAddress({ host: '127.0.0.1', port });
      if (performance.now() < until) await after(LOOK_MS);
      else throw new Error(`cannot listen on ${where} for metrics: ${reasonOf(cause)}`, { cause });
    }
  }
}
