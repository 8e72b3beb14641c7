/** Where a server is, and how to connect to it. */
import { connect, type NetConnectOpts, type Socket } from 'node:net';
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

export function urlOf(server: ServerAddress): string {
  if (typeof server === 'number') return `http://127.0.0.1:${server}`;
  return `${server.isTls ? 'https' : 'http'}://${server.authority}${server.prefix}`;
}

/** A connection; `connect` or `secureConnect` (`readyEvent`) tells that it can be written to. */
export function connectTo(server: ServerAddress, local: { localAddress?: string } = {}): Socket {
  if (typeof server === 'number') return connect(optionsOf(server, local));
  if (!server.isTls) return connect(optionsOf(server, local));
  return connectTls({ ...optionsOf(server, local), servername: server.host });
}

export function optionsOf(
  server: ServerAddress,
  local: { localAddress?: string } = {},
): NetConnectOpts & { readonly port: number; readonly host: string } {
  const { host, port } = typeof server === 'number' ? { host: '127.0.0.1', port: server } : server;
  return { host, port, noDelay: true, ...local };
}

/** The event of a connection that can be written to. */
export function readyEvent(server: ServerAddress): 'connect' | 'secureConnect' {
  return typeof server !== 'number' && server.isTls ? 'secureConnect' : 'connect';
}
