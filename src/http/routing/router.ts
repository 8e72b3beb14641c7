/** Answers a request from the cache, else from the source that its endpoint names. */
import { SnapshotError } from '../../snapshot/domain/snapshot-error.js';
import { PoolBusyError } from '../../workers/pool.js';
import { LANGUAGES, type Language } from '../../texts/texts.js';
import { ageHours, type FrontState } from '../answers/front-state.js';
import { IMMUTABLE_ANSWERS } from '../answers/answer-cache.js';
import { preferredLanguage, prefersHtml } from '../semantics/accept.js';
import { PendingAnswer, type Answer } from '../semantics/answer.js';
import {
  errorAnswer,
  methodAnswer,
  notFoundAnswer,
  redirect,
  validationAnswer,
  type NotFoundCode,
} from '../semantics/error-answers.js';
import { withField } from '../semantics/header-block.js';
import { isPath, splitPath, withoutNeedlessEscapes } from '../semantics/paths.js';
import { conditionalAnswer, prefersGzip } from '../semantics/representation.js';
import { baseUrlOf } from '../semantics/request-base-url.js';
import type { PlainRequest } from '../semantics/request.js';
import type { RequestHandler } from '../wire/server.js';
import type { Dependency, Endpoint, Source } from './endpoint.js';
import type { ParsedParameters } from './parameter.js';
import { ignoredNames, parseParameters } from './parameters.js';

export interface RouterOptions {
  readonly endpoints: readonly Endpoint[];
  readonly state: Readonly<FrontState>;
  /** Pages that browsers get for these errors. */
  readonly notFoundPages: Readonly<Record<NotFoundCode, Endpoint>>;
  /** Called when an answer fails; an error other than `SnapshotError` is a bug, answered with 500. */
  readonly onFailure: (error: unknown, path: string) => void;
}

/** Answers every request, also under overload, with a damaged copy, without free files, and after a bug. */
export class Router implements RequestHandler<Endpoint> {
  readonly endpoints: readonly Endpoint[];
  readonly #state: Readonly<FrontState>;
  readonly #notFoundPages: RouterOptions['notFoundPages'];
  readonly #onFailure: RouterOptions['onFailure'];

  constructor(options: RouterOptions) {
    const { endpoints, state, notFoundPages, onFailure } = options;
    this.endpoints = endpoints;
    this.#state = state;
    this.#notFoundPages = notFoundPages;
    this.#onFailure = onFailure;
  }

