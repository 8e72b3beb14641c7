/** A reverse proxy that removes a path prefix, for a service below the root of its host. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import type { Test } from 'tap';
import { beginAnswer } from './requests.js';

export interface PathProxy {
  readonly origin: string;
  /** `PUBLIC_BASE_URL` of the service. */
  readonly baseUrl: string;
  /** Sets the service; earlier requests are answered with 404. */
  forward(service: { readonly port: number }): void;
  /** Requested targets without the prefix, which were answered with 404. */
  readonly outside: readonly string[];
}

/** @param path without a slash at its end; empty: the root. */
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
    beginAnswer(to, url.slice(path.length), { method, headers }).then(
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        // A client may leave an event stream.
        pipeline(answer, response, () => undefined);
      },
      () => response.destroy(),
    );
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
