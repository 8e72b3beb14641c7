/**
 * The reference: bare uWebSockets.js, in its own process. Requests every target once from the service, and then answers
 * the same bytes from memory, as fast as the library can.
 *
 * Header fields, except the library's own, are one block in one call (`writeHeader` copies its value unchecked), and
 * blocks and bodies are Buffers, which need no encoding.
 */
import * as uws from '../../src/http/wire/uwebsockets.js';
import type { HttpResponse, TemplatedApp } from '../../src/http/wire/uwebsockets.js';
import { fieldOf, type Answer } from '../../test/support/service/exchange.js';
import { ask, type Target } from '../harness/exchange.js';
import { serveOrder } from './reference.js';

export interface BareOrder {
  /** The port of the service whose answers are copied; 0 to answer `ok` to everything, for the client's ceiling. */
  readonly servicePort: number;
  readonly targets: readonly Target[];
}

/** Header fields that the library writes itself. */
const ADDED_BY_LIBRARY = new Set(['date', 'content-length', 'uwebsockets']);

type Send = (res: HttpResponse) => void;

serveOrder(async ({ servicePort, targets }: BareOrder) => {
  const app = uws.App();
  if (servicePort === 0) app.get('/*', (res) => void res.end('ok'));
  else await answerFromMemory(app, servicePort, targets);
  return await new Promise((resolve) => {
    app.listen('127.0.0.1', 0, (socket) => {
      if (socket === false) throw new Error('the reference cannot listen');
      resolve(uws.us_socket_local_port(socket));
    });
  });
});

async function answerFromMemory(
  app: TemplatedApp,
  servicePort: number,
  targets: readonly Target[],
): Promise<void> {
  const answers = new Map<string, Send>();
  for (const target of targets) {
    answers.set(target.path, createSend(await ask(servicePort, target)));
  }
  const [only] = answers;
  if (only !== undefined && answers.size === 1) {
    app.get(only[0].replace(/\?.*/, ''), only[1]);
    return;
  }
  app.get('/*', (res, req) => {
    const query = req.getQuery();
    const send = answers.get(query ? `${req.getUrl()}?${query}` : req.getUrl());
    if (send === undefined) res.writeStatus('404 Not Found').end();
    else send(res);
  });
}

/** The fewest calls that the library allows for an answer; it writes `200 OK` where no other status is written. */
function createSend(answer: Answer): Send {
  const body = answer.body;
  const status = answer.statusLine;
  const own = answer.fields.filter(([name]) => !ADDED_BY_LIBRARY.has(name.toLowerCase()));
  const [first, ...rest] = own;
  if (first === undefined) return (res) => res.writeStatus(status).end(body);
  const name = Buffer.from(first[0], 'latin1');
  const block = Buffer.from(
    first[1] + rest.map(([key, value]) => `\r\n${key}: ${value}`).join(''),
    'latin1',
  );
  if (fieldOf(answer, 'content-length') === undefined) {
    return (res) => res.writeStatus(status).writeHeader(name, block).endWithoutBody();
  }
  if (status !== '200 OK') {
    return (res) => res.writeStatus(status).writeHeader(name, block).end(body);
  }
  return (res) => {
    res.writeHeader(name, block);
    res.end(body);
  };
}
