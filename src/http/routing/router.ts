/** From a request to its answer: which endpoint it is for, what it asks of it, where the bytes come from. */
import { SnapshotError } from '../../snapshot/domain/snapshot-error.js';
import { PoolBusyError } from '../../workers/pool.js';
import type { CacheKey } from '../answers/answer-cache.js';
import { ageHours, type FrontState } from '../answers/front-state.js';
import { PendingAnswer, type Answer } from '../semantics/answer.js';
import { isLinked } from '../semantics/common-headers.js';
import { decodeSegment, matchPath, splitPath, withoutNeedlessEscapes } from '../semantics/paths.js';
import { errorAnswer, methodAnswer, validationAnswer } from '../semantics/error-answers.js';
import { baseUrlOf } from '../semantics/request-base-url.js';
import { preferencesOf, type PlainRequest, type Preferences } from '../semantics/request.js';
import type { Responder, ServerOptions } from '../wire/server.js';
import type { Dependency, Endpoint, Source } from './endpoint.js';
import type { ParameterReader } from './parameters.js';
import { Turns } from './turns.js';

export interface RouterOptions {
  readonly endpoints: readonly Endpoint[];
  readonly state: Readonly<FrontState>;
  /** Called where a handler has thrown: a bug, which is answered with 500. */
  readonly onBug: (error: unknown, path: string) => void;
  /** Default: those of this router alone. */
  readonly turns?: Turns;
}

/** The endpoints as the server takes them, and what all other requests are answered with. */
export function createRouter({
  endpoints,
  state,
  onBug,
  turns = new Turns(),
}: RouterOptions): Pick<ServerOptions, 'routes' | 'respondElsewhere'> {
  const routes = endpoints.map((endpoint) => {
    const { path } = endpoint;
    const respond = guarded((request) => handle(endpoint, request, { state, turns }), onBug);
    return { path, segments: splitPath(path), respond };
  });
  const respondElsewhere = (request: PlainRequest): Answer | PendingAnswer => {
    const { method } = request;
    // The same path with other escapes is the same path (RFC 3986 §6.2.2.2).
    const path = withoutNeedlessEscapes(request.path);
    const segments = splitPath(path);
    const route = routes.find((one) => matchPath(one.segments, segments) !== undefined);
    if (route && (method === 'GET' || method === 'HEAD')) return route.respond(keep(request, path));
    return methodAnswer(method, route !== undefined);
  };
  return { routes, respondElsewhere: guarded(respondElsewhere, onBug) };
}

/** Never throws, and its promises are never rejected: overload is an answer, and so are a damaged copy and a bug. */
function guarded(respond: Responder, onBug: RouterOptions['onBug']): Responder {
  const failed = (error: unknown, path: string): Answer => {
    if (error instanceof PoolBusyError) return errorAnswer('busy');
    if (error instanceof SnapshotError && error.code === 'history_damaged') {
      return errorAnswer('changes_gone');
    }
    // Reported where it was met; the copy is being verified and made anew.
    if (error instanceof SnapshotError && error.code === 'copy_damaged') {
      return errorAnswer('unavailable');
    }
    onBug(error, path);
    const isDiskFull = error instanceof SnapshotError && error.code === 'disk_full';
    return errorAnswer(isDiskFull ? 'unavailable' : 'internal');
  };
  return (request) => {
    try {
      const answer = respond(request);
      if (!(answer instanceof PendingAnswer)) return answer;
      const { path } = request;
      const promise = answer.promise.catch((error: unknown) => failed(error, path));
      return new PendingAnswer(promise, answer.abandon);
    } catch (error) {
      return failed(error, request.path);
    }
  };
}

/** The answer that is cached for such a request, or what its parsed parameters lead to. */
function handle(
  endpoint: Endpoint,
  request: PlainRequest,
  front: { readonly state: Readonly<FrontState>; readonly turns: Turns },
  mayWait = true,
): Answer | PendingAnswer {
  const { state, turns } = front;
  const preferences = preferencesOf(request.fields);
  const cacheKey = cacheKeyOf(endpoint, request, state, preferences.gzip ? 'gzip' : 'identity');
  const cached = state.served?.cached(cacheKey, preferences);
  if (cached !== undefined) return cached;
  if (mayWait && request.query !== '' && !turns.take()) {
    const kept = keep(request);
    return turns.later(() => handle(endpoint, kept, front, false));
  }
  const isLinking = endpoint.dependsOn?.includes('base-url');
  const source = endpoint.resolve(parameterReader(endpoint, request), {
    state,
    header: state.served?.snapshot.reader.header,
    baseUrl: isLinking ? baseUrlOf(request.fields, state.baseUrl) : undefined,
    ageHours: ageHours(state),
  });
  return answerFrom(source, state, request, { endpoint, cacheKey, preferences });
}

