/** The HTTP server with one endpoint, in the test's own process. */
import type { Test } from 'tap';
import { Counters } from '../../../src/http/front/counters.js';
import type { CountedEvent } from '../../../src/ipc/front-counters.js';
import { methodAnswer } from '../../../src/http/semantics/error-answers.js';
import type { Answer, PendingAnswer } from '../../../src/http/semantics/answer.js';
import type { PlainRequest } from '../../../src/http/semantics/request.js';
import { Server, type ServerOptions } from '../../../src/http/wire/server.js';

export const HOST = '127.0.0.1';

/** Counters whose values a test can read. */
export class ReadableCounters extends Counters {
  readonly counts: Partial<Record<CountedEvent, number>> = {};

  override count(name: CountedEvent): void {
    super.count(name);
    this.counts[name] = (this.counts[name] ?? 0) + 1;
  }
}

/** Answers `/body` on a free port of 127.0.0.1 until the test ends. */
export async function serveOnWire(
  t: Test,
  respond: (request: PlainRequest) => Answer | PendingAnswer,
  limits: Partial<ServerOptions> = {},
) {
  const counters = new ReadableCounters(['/body'], () => undefined);
  const handler = {
    endpoints: [{ path: '/body' }],
    handle: (_endpoint: unknown, request: PlainRequest) => respond(request),
    handleOther: ({ method }: PlainRequest) => methodAnswer(method, false),
  };
  const server = new Server(handler, {
    trustProxy: false,
    answerDeadlineMs: 15_000,
    largeBodiesMax: 100,
    fileBodiesMax: 100,
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
