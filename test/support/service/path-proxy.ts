/** A reverse proxy that removes a path prefix, for a service below the root of its host. */
import { pipeline } from 'node:stream';
import type { Test } from 'tap';
import { listenHttp } from './listen-http.js';
import { beginAnswer } from './requests.js';

/**
 * @param path without a slash at its end; empty: the root.
 * @returns the service's `PUBLIC_BASE_URL` (`baseUrl`), a function that sets the service, and the requested targets
 * without the prefix, which were answered with 404 (`outside`).
 */
export async function startPathProxy(t: Test, path: string) {
  let to: { readonly port: number } | undefined;
  const outside: string[] = [];
  const port = await listenHttp(t, (received, response) => {
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
  const origin = `http://127.0.0.1:${port}`;
  const forward = (service: { readonly port: number }): void => {
    to = service;
  };
  return { origin, baseUrl: origin + path, outside, forward };
}
