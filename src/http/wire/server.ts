/** Adapts uWebSockets.js to plain requests and answers. */
import { PendingAnswer, type Answer } from '../semantics/answer.js';
import { errorAnswer } from '../semantics/error-answers.js';
import type { PlainRequest, RequestFields } from '../semantics/request.js';
import { BodySender } from './body-sender.js';
import { addressOf, clientOf, ClientQuotas, Connections } from './clients.js';
import { readRequestFields } from './request-fields.js';
import { sendLater } from './delayed-send.js';
import { send, type AccessEntry, type SendCounters, type Sent } from './send.js';
import {
  App,
  us_listen_socket_close,
  us_socket_local_port,
  type HttpRequest,
  type HttpResponse,
  type us_listen_socket,
} from './uwebsockets.js';

/** Answers requests. Its methods never throw, and their promises never reject. */
export interface RequestHandler<Endpoint extends { readonly path: string }> {
  /** Paths with parameters as `{name}`; literal paths win. */
  readonly endpoints: readonly Endpoint[];
  /** Answers `GET` and `HEAD` on an endpoint's path. */
  handle(endpoint: Endpoint, request: PlainRequest): Answer | PendingAnswer;
  /** Answers other methods and other paths. */
  handleOther(request: PlainRequest): Answer | PendingAnswer;
}

export interface ServerOptions {
  /** Whether a trusted proxy sets `X-Forwarded-For`. */
  readonly trustProxy: boolean;
  /** Time limit for a pending answer, then 503: the library has no timer. */
  readonly answerDeadlineMs: number;
  /** Limit of concurrent large answers; further ones are 503. */
  readonly largeBodiesMax: number;
  /** Limit of concurrent large answers from open files; further ones are 503. */
  readonly fileBodiesMax: number;
  /** Limit of concurrent listeners to a feed; further ones get 503. */
  readonly listenersMax: number;
  /** Limit of concurrent connections; further ones are closed at once. */
  readonly connectionsMax: number;
  readonly onConnectionRefused: () => void;
  readonly counters: SendCounters;
  /** Begins the log line of a request, in the request's own iteration; undefined for one that is not logged. */
  readonly beginAccess?: ((request: LoggedRequest) => AccessEntry | undefined) | undefined;
}

export interface LoggedRequest extends PlainRequest {
  readonly userAgent: string;
}

/** Memory for large answers being sent, beside the caches (`docs/operations/limits.md, "Limits"`). */
const HELD_BYTES_MAX = 64 * 1024 * 1024;

const MALFORMED = errorAnswer('malformed');

export class Server<Endpoint extends { readonly path: string } = { readonly path: string }> {
  readonly #app = App();
  readonly #handler: RequestHandler<Endpoint>;
  readonly #options: ServerOptions;
  readonly #connections: Connections;
  readonly #sent: Sent;
  #socket: us_listen_socket | undefined;
  #isDraining = false;

  constructor(handler: RequestHandler<Endpoint>, options: ServerOptions) {
    const { counters, connectionsMax, onConnectionRefused } = options;
    this.#handler = handler;
    this.#options = options;
    this.#sent = {
      counters,
      largeBodies: new ClientQuotas(options.largeBodiesMax),
      fileBodies: new ClientQuotas(options.fileBodiesMax),
      heldBytes: new ClientQuotas(HELD_BYTES_MAX),
      listeners: new ClientQuotas(options.listenersMax),
    };
    this.#connections = new Connections(this.#app, {
      max: connectionsMax,
      onRefused: onConnectionRefused,
    });
    for (const [route, endpoint] of handler.endpoints.entries()) {
      const pattern = endpoint.path.replace(/\{\+\w+\}$/, '*').replaceAll(/\{(\w+)\}/g, ':$1');
      // The library also matches `*` with no segment, so the handler compares the path again.
      const exact = pattern.endsWith('*') ? {} : { endpoint };
      this.#app.get(pattern, this.#answerer({ route, ...exact }));
      this.#app.head(pattern, this.#answerer({ route, ...exact, headOnly: true }));
      this.#app.any(pattern, this.#answerer({ route }));
    }
    const route = handler.endpoints.length;
    this.#app.head('/*', this.#answerer({ route, headOnly: true }));
    this.#app.any('/*', this.#answerer({ route }));
    BodySender.startRetrying();
  }

  get connections(): number {
    return this.#connections.open;
  }

  get largeAnswers(): number {
    return this.#sent.largeBodies.taken;
  }

  get listeners(): number {
    return this.#sent.listeners.taken;
  }

  /** Opens the port; undefined if that fails. */
  listen(host: string, port: number): Promise<number | undefined> {
    return new Promise((resolve) => {
      this.#app.listen(host, port, (opened) => {
        this.#socket = opened === false ? undefined : opened;
        resolve(this.#socket && us_socket_local_port(this.#socket));
      });
    });
  }

  /** Closes each connection after its next answer. */
  drain(): void {
    this.#isDraining = true;
  }

  /** Accepts no more connections; open ones go on. */
  stopListening(): void {
    if (this.#socket !== undefined) us_listen_socket_close(this.#socket);
    this.#socket = undefined;
  }

  /** Answers each request exactly once: a throw would end the process (docs/dependencies.md, "Handlers that throw"). */
  #answerer({
    route,
    endpoint,
    headOnly = false,
  }: {
    readonly route: number;
    /** Undefined for other paths and methods. */
    readonly endpoint?: Endpoint;
    readonly headOnly?: boolean;
  }): (res: HttpResponse, req: HttpRequest) => void {
    const { trustProxy, answerDeadlineMs, beginAccess } = this.#options;
    const handler = this.#handler;
    const sent = this.#sent;
    return (res, req) => {
      const arrivedAt = performance.now();
      const fields = readRequestFields(req);
      const request = new RequestView(req, res, fields, trustProxy);
      const access = beginAccess?.(request);
      const { content } = fields;
      let answer: Answer | PendingAnswer = MALFORMED;
      if (content !== 'malformed') {
        answer = endpoint ? handler.handle(endpoint, request) : handler.handleOther(request);
      }
      // No endpoint needs content. The connection is closed, since the library's parser lets smuggled requests through.
      const isLast = content !== 'none' || ('error' in answer && answer.error === 'malformed');
      const connection = isLast ? 'closed' : this.#isDraining ? 'ending' : 'kept';
      const sending = { headOnly, connection, route, arrivedAt, access, request, sent } as const;
      if (isLast || answer instanceof PendingAnswer) {
        sendLater(res, answer, { sending, answerDeadlineMs });
      } else send(res, answer, sending);
    };
  }
}

/** Reads each text only when it is used, which saves 0.3 µs of the 4.5 µs of a small answer. */
class RequestView implements LoggedRequest {
  readonly fields: RequestFields;
  readonly #req: HttpRequest;
  readonly #res: HttpResponse;
  readonly #trustProxy: boolean;

  constructor(req: HttpRequest, res: HttpResponse, fields: RequestFields, trustProxy: boolean) {
    this.#req = req;
    this.#res = res;
    this.fields = fields;
    this.#trustProxy = trustProxy;
  }

  get method(): string {
    return this.#req.getCaseSensitiveMethod();
  }

  get path(): string {
    return this.#req.getUrl();
  }

  get query(): string {
    // Undefined without a query, unlike the library's types.
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