  handle(endpoint: Endpoint, request: PlainRequest): Answer | PendingAnswer {
    try {
      const state = this.#state;
      // Read once, since each read is a call into the library.
      const { fields, query } = request;
      const gzip = prefersGzip(fields.acceptEncoding);
      const cacheKey = cacheKeyOf(endpoint, request, { state, gzip, query });
      const cached = state.served?.answers.get(cacheKey) ?? IMMUTABLE_ANSWERS.get(cacheKey);
      if (cached !== undefined) {
        const answer = conditionalAnswer(cached, fields);
        // The whole query is the cache key of such an endpoint, so all its parameters are known.
        if (query === '' || endpoint.reads.query) return answer;
        return withIgnoredNames(answer, endpoint, query);
      }
      const isPlain = query === '' && endpoint.entries.length === 0;
      const parsed = isPlain ? NO_PARAMETERS : parseParameters(endpoint, request);
      const source = this.#sourceOf(endpoint, parsed, request);
      const answer = this.#answer(source, request, {
        endpoint,
        gzip,
        // If the query is part of the cache key, only answers without ignored parameters are cached (see above).
        cacheKey: parsed.ignores && endpoint.reads.query ? undefined : cacheKey,
      });
      const noted = (one: Answer): Answer =>
        parsed.ignores ? withIgnoredNames(one, endpoint, query) : one;
      if (!(answer instanceof PendingAnswer)) return noted(answer);
      const { path } = request;
      return answer.recovered((error) => this.#failed(error, path)).mapped(noted);
    } catch (error) {
      return this.#failed(error, request.path);
    }
  }

  handleOther(request: PlainRequest): Answer | PendingAnswer {
    const { method } = request;
    // Needless escapes do not change a path (RFC 3986 §6.2.2.2).
    const path = withoutNeedlessEscapes(request.path);
    const segments = splitPath(path);
    const endpoint = this.endpoints.find((one) => isPath(one.segments, segments));
    if (method !== 'GET' && method !== 'HEAD') return methodAnswer(method, endpoint !== undefined);
    if (endpoint) return this.handle(endpoint, keep(request, { path }));
    const location = this.#withoutLastSlash(path);
    if (location !== '') return redirect(location, request.query);
    return path.startsWith(API) ? errorAnswer('not_found') : this.#notFound('not_found', request);
  }

  /** The 404: JSON for programs, or a page for clients that prefer HTML. */
  #notFound(code: NotFoundCode, request: PlainRequest): Answer | PendingAnswer {
    const error = notFoundAnswer(code);
    if (!prefersHtml(request.fields.accept)) return error;
    const page = this.#notFoundPages[code];
    const answer = this.handle(page, keep(request, { query: usedQuery(page, request) }));
    // If the page fails, the answer is the 404 in JSON.
    const sure = (one: Answer): Answer => (one.status === 404 ? one : error);
    return answer instanceof PendingAnswer ? answer.mapped(sure) : sure(answer);
  }

  /** The path without its last slash, if that is the path of an endpoint; else empty. */
  #withoutLastSlash(path: string): `/${string}` | '' {
    // A `Location` with `//` first would name another host, and browsers read a backslash as a slash.
    const [, shorter = ''] = REDIRECTED.exec(path) ?? [];
    const segments = splitPath(`/${shorter}`);
    if (shorter === '') return '';
    return this.endpoints.some((one) => isPath(one.segments, segments)) ? `/${shorter}` : '';
  }

  #sourceOf(endpoint: Endpoint, parsed: ParsedParameters, request: PlainRequest): Source {
    if (parsed.ignores && endpoint.refusesUnknown === true) {
      const found = `Unknown: ${ignoredNames(endpoint, request.query)}.`;
      return { kind: 'error', code: 'invalid_ogc', found };
    }
    return parsed.ok ? this.#resolve(endpoint, parsed.values, request) : parsed.refusal;
  }

  #resolve(
    endpoint: Endpoint,
    values: Readonly<Record<string, unknown>>,
    request: PlainRequest,
  ): Source {
    const state = this.#state;
    const { caching, dependsOn } = endpoint;
    if (state.served === undefined && (caching === 'snapshot' || caching === 'file')) {
      return { kind: 'error', code: 'unavailable' };
    }
    const isLinking = dependsOn?.includes('base-url');
    const isNegotiated = dependsOn?.includes('language');
    return endpoint.resolve(values, {
      state,
      header: state.served?.snapshot.reader.header,
      baseUrl: isLinking ? baseUrlOf(request.fields, state.baseUrl) : undefined,
      language: isNegotiated ? languageOf(state, request) : undefined,
      prefersHtml: dependsOn?.includes('html') === true && prefersHtml(request.fields.accept),
      query: request.query,
    });
  }

  #answer(
    source: Source,
    request: PlainRequest,
    of: {
      readonly endpoint: Endpoint;
      readonly cacheKey: string | undefined;
      readonly gzip: boolean;
    },
  ): Answer | PendingAnswer {
    const { served, withoutSnapshot } = this.#state;
    const { endpoint, cacheKey, gzip } = of;
    const { ifNoneMatch, ifModifiedSince } = request.fields;
    const preferences = { gzip, ifNoneMatch, ifModifiedSince };
    const context = { cacheKey, preferences, request };
    switch (source.kind) {
      case 'prepared': {
        const { isLinked } = endpoint;
        const prepared = { name: source.name, isLinked, cacheKey, preferences };
        return served?.prepared(prepared) ?? errorAnswer('no_public_data');
      }
      case 'rendered':
        return (
          (source.from ?? served)?.rendered.answer(source, context) ?? errorAnswer('unavailable')
        );
      case 'document':
        return (served?.rendered ?? withoutSnapshot).answer(source, context);
      case 'file':
      case 'archive-file': {
        const { ifMatch, ifUnmodifiedSince, ifRange, ...fields } = request.fields;
        // Ranges are defined for GET alone (RFC 9110 §14.2).
        const range = request.method === 'HEAD' ? '' : fields.range;
        const wanted = { ...preferences, ifMatch, ifUnmodifiedSince, ifRange, range };
        if (source.kind === 'archive-file') return source.archive.file(source.path, wanted);
        const { address, from = served } = source;
        return from?.bulk.answer(address, wanted) ?? errorAnswer('unavailable');
      }
      case 'static':
        return source.resource.answer(preferences);
      case 'answer':
        return source.answer instanceof Promise ? new PendingAnswer(source.answer) : source.answer;
      case 'error':
        return endpoint.hasNotFoundPage &&
          (source.code === 'no_public_data' || source.code === 'no_archive_resource')
          ? this.#notFound(source.code, request)
          : errorAnswer(source.code, source.found);
      case 'invalid':
        return validationAnswer(source.problems);
    }
  }

  #failed(error: unknown, path: string): Answer {
    if (error instanceof PoolBusyError) return errorAnswer('busy');
    const code = error instanceof SnapshotError ? error.code : undefined;
    if (code === 'too_many_rows' || code === 'no_public_data') return errorAnswer(code);
    if (code === 'history_damaged') return errorAnswer('changes_gone');
    // Already reported; the file is being fetched again.
    if (code === 'archive_damaged') return errorAnswer('archive_unavailable');
    // Already reported; the copy is being verified and replaced.
    if (code === 'copy_damaged') return errorAnswer('unavailable');
    this.#onFailure(error, path);
    // Errors with a code, such as that of a full disk, are transient.
    return errorAnswer(code === undefined ? 'internal' : 'unavailable');
  }
}

