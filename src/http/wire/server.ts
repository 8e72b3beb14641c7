/** Requests from uWebSockets.js as plain requests, and plain answers back to it; nothing that is thrown gets past here. */
import { PendingAnswer, type Answer } from '../semantics/answer.js';
import { clientOf } from '../semantics/client-address.js';
import { errorAnswer } from '../semantics/error-answers.js';
import type { PlainRequest, RequestFields } from '../semantics/request.js';
import { BodySender } from './body-sender.js';
import { Connections } from './connections.js';
import { ClientPlaces } from './client-places.js';
import { readRequestFields } from './request-fields.js';
import { send, type AccessEntry, type SendCounters, type Sending, type Sent } from './send.js';
import {
  addressOf,
  App,
  us_listen_socket_close,
  us_socket_local_port,
  type HttpRequest,
  type HttpResponse,
  type us_listen_socket,
} from './uwebsockets.js';

/** To be called in the request's own turn; never throws, and what it promises is never rejected. */
export type Responder = (request: PlainRequest) => Answer | PendingAnswer;

export interface ServerOptions {
  /** Literal paths win over those with parameters wherever both fit. */
  readonly routes: readonly {
    /** With parameters as `{name}`. */
    readonly path: string;
    /** To `GET` and `HEAD`. */
    readonly respond: Responder;
  }[];
  /** To every other method on these paths, and to every request for another path. */
  readonly respondElsewhere: Responder;
  /** Whether each connection is to be closed after its answer. */
  readonly isDraining: () => boolean;
  /** Whether `X-Forwarded-For` comes from a proxy of ours. */
  readonly trustProxy: boolean;
  /** Time for an answer that is still being made, then its client gets 503: the library has no timer. */
  readonly answerDeadlineMs: number;
  /** Large answers on their way at a time; one more is 503. */
  readonly largeBodiesMax: number;
  /** Clients that listen to a feed at a time; one more is 503. */
  readonly listenersMax: number;
  /** Connections at a time; one more is closed at once. */
  readonly connectionsMax: number;
  readonly onConnectionRefused: () => void;
  readonly counters: SendCounters;
  /**
   * Begins the access line of a request; answers undefined for one that is not logged.
   *
   * Default: none is. To be called in the request's own turn, before it is answered.
   */
  readonly beginAccess?: ((request: LoggedRequest) => AccessEntry | undefined) | undefined;
}

/** A request with what only its access line needs. */
export interface LoggedRequest extends PlainRequest {
  /** `User-Agent`; empty where the request has none. */
  readonly userAgent: string;
}

export interface Server {
  /** Connections that are open. */
  readonly connections: number;
  /** Large answers that are on their way. */
  readonly largeAnswers: number;
  /** Clients that listen to a feed. */
  readonly listeners: number;
  /** The port, once the socket is open; undefined where it cannot be had. */
  listen(host: string, port: number): Promise<number | undefined>;
  /** Accepts no more connections; those that are open go on. */
  stopListening(): void;
}

/** Of large answers on their way: what this process holds for their clients, beside the caches (`docs/operations.md, "Limits"`). */
const HELD_BYTES_MAX = 64 * 1024 * 1024;

const MALFORMED = errorAnswer('malformed');
const BUSY = errorAnswer('busy');

export function createServer(options: ServerOptions): Server {
  const app = App();
  const { counters, largeBodiesMax, listenersMax, connectionsMax, onConnectionRefused } = options;
  const connections = new Connections({ max: connectionsMax, onRefused: onConnectionRefused });
  // Its types say that a number is an object.
  app.filter((res, change) => {
    connections.onChange(res, Number(change));
  });
  const { routes, respondElsewhere } = options;
  const largeBodies = new ClientPlaces(largeBodiesMax);
  const listeners = new ClientPlaces(listenersMax);
  const heldBytes = new ClientPlaces(HELD_BYTES_MAX);
  const on = { ...options, sent: { counters, largeBodies, heldBytes, listeners } };
  for (const [route, { path, respond }] of routes.entries()) {
    const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
    app.get(pattern, handler(on, { route, respond }));
    app.head(pattern, handler(on, { route, respond, headOnly: true }));
    app.any(pattern, handler(on, { route, respond: respondElsewhere }));
  }
  const elsewhere = { route: routes.length, respond: respondElsewhere };
  app.head('/*', handler(on, { ...elsewhere, headOnly: true }));
  app.any('/*', handler(on, elsewhere));
  BodySender.startRetrying();
  let socket: us_listen_socket | undefined;
  return {
    get connections() {
      return connections.open;
    },
    get largeAnswers() {
      return largeBodies.taken;
    },
    get listeners() {
      return listeners.taken;
    },
    listen: (host, port) =>
      new Promise((resolve) => {
        app.listen(host, port, (opened) => {
          socket = opened === false ? undefined : opened;
          resolve(socket && us_socket_local_port(socket));
        });
      }),
    stopListening: () => {
      if (socket !== undefined) us_listen_socket_close(socket);
      socket = undefined;
    },
  };
}

