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
import type { Dependency, Endpoint } from './endpoint.js';
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
    const respond = guarded(createResponder(endpoint, state, turns), onBug);
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

/** One endpoint as a function: an answer that is cached under the request's target, or what the parsed request leads to. */
function createResponder(endpoint: Endpoint, state: Readonly<FrontState>, turns: Turns): Responder {
  const cacheKeyOf = cacheKeyReader(endpoint, state);
  const readerOf = parameterReader(endpoint);
  const respond = (request: PlainRequest, mayWait: boolean): Answer | PendingAnswer => {
    const preferences = preferencesOf(request.fields);
    const { served } = state;
    const cacheKey = cacheKeyOf(request, preferences.gzip);
    const cached = served?.cached(cacheKey, preferences);
    if (cached !== undefined) return cached;
    if (mayWait && request.query !== '' && !turns.take()) {
      const kept = keep(request);
      return turns.later(() => respond(kept, false));
    }
    return answerOf(endpoint, state, { request, read: readerOf(request), cacheKey, preferences });
  };
  return (request) => respond(request, true);
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

/** What an answer is cached under: of the request no more than the endpoint makes its answer from. */
function cacheKeyReader(
  endpoint: Endpoint,
  state: Readonly<FrontState>,
): (request: PlainRequest, gzip: boolean) => CacheKey {
  const typedOf = typedTextReader(endpoint, state);
  const [gzipForm, identityForm] = [`gzip ${endpoint.path}`, `identity ${endpoint.path}`];
  return (request, gzip) => ({
    typed: typedOf(request),
    form: gzip ? gzipForm : identityForm,
  });
}

function typedTextReader(
  { parameters, dependsOn }: Endpoint,
  state: Readonly<FrontState>,
): (request: PlainRequest) => string {
  const target = targetReader(parameters);
  if (dependsOn === undefined) return target;
  // None of them can have the sign between them, which a client may write into its target.
  const values = dependsOn.map((dependency) => DEPENDENCIES[dependency]);
  return (request) =>
    [...values.map((valueOf) => valueOf(state, request)), target(request)].join('#');
}

/** No more of the target than there are parameters for. */
function targetReader(parameters: Endpoint['parameters']): (request: PlainRequest) => string {
  const places = Object.values(parameters).map((parameter) => parameter.in);
  if (!places.includes('query')) {
    return places.includes('path') ? ({ path }) => path : () => '';
  }
  return places.includes('path') ? ({ path, query }) => `${path}?${query}` : ({ query }) => query;
}

const DEPENDENCIES: Readonly<
  Record<Dependency, (state: Readonly<FrontState>, request: PlainRequest) => string>
> = {
  age: (state) => String(ageHours(state)),
  'base-url': (state, { fields }) => baseUrlOf(fields, state.baseUrl) ?? '',
  history: (state) => state.history.digest,
};

interface Parsed {
  readonly request: PlainRequest;
  readonly read: ParameterReader;
  readonly cacheKey: CacheKey;
  readonly preferences: Preferences;
}

function answerOf(
  endpoint: Endpoint,
  state: Readonly<FrontState>,
  { request, read, cacheKey, preferences }: Parsed,
): Answer | PendingAnswer {
  const source = endpoint.resolve(read, {
    state,
    header: state.served?.snapshot.reader.header,
    baseUrl: endpoint.dependsOn?.includes('base-url')
      ? baseUrlOf(request.fields, state.baseUrl)
      : undefined,
    ageHours: ageHours(state),
  });
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
function parameterReader({
  path,
  parameters,
}: Endpoint): (request: PlainRequest) => ParameterReader {
  const pathNames = Object.keys(parameters).filter((name) => parameters[name]?.in === 'path');
  const declared = splitPath(path);
  return (request) => {
    const query = request.query === '' ? undefined : queryTexts(request.query);
    const segments = pathNames.length === 0 ? [] : matchPath(declared, splitPath(request.path));
    return (place, name) => {
      if (place === 'query') return query?.get(name) ?? NONE;
      return [decodeSegment(segments?.[pathNames.indexOf(name)] ?? '')];
    };
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
