/** Reserves ports for programs that a test starts. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A test (`tap`) or another owner, which runs its teardowns in reverse order. */
export interface Scope {
  teardown(end: () => unknown): void;
}

/**
 * A free port of 127.0.0.1, reserved until the end of the scope. A bound connection reserves it: Linux lets a process that names the port and sets `SO_REUSEADDR`, as all servers do,
 * listen on it, but never gives it to a process that leaves the choice to the kernel.
 */
export async function holdPort(scope: Scope): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const accepted = once(listener, 'connection') as Promise<[Socket]>;
  // libuv sets SO_REUSEADDR for a named address, and the kernel chooses the port.
  const held = connect({ host: '127.0.0.1', port, localAddress: '127.0.0.1' });
  await once(held, 'connect');
  const [other] = await accepted;
  listener.close();
  for (const socket of [held, other]) socket.on('error', () => undefined);
  scope.teardown(() => {
    // A reset leaves no state of the port in the kernel.
    held.resetAndDestroy();
    other.destroy();
  });
  const { localPort } = held;
  if (localPort === undefined) throw new Error('a connection has a port of its own');
  return localPort;
}
