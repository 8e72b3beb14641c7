/** A proxy that acts when a number of bytes has passed, so that a test need not time that moment. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import type { Scope } from '../../../support/service/ports.js';

export interface CountingProxy {
  readonly port: number;
  /** Counts from zero, in both directions; `act` is called once, before the byte of that number is forwarded. */
  count(actAt?: number, act?: () => void): void;
  /** Number of bytes since the last call of `count`. */
  readonly bytes: number;
}

/** Forwards connections to a free port on to `port`, both of 127.0.0.1. */
export async function startCountingProxy(scope: Scope, port: number): Promise<CountingProxy> {
  let bytes = 0;
  let at = Infinity;
  let onBytes = (): void => undefined;
  const pass = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes < at) return;
    at = Infinity;
    onBytes();
  };
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    client.on('data', pass).pipe(upstream);
    upstream.on('data', pass).pipe(client);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.teardown(() => server.close());
  return {
    port: (server.address() as AddressInfo).port,
    get bytes() {
      return bytes;
    },
    count(actAt = Infinity, act = () => undefined) {
      bytes = 0;
      at = actAt;
      onBytes = act;
    },
  };
}
