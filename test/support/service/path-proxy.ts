/** A reverse proxy as operators have it where the service is not the root of its host: it takes the path away that all addresses begin with. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import type { Test } from 'tap';

export interface PathProxy {
  readonly origin: string;
  /** `PUBLIC_BASE_URL` of the service. */
  readonly baseUrl: string;
  /** Sets the service that requests are forwarded to; until then they get no answer. */
  forward(service: { readonly port: number }): void;
  /** Targets that it was asked for and that do not begin with the path: it has answered them 404. */
  readonly outside: readonly string[];
}

/** @param path without a slash at its end; empty: the service is the root. */
export async function startPathProxy(t: Test, path: string): Promise<PathProxy> {
  let to: { readonly port: number } | undefined;
  const outside: string[] = [];
  const server = createServer((received, response) => {
    const { url = '', method = 'GET', headers } = received;
    if (!url.startsWith(`${path}/`) || to === undefined) {
      outside.push(url);
      response.writeHead(404).end();
      return;
    }
    const target = { host: '127.0.0.1', port: to.port, path: url.slice(path.length) };
    const asked = request({ ...target, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      // A client that leaves an event stream is no failure.
      pipeline(answer, response, () => undefined);
    });
    asked.once('error', () => response.destroy());
    asked.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    baseUrl: origin + path,
    outside,
    forward(service) {
      to = service;
    },
  };
}
