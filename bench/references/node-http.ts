/** `node:http` as the references use it. */
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';

/** Listens on a free port of 127.0.0.1, and keeps connections for as long as clients do. */
export async function listenWithNodeHttp(respond: RequestListener): Promise<number> {
  const server = createServer({ keepAliveTimeout: 0 }, respond);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** A JSON body, compressed or not. */
export function sendJson(response: ServerResponse, body: Uint8Array, isGzip: boolean): void {
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.byteLength,
    Vary: 'Accept-Encoding',
    ...(isGzip ? { 'Content-Encoding': 'gzip' } : {}),
  });
  response.end(body);
}
