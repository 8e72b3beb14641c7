/** The table of routes mounted on uWebSockets.js: GET and HEAD, OPTIONS, 404, 405, and nothing that throws. */
import { App, type HttpRequest, type HttpResponse, type TemplatedApp } from './uwebsockets.js';
import { PoolBusyError } from '../../workers/pool.js';
import type { Answer } from '../semantics/answer.js';
import { CROSS_ORIGIN } from '../semantics/common-headers.js';
import { matchPath, withoutNeedlessEscapes } from '../semantics/equivalent-path.js';
import { ALLOW, errorAnswer, type ErrorCode } from '../semantics/error-answers.js';
import { DIRECT_BYTES_MAX, send, type Sending } from './send.js';
import { headerBlock } from '../semantics/header-block.js';
import { readRequestFields } from './request-fields.js';
import { createResponder, type Responder } from '../routing/responder.js';
import type { Route } from '../routing/route.js';
import type { Service } from '../answers/front-state.js';
import type { Tally } from '../process/counters.js';

export interface AppOptions {
  readonly routes: readonly Route[];
  readonly service: Readonly<Service>;
  readonly tally: Tally;
  /** A handler threw: a bug, answered with 500. */
  readonly onBug: (error: unknown, target: string) => void;
}

/** A worker that takes longer has died or hangs. */
const ANSWER_DEADLINE_MS = 15_000;

const MALFORMED = errorAnswer('malformed');

const PREFLIGHT: Answer = {
  status: 204,
  headers: headerBlock([
    ALLOW,
    ['Access-Control-Allow-Methods', 'GET, HEAD, OPTIONS'],
    ['Access-Control-Allow-Headers', 'Range, If-Range, If-Match, If-None-Match, If-Modified-Since'],
    ['Access-Control-Max-Age', '86400'],
    ...CROSS_ORIGIN,
  ]),
};

export function createApp(options: AppOptions): TemplatedApp {
  const app = App();
  const mounted = options.routes.map((route) => ({
    route,
    respond: createResponder(route, options.service),
  }));
  for (const { route, respond } of mounted) {
    const pattern = route.path.replaceAll(/\{(\w+)\}/g, ':$1');
    app.get(pattern, mount(options, respond));
    app.head(pattern, mount(options, respond, true));
    app.options(
      pattern,
      mount(options, () => PREFLIGHT),
    );
    app.any(
      pattern,
      mount(options, (req) => otherMethod(req, 'method_not_allowed')),
    );
  }
  const otherwise = elsewhere(mounted);
  app.head('/*', mount(options, otherwise, true));
  app.any('/*', mount(options, otherwise));
  return app;
}

/** What the library finds no route for: the same path in other words, or none of ours. */
function elsewhere(
  mounted: readonly { readonly route: Route; readonly respond: Responder }[],
): Responder {
  return (req, fields) => {
    const path = withoutNeedlessEscapes(req.getUrl());
    if (path === undefined) return otherMethod(req, 'not_found');
    for (const { route, respond } of mounted) {
      const segments = matchPath(route, path);
      if (segments === undefined) continue;
      const method = req.getCaseSensitiveMethod();
      if (method === 'GET' || method === 'HEAD') return respond(req, fields, { path, segments });
      return method === 'OPTIONS' ? PREFLIGHT : otherMethod(req, 'method_not_allowed');
    }
    return otherMethod(req, 'not_found');
  };
}

/** The library takes anything for a method, even nothing; one that is no token (RFC 9110 §5.6.2) is malformed. */
function otherMethod(req: HttpRequest, code: ErrorCode): Answer {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(req.getCaseSensitiveMethod()) ? errorAnswer(code) : MALFORMED;
}

/** A handler that answers exactly once, in its own turn, and cannot take the process down (pitfall A1). */
function mount(
  { service, tally, onBug }: AppOptions,
  respond: Responder,
  headOnly = false,
): (res: HttpResponse, req: HttpRequest) => void {
  return (res, req) => {
    const fields = readRequestFields(req);
    const sending = { headOnly, close: service.draining };
    let answer: Answer | Promise<Answer>;
    try {
      answer = fields.content === 'malformed' ? MALFORMED : respond(req, fields);
    } catch (error) {
      onBug(error, req.getUrl());
      answer = errorAnswer('internal');
    }
    if (answer instanceof Promise)
      sendLater(res, guarded(answer, req.getUrl(), onBug), sending, tally);
    else if (fields.content === 'none' && answer !== MALFORMED) send(res, answer, sending, tally);
    else sendAndClose(res, answer, headOnly, tally);
  };
}

/**
 * A malformed request, or one with content: we need none, and the parser lets smuggled requests through.
 * Answered a turn later and closed, so that whatever else came in the same packet makes the library drop the
 * connection (pitfall A14).
 *
 * A large answer leaves the connection open: the library closes only what it sends whole. Its request has one
 * clear length, so what comes after that is a request of its own.
 */
function sendAndClose(res: HttpResponse, answer: Answer, headOnly: boolean, tally: Tally): void {
  // The library can end an answer without a body, or close after an answer, but not both.
  const mute = headOnly || answer.body === undefined;
  const kept = withOwnBody(answer);
  let alive = true;
  res.onAborted(() => {
    alive = false;
  });
  setImmediate(() => {
    if (!alive) return;
    if (mute) {
      res.close();
      return;
    }
    res.cork(() => {
      send(res, kept, { headOnly, close: true }, tally);
    });
  });
}

/** Sends an answer that a worker is still making, unless its client goes or it takes too long (pitfall A9). */
function sendLater(
  res: HttpResponse,
  answer: Promise<Answer>,
  sending: Sending,
  tally: Tally,
): void {
  let alive = true;
  res.onAborted(() => {
    alive = false;
  });
  tally.inFlight += 1;
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<Answer>((resolve) => {
    timer = setTimeout(resolve, ANSWER_DEADLINE_MS, errorAnswer('busy'));
  });
  void Promise.race([answer, deadline]).then((made) => {
    clearTimeout(timer);
    tally.inFlight -= 1;
    if (!alive) return;
    res.cork(() => {
      send(res, made, sending, tally);
    });
  });
}

/** Never rejects: overload is an answer, and so is a bug. */
function guarded(
  answer: Promise<Answer>,
  target: string,
  onBug: AppOptions['onBug'],
): Promise<Answer> {
  return answer.catch((error: unknown) => {
    if (error instanceof PoolBusyError) return errorAnswer('busy');
    onBug(error, target);
    return errorAnswer('internal');
  });
}

/** A small body may be a view that the next read overwrites; a large one is shared by all its readers. */
function withOwnBody(answer: Answer): Answer {
  const { body } = answer;
  if (!(body instanceof Uint8Array) || body.byteLength > DIRECT_BYTES_MAX) return answer;
  return { ...answer, body: Uint8Array.from(body) };
}
