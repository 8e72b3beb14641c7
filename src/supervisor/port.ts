/** Checks that the service's port is free: fronts share it, and would also share it with another instance. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { systemCode } from '../files/file-error.js';
import type { Settings } from '../settings.js';
import { messageOf } from '../snapshot/domain/snapshot-error.js';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/**
 * Returns the port after listening on it alone for a moment. For port 0 it picks a free port itself: a port that
 * uWebSockets.js picks is not shared, so the fronts could not use it together.
 *
 * @param options.portShared `on`: a port in use is no error, as another instance may share it; if no instance shares
 * it, the fronts fail.
 * @throws {Error} one line, where the port is in use.
 */
export async function claimPort({
  host,
  port,
  portShared,
}: Address & Pick<Settings, 'portShared'>): Promise<number> {
  const probe = createServer();
  try {
    const claimed = await listen(probe, { host, port });
    await once(probe.close(), 'close');
    return claimed;
  } catch (error) {
    const isTaken = error instanceof Error && systemCode(error.cause) === 'EADDRINUSE';
    if (portShared === 'on' && isTaken) return port;
    throw error;
  }
}

/** Opens the socket of a server. @returns its port. @throws {Error} one line, where it cannot listen on the port. */
export async function listen(server: Server, at: Address, why = ''): Promise<number> {
  try {
    await once(server.listen(at), 'listening');
  } catch (cause) {
    const message = `cannot listen on ${describeAddress(at)}${why}: ${reasonOf(cause)}`;
    throw new Error(message, { cause });
  }
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : at.port;
}

/** The address for messages and links, with an IPv6 address in brackets. */
export function describeAddress({ host, port }: Address): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return 'the port is taken';
    case 'EACCES':
      return 'this user may not have the port';
    case 'EADDRNOTAVAIL':
      return 'this machine has no such address';
    default:
      return messageOf(error);
  }
}
