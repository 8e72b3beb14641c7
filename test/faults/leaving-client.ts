/** Clients that disconnect before the end of their answer. */
import { connect } from 'node:net';
import { requestBytes } from '../support/service/connection.js';

interface Leaving {
  readonly target: string;
  /** The part of the request that is sent; default: 1, all of it. */
  readonly sent?: number;
  /** Number of bytes of the answer that are read before the client disconnects. */
  readonly read: number;
  /** Whether the client disconnects by a reset. */
  readonly reset: boolean;
}

/** Sends a request or its beginning, reads some bytes and disconnects; resolves when the connection is closed. */
export async function leave(
  { port }: { readonly port: number },
  { target, sent = 1, read, reset }: Leaving,
): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port });
  socket.on('error', () => undefined);
  const bytes = requestBytes({ target, fields: { Connection: 'close' } });
  const isWhole = sent === 1;
  socket.write(isWhole ? bytes : bytes.subarray(0, Math.ceil(sent * (bytes.length - 1))));
  let received = 0;
  const closed = new Promise((settle) => socket.once('close', settle));
  await new Promise<void>((settle) => {
    socket.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received >= read) settle();
    });
    if (read === 0 || !isWhole) socket.once('connect', settle);
    // The answer may be shorter than `read`.
    socket.once('close', () => {
      settle();
    });
  });
  if (reset) socket.resetAndDestroy();
  else socket.destroy();
  await closed;
}