const NO_PARAMETERS = { ok: true, values: {}, ignores: false } as const;

/** Unknown paths with this prefix get the 404 in JSON, also in browsers. */
const API = '/api/';

/** A page for a 404 ignores longer queries. */
const USED_QUERY_LENGTH_MAX = 500;

/** The query with declared parameters only, so that other parameters add no cache entries. */
function usedQuery(endpoint: Endpoint, { path, query }: PlainRequest): string {
  if (query === '' || query.length > USED_QUERY_LENGTH_MAX) return '';
  const parsed = parseParameters(endpoint, { path, query });
  const values = Object.entries(parsed.ok ? parsed.values : {});
  return values
    .flatMap(([name, value]) => (typeof value === 'string' ? [`${name}=${value}`] : []))
    .join('&');
}

/** An allowed path (RFC 3986 §3.3) between two single slashes. */
const REDIRECTED = /^\/([\w.~!$&'()*+,;=:@%-][\w.~!$&'()*+,;=:@%/-]*)\/$/;

/** The cache key: the parts of the request that shape the answer. */
function cacheKeyOf(
  { reads, variants, dependsOn }: Endpoint,
  request: PlainRequest,
  {
    state,
    gzip,
    query,
  }: { readonly state: Readonly<FrontState>; readonly gzip: boolean; readonly query: string },
): string {
  let key = gzip ? variants.gzip : variants.identity;
  if (reads.path) key += request.path;
  if (reads.query) key += `?${query}`;
  for (const dependency of dependsOn ?? []) key += ` ${DEPENDENCIES[dependency](state, request)}`;
  return key;
}

/** Adds the names of ignored parameters (`docs/http-api/requests.md, "Parameters"`). */
function withIgnoredNames(answer: Answer, endpoint: Endpoint, query: string): Answer {
  const names = ignoredNames(endpoint, query);
  return { ...answer, headers: withField(answer.headers, ['X-Ignored-Parameters', names]) };
}

const DEPENDENCIES: Readonly<
  Record<Dependency, (state: Readonly<FrontState>, request: PlainRequest) => string>
> = {
  age: (state) => String(ageHours(state)),
  archive: ({ archive }) => (typeof archive === 'object' ? archive.digest : ''),
  'has-archive': ({ archive }) => String(typeof archive === 'object'),
  'base-url': (state, { fields }) => baseUrlOf(fields, state.baseUrl) ?? '',
  history: (state) => state.history.digest,
  html: (_state, { fields }) => String(prefersHtml(fields.accept)),
  language: (state, request) => languageOf(state, request) ?? '',
};

/** The client's preferred language for an address without one (`docs/http-api/pages.md, "Languages"`). */
function languageOf(
  { pages }: Readonly<FrontState>,
  { query, fields }: PlainRequest,
): Language | undefined {
  if (query !== '') return undefined;
  const offered = { languages: LANGUAGES, fallback: pages.defaultLanguage };
  return preferredLanguage(fields.acceptLanguage, offered);
}

/** The request with another path or query. Its client, which is costly to read, is still read only on demand. */
function keep(
  request: PlainRequest,
  { path = request.path, query = request.query }: Partial<PlainRequest> = {},
): PlainRequest {
  const { method, fields } = request;
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
