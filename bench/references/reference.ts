/** Common code of the bench's reference processes: each gets one message, sends one, and ends with its parent. */

/** The message from a reference, once it listens on 127.0.0.1. */
export interface Listening {
  readonly port: number;
}

/**
 * Waits for this process's one message, serves accordingly, and sends the port; the caller knows the message's type.
 */
export function serveOrder(serve: (order: never) => Promise<number>): void {
  process.once('message', (order) => {
    void serve(order as never).then((port) => process.send?.({ port } satisfies Listening));
  });
  process.once('disconnect', () => {
    process.exit(0);
  });
}