type HandlerOptions = Pick<
  ServerOptions,
  'isDraining' | 'trustProxy' | 'answerDeadlineMs' | 'beginAccess'
> & {
  readonly sent: Sent;
};

/**
 * A handler that answers exactly once, in its own turn: one that throws, or returns without an answer, would end the
 * process (docs/dependencies.md, "Handlers that throw").
 */
function handler(
  { isDraining, trustProxy, answerDeadlineMs, beginAccess, sent }: HandlerOptions,
  {
    route,
    respond,
    headOnly = false,
  }: { readonly route: number; readonly respond: Responder; readonly headOnly?: boolean },
): (res: HttpResponse, req: HttpRequest) => void {
  return (res, req) => {
    const arrivedAt = performance.now();
    const fields = readRequestFields(req);
    const request = new RequestView({ req, res, fields, trustProxy });
    const access = beginAccess?.(request);
    const sending = { headOnly, close: isDraining(), route, arrivedAt, access, request };
    const answer = fields.content === 'malformed' ? MALFORMED : respond(request);
    if (answer instanceof PendingAnswer)
      sendLater(res, answer, { sending, sent, answerDeadlineMs });
    else if (fields.content === 'none' && answer !== MALFORMED) send(res, answer, sending, sent);
    else sendAndClose(res, answer, { sending, sent });
  };
}

/** Reads from the library only what is asked for: each text costs 0.3 µs of the 4.5 that a small answer takes. */
class RequestView implements LoggedRequest {
  readonly fields: RequestFields;
  readonly #req: HttpRequest;
  readonly #res: HttpResponse;
  readonly #trustProxy: boolean;

  constructor(of: {
    readonly req: HttpRequest;
    readonly res: HttpResponse;
    readonly fields: RequestFields;
    readonly trustProxy: boolean;
  }) {
    this.#req = of.req;
    this.#res = of.res;
    this.fields = of.fields;
    this.#trustProxy = of.trustProxy;
  }

  get method(): string {
    return this.#req.getCaseSensitiveMethod();
  }

  get path(): string {
    return this.#req.getUrl();
  }

  get query(): string {
    // Without one the library gives undefined, whatever its types say.
    const text = this.#req.getQuery() as string | undefined;
    return text ?? '';
  }

  get userAgent(): string {
    return this.#req.getHeader('user-agent');
  }

  get client(): string {
    const { forwardedFor } = this.fields;
    const socketAddress = addressOf(this.#res);
    return clientOf({ socketAddress, forwardedFor, trustProxy: this.#trustProxy });
  }
}

/**
 * Answers a malformed request, or one with content: no endpoint needs content, and the library's parser lets smuggled
 * requests through. The answer is sent a turn later and the connection closed, so that whatever else came in the same
 * packet makes the library drop the connection (docs/dependencies.md, "Requests with content").
 *
 * A large answer leaves the connection open: the library closes only what it sends whole. Its request has one
 * clear length, so what comes after that is a request of its own.
 */
function sendAndClose(
  res: HttpResponse,
  answer: Answer,
  { sending, sent }: { readonly sending: Sending; readonly sent: Sent },
): void {
  let isWaiting = true;
  res.onAborted(() => {
    if (isWaiting) endUnanswered(sending, sent);
    isWaiting = false;
  });
  setImmediate(() => {
    if (!isWaiting) return;
    isWaiting = false;
    // The library can end an answer without a body, or close after an answer, but not both.
    if (sending.headOnly || answer.body === undefined) {
      sending.access?.end('unanswered', undefined, 0);
      res.close();
      return;
    }
    res.cork(() => {
      send(res, answer, { ...sending, close: true }, sent);
    });
  });
}

/** The client of a request has gone before its answer was begun. */
function endUnanswered({ access }: Sending, { counters }: Sent): void {
  counters.cut('client_gone');
  access?.end('client_gone', undefined, 0);
}

/** Sends an answer that is still being made, unless its client goes or it takes too long: then it is abandoned. */
function sendLater(
  res: HttpResponse,
  pending: PendingAnswer,
  {
    sending,
    sent,
    answerDeadlineMs,
  }: { readonly sending: Sending; readonly sent: Sent; readonly answerDeadlineMs: number },
): void {
  const { counters } = sent;
  let isWaiting = true;
  counters.inFlight += 1;
  const end = (): void => {
    isWaiting = false;
    counters.inFlight -= 1;
    clearTimeout(timer);
  };
  const answer = (made: Answer): void => {
    if (!isWaiting) return;
    end();
    res.cork(() => {
      send(res, made, sending, sent);
    });
  };
  const timer = setTimeout(() => {
    pending.abandon();
    answer(BUSY);
  }, answerDeadlineMs);
  res.onAborted(() => {
    if (!isWaiting) return;
    end();
    pending.abandon();
    endUnanswered(sending, sent);
  });
  void pending.promise.then(answer);
}
