/** Common code of every reference process of the bench: one message to it, one from it, an end with its parent. */

/** The message from a reference, once it listens on 127.0.0.1. */
export interface Listening {
  readonly port: number;
}

/**
 * Waits for the one message to this process, serves as it says, and answers with the port; the caller knows its type.
 */
export function serveOrder(serve: (order: never) => Promise<number>): void {
  process.once('message', (order) => {
    void serve(order as never).then((port) => process.send?.({ port } satisfies Listening));
  });
  process.once('disconnect', () => {
    process.exit(0);
  });
}
