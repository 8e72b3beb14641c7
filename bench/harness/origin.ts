/** Servers on ports of this machine. */
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';

export const HOST = '127.0.0.1';

export function urlOf(port: number): string {
  return `http://${HOST}:${port}`;
}

/** A port that is free at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