/** The same request for a later turn; who has left by then is not answered, so the address can still be looked up. */
function keep(request: PlainRequest, path = request.path): PlainRequest {
  const { method, query, fields } = request;
  return {
    method,
    path,
    query,
    fields,
    get client() {
      return request.client;
    },
  };
}

/** Of the request no more than the endpoint makes its answer from. */
function cacheKeyOf(
  { reads, forms, dependsOn }: Endpoint,
  request: PlainRequest,
  state: Readonly<FrontState>,
  coding: 'gzip' | 'identity',
): CacheKey {
  const target = reads.path ? request.path : '';
  const typed = reads.query ? (reads.path ? `${target}?${request.query}` : request.query) : target;
  if (dependsOn === undefined) return { typed, form: forms[coding] };
  const values = dependsOn.map((dependency) => DEPENDENCIES[dependency](state, request));
  return { typed, form: [forms[coding], ...values].join(' ') };
}

const DEPENDENCIES: Readonly<
  Record<Dependency, (state: Readonly<FrontState>, request: PlainRequest) => string>
> = {
  age: (state) => String(ageHours(state)),
  'base-url': (state, { fields }) => baseUrlOf(fields, state.baseUrl) ?? '',
  history: (state) => state.history.digest,
};

function answerFrom(
  source: Source,
  state: Readonly<FrontState>,
  request: PlainRequest,
  of: { endpoint: Endpoint; cacheKey: CacheKey; preferences: Preferences },
): Answer | PendingAnswer {
  const { endpoint, cacheKey, preferences } = of;
  const { served } = state;
  switch (source.kind) {
    case 'finished': {
      const finished = { ...source, isLinked: isLinked(endpoint.path), cacheKey, preferences };
      return served?.finished(finished) ?? errorAnswer('no_public_data');
    }
    case 'made': {
      const made = { job: source.job, cacheKey, preferences, request };
      return served?.made.answer(made) ?? errorAnswer('unavailable');
    }
    case 'rendered': {
      const made = { job: source.job, cacheKey, preferences, request };
      return (served?.made ?? state.withoutSnapshot).answer(made);
    }
    case 'file': {
      // A range is defined for GET alone (RFC 9110 §14.2).
      const { ifMatch, ifRange } = request.fields;
      const range = request.method === 'HEAD' ? '' : request.fields.range;
      const { gzip, ifNoneMatch, ifModifiedSince } = preferences;
      const wanted = { gzip, ifNoneMatch, ifModifiedSince, ifMatch, ifRange, range };
      return served?.file(source.name, wanted) ?? errorAnswer('unavailable');
    }
    case 'static':
      return source.resource.answer(preferences);
    case 'answer':
      return source.answer instanceof Promise ? new PendingAnswer(source.answer) : source.answer;
    case 'error':
      return errorAnswer(source.code);
    case 'invalid':
      return validationAnswer(source.problems);
  }
}

/** Decoded texts of the parameters (docs/http-api.md, "Parameters"). */
function parameterReader(
  { path, parameters, reads }: Endpoint,
  request: PlainRequest,
): ParameterReader {
  const query = request.query === '' ? undefined : queryTexts(request.query);
  const names = reads.path
    ? Object.keys(parameters).filter((name) => parameters[name]?.in === 'path')
    : NONE;
  const segments = reads.path ? matchPath(splitPath(path), splitPath(request.path)) : NONE;
  return (place, name) => {
    if (place === 'query') return query?.get(name) ?? NONE;
    return [decodeSegment(segments?.[names.indexOf(name)] ?? '')];
  };
}

const NONE: readonly string[] = [];

function queryTexts(query: string): ReadonlyMap<string, readonly string[]> {
  const texts = new Map<string, string[]>();
  // The first `?` is not in the query, and only that one: `??a=1` has a parameter `?a`.
  new URLSearchParams(`?${query}`).forEach((text, name) => {
    const known = texts.get(name);
    if (known === undefined) texts.set(name, [text]);
    else known.push(text);
  });
  return texts;
}
