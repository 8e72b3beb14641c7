/** The server of the wire with one endpoint, in the test's own process. */
import type { Test } from 'tap';
import { Counters } from '../../../src/http/front/counters.js';
import type { CountedEvent } from '../../../src/ipc/front-counters.js';
import { methodAnswer } from '../../../src/http/semantics/error-answers.js';
import {
  createServer,
  type Responder,
  type Server,
  type ServerOptions,
} from '../../../src/http/wire/server.js';

export const HOST = '127.0.0.1';

/** Counters of which each event can be read. */
class ReadableCounters extends Counters {
  readonly counts: Partial<Record<CountedEvent, number>> = {};

  override count(name: CountedEvent): void {
    super.count(name);
    this.counts[name] = (this.counts[name] ?? 0) + 1;
  }
}

/** Answers `/body` on a free port of 127.0.0.1 until the test ends. */
export async function serveOnWire(
  t: Test,
  respond: Responder,
  limits: Partial<
    Pick<ServerOptions, 'trustProxy' | 'answerDeadlineMs' | 'largeBodiesMax' | 'connectionsMax'>
  > = {},
): Promise<{
  readonly port: number;
  readonly counters: ReadableCounters;
  readonly server: Server;
}> {
  const counters = new ReadableCounters(['/body']);
  const server = createServer({
    routes: [{ path: '/body', respond }],
    respondElsewhere: ({ method }) => methodAnswer(method, false),
    isDraining: () => false,
    trustProxy: false,
    answerDeadlineMs: 15_000,
    largeBodiesMax: 100,
    listenersMax: 100,
    connectionsMax: 100,
    onConnectionRefused: () => {
      counters.count('connectionsRefused');
    },
    ...limits,
    counters,
  });
  const port = await server.listen(HOST, 0);
  t.teardown(() => {
    server.stopListening();
  });
  if (port === undefined) throw new Error('a free port is always to be had');
  return { port, counters, server };
}
