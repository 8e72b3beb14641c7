/** The table of routes mounted on uWebSockets.js: GET and HEAD, OPTIONS, 404, 405, and nothing that throws. */
import { App, type HttpRequest, type HttpResponse, type TemplatedApp } from 'uWebSockets.js';
import type { Answer } from './answer.js';
import { CROSS_ORIGIN } from './common-headers.js';
import type { Tally } from './tally.js';
import { prefersGzip } from './encoding.js';
import { ALLOW, errorAnswer, validationAnswer } from './errors.js';
import { send } from './exchange.js';
import { headerBlock } from './header-block.js';
import type { ParameterReader } from './parameters.js';
import type { Refusal, Route, StoredRoute } from './route.js';
import type { Service } from './service.js';

export interface AppOptions {
  readonly routes: readonly Route[];
  readonly service: Readonly<Service>;
  readonly tally: Tally;
  /** A handler threw: a bug, answered with 500. */
  readonly onBug: (error: unknown, target: string) => void;
}

type Responder = (req: HttpRequest) => Answer;

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
  for (const route of options.routes) {
    const pattern = route.path.replaceAll(/\{(\w+)\}/g, ':$1');
    const respond = responder(route, options.service);
    app.get(pattern, mount(options, respond));
    app.head(pattern, mount(options, respond, true));
    app.options(
      pattern,
      mount(options, () => PREFLIGHT),
    );
    app.any(
      pattern,
      mount(options, () => errorAnswer('method_not_allowed')),
    );
  }
  const notFound = (): Answer => errorAnswer('not_found');
  app.head('/*', mount(options, notFound, true));
  app.any('/*', mount(options, notFound));
  return app;
}

/** A handler that answers exactly once, in its own turn, and cannot take the process down (pitfall A1). */
function mount(
  { service, tally, onBug }: AppOptions,
  respond: Responder,
  headOnly = false,
): (res: HttpResponse, req: HttpRequest) => void {
  return (res, req) => {
    let answer: Answer;
    try {
      answer = respond(req);
    } catch (error) {
      onBug(error, req.getUrl());
      answer = errorAnswer('internal');
    }
    if (hasContent(req)) sendAndClose(res, answer, headOnly, tally);
    else send(res, answer, { headOnly, close: service.draining }, tally);
  };
}

/** Whether a request states content, or states its length in more than one way. */
function hasContent(req: HttpRequest): boolean {
  const length = req.getHeader('content-length');
  if (length === '' && req.getHeader('transfer-encoding') === '') return false;
  let framings = 0;
  req.forEach((name) => {
    if (name === 'content-length' || name === 'transfer-encoding') framings += 1;
  });
  // Some libraries state the length of nothing on every request.
  return length !== '0' || framings > 1;
}

/**
 * A request with content: we need none, and the parser lets smuggled requests through. Answered a turn later
 * and closed, so that whatever else came in the same packet makes the library drop the connection (pitfall A14).
 */
function sendAndClose(res: HttpResponse, answer: Answer, headOnly: boolean, tally: Tally): void {
  // The library can end an answer without a body, or close after an answer, but not both.
  const mute = headOnly || answer.body === undefined;
  const kept = answer.body ? { ...answer, body: Uint8Array.from(answer.body) } : answer;
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

function responder(route: Route, service: Readonly<Service>): Responder {
  const names = Object.entries(route.parameters);
  const pathNames = names.flatMap(([name, { in: place }]) => (place === 'path' ? [name] : []));
  const asksQuery = names.length > pathNames.length;
  if (route.kind === 'stored') return storedResponder(route, { pathNames, asksQuery }, service);
  return (req) => {
    const resolved = route.resolve(readerOf(req, pathNames), service);
    return resolved.kind === 'answer' ? resolved.answer : refusalAnswer(resolved);
  };
}

function storedResponder(
  route: StoredRoute,
  { pathNames, asksQuery }: { readonly pathNames: readonly string[]; readonly asksQuery: boolean },
  service: Readonly<Service>,
): Responder {
  return (req) => {
    const { served } = service;
    const target = asksQuery ? `${route.path}?${req.getQuery()}` : req.getUrl();
    const wish = {
      gzip: prefersGzip(req.getHeader('accept-encoding')),
      ifNoneMatch: req.getHeader('if-none-match'),
      ifModifiedSince: req.getHeader('if-modified-since'),
    };
    const recalled = served?.recall(target, wish);
    if (recalled !== undefined) return recalled;
    const resolved = route.resolve(readerOf(req, pathNames), served?.snapshot.reader.header);
    if (resolved.kind !== 'name') return refusalAnswer(resolved);
    return served?.read(resolved.name, target, wish) ?? errorAnswer('no_public_data');
  };
}

/** Decoded texts: the last of a repeated query parameter counts (contract §6, "HTTP"). */
function readerOf(req: HttpRequest, pathNames: readonly string[]): ParameterReader {
  const query = new URLSearchParams(req.getQuery());
  return (place, name) =>
    place === 'query'
      ? query.getAll(name).at(-1)
      : decodeSegment(req.getParameter(pathNames.indexOf(name)) ?? '');
}

/** As it was typed where its escapes are not UTF-8: no validation lets a `%` through. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function refusalAnswer(refusal: Refusal): Answer {
  return refusal.kind === 'error' ? errorAnswer(refusal.code) : validationAnswer(refusal.problems);
}
