/** Ports that a test gives to a program before it listens: asked of the kernel, and held until the test is over. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Ends what was started: a test (`tap`), or another caller of the functions that it was given, the last first. */
export interface Scope {
  teardown(end: () => unknown): void;
}

/**
 * A port of 127.0.0.1 on which nobody listens, and which nobody else is given until the scope is left.
 *
 * A connection holds it that is bound to it. Linux lets a process that names the port and sets `SO_REUSEADDR`, as all
 * servers do, listen on it meanwhile, and again after each restart. A process that leaves the choice of a port to the
 * kernel, by listening on port 0 or by connecting, never gets a bound one.
 */
export async function holdPort(scope: Scope): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const accepted = once(listener, 'connection') as Promise<[Socket]>;
  // libuv sets SO_REUSEADDR where an address is named, and has the kernel choose the port.
  const held = connect({ host: '127.0.0.1', port, localAddress: '127.0.0.1' });
  await once(held, 'connect');
  const [other] = await accepted;
  listener.close();
  for (const socket of [held, other]) socket.on('error', () => undefined);
  scope.teardown(() => {
    // A reset leaves nothing of the port in the kernel.
    held.resetAndDestroy();
    other.destroy();
  });
  const { localPort } = held;
  if (localPort === undefined) throw new Error('a connection has a port of its own');
  return localPort;
}
