/** Where a server is, and how to connect to it. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { connect as connectTls } from 'node:tls';

/** A server somewhere else, by its URL. */
export interface Origin {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  /** The value of `Host`. */
  readonly authority: string;
  /** What comes before every path, without a slash at its end. */
  readonly prefix: string;
}

/** A port of this machine, or another server. */
export type ServerAddress = number | Origin;

/** @throws for what is no http or https URL. */
export function originOf(url: string): Origin {
  const { protocol, hostname, port, host, pathname } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError(`no http URL: ${url}`);
  const isTls = protocol === 'https:';
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isTls ? 443 : 80) : Number(port),
    isTls,
    authority: host,
    prefix: pathname.replace(/\/+$/, ''),
  };
}

export function addressOf(server: ServerAddress): Origin {
  if (typeof server !== 'number') return server;
  const authority = `127.0.0.1:${server}`;
  return { host: '127.0.0.1', port: server, isTls: false, authority, prefix: '' };
}

export function urlOf(server: ServerAddress): string {
  const { isTls, authority, prefix } = addressOf(server);
  return `${isTls ? 'https' : 'http'}://${authority}${prefix}`;
}

/** A connection; what is written to it before it is open is sent then. */
export function connectTo(server: ServerAddress): Socket {
  const { host, port, isTls } = addressOf(server);
  if (isTls) return connectTls({ host, port, servername: host });
  return connect({ host, port, noDelay: true });
}

/** A port of 127.0.0.1 that nobody has at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
