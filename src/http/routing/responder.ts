/** One route as a function from a request to its answer: words to exact values, values to finished bytes. */
import type { HttpRequest } from '../wire/uwebsockets.js';
import type { Answer } from '../semantics/answer.js';
import { baseUrlOf } from '../semantics/request-base-url.js';
import { prefersGzip } from '../semantics/encoding.js';
import { errorAnswer, validationAnswer } from '../semantics/error-answers.js';
import { ageHours } from '../answers/pages.js';
import type { ParameterReader, Refusal } from './parameters.js';
import type { RequestFields } from '../wire/request-fields.js';
import type {
  ExportRoute,
  FileRoute,
  LinkedRoute,
  PageRoute,
  PlannedRoute,
  Route,
  StoredRoute,
} from './route.js';
import type { Wish } from '../answers/served.js';
import type { Service } from '../answers/front-state.js';

/** A path in other words than those that were typed, and what of it stands where the route has parameters. */
interface RewrittenPath {
  readonly path: string;
  readonly segments: readonly string[];
}

/** To be called in the request's own turn. */
export type Responder = (
  req: HttpRequest,
  fields: RequestFields,
  rewritten?: RewrittenPath,
) => Answer | Promise<Answer>;

export function createResponder(route: Route, service: Readonly<Service>): Responder {
  const names = Object.entries(route.parameters);
  const pathNames = names.flatMap(([name, { in: place }]) => (place === 'path' ? [name] : []));
  const asksQuery = names.length > pathNames.length;
  if (route.kind === 'stored') return storedResponder(route, { pathNames, asksQuery }, service);
  if (route.kind === 'planned') return plannedResponder(route, pathNames, service);
  if (route.kind === 'linked') return linkedResponder(route, service);
  if (route.kind === 'document') {
    return (req, fields, rewritten) => {
      const resolved = route.resolve(readerOf(req, pathNames, rewritten));
      return resolved.kind === 'document'
        ? resolved.document.answer(wishOf(fields))
        : refusalAnswer(resolved);
    };
  }
  if (route.kind === 'page') return pageResponder(route, pathNames, service);
  if (route.kind === 'asset') {
    return (req, fields, rewritten) =>
      route.resolve(readerOf(req, pathNames, rewritten))?.answer(wishOf(fields)) ??
      errorAnswer('not_found');
  }
  if (route.kind === 'export') return exportResponder(route, pathNames, service);
  if (route.kind === 'file') return fileResponder(route, pathNames, service);
  return (req, _fields, rewritten) => {
    const resolved = route.resolve(readerOf(req, pathNames, rewritten), service);
    return resolved.kind === 'answer' ? resolved.answer : refusalAnswer(resolved);
  };
}

function storedResponder(
  route: StoredRoute,
  { pathNames, asksQuery }: { readonly pathNames: readonly string[]; readonly asksQuery: boolean },
  service: Readonly<Service>,
): Responder {
  // A path without parameters is asked for in one way only: reading it from the library costs 0.3 µs.
  const onlyTarget = asksQuery || pathNames.length > 0 ? undefined : route.path;
  return (req, fields, rewritten) => {
    const { served } = service;
    const target =
      onlyTarget ??
      (asksQuery ? `${route.path}?${req.getQuery()}` : (rewritten?.path ?? req.getUrl()));
    const wish = wishOf(fields);
    const recalled = served?.recall(target, wish);
    if (recalled !== undefined) return recalled;
    const read = readerOf(req, pathNames, rewritten);
    const resolved = route.resolve(read, served?.snapshot.reader.header);
    if (resolved.kind !== 'name') return refusalAnswer(resolved);
    return served?.read(resolved.name, target, wish) ?? errorAnswer('no_public_data');
  };
}

function plannedResponder(
  route: PlannedRoute,
  pathNames: readonly string[],
  service: Readonly<Service>,
): Responder {
  return (req, fields, rewritten) => {
    const { served } = service;
    const wish = wishOf(fields);
    const target = `${route.path}?${req.getQuery()}`;
    const recalled = served?.recallPlan(target, wish);
    if (recalled !== undefined) return recalled;
    const read = readerOf(req, pathNames, rewritten);
    const resolved = route.resolve(read, served?.snapshot.reader.header);
    if (resolved.kind !== 'plan') return refusalAnswer(resolved);
    return served?.plan(resolved.request, wish, target) ?? errorAnswer('unavailable');
  };
}

/** A page's words mean another page when the snapshot is an hour older. */
function pageResponder(
  route: PageRoute,
  pathNames: readonly string[],
  service: Readonly<Service>,
): Responder {
  const { path, policy } = route;
  return (req, fields, rewritten) => {
    const { served, pages, pool } = service;
    const wish = wishOf(fields);
    const hours = ageHours(served);
    const target = `${path}?${req.getQuery()}#${hours}`;
    const recalled = served?.recallPlan(target, wish);
    if (recalled !== undefined) return recalled;
    const resolved = route.resolve(readerOf(req, pathNames, rewritten), pages.facts(served, hours));
    if (resolved.kind !== 'page') return refusalAnswer(resolved);
    const { page } = resolved;
    if (served !== undefined) {
      return served.plan(pages.request(path, page, policy), wish, target);
    }
    if (pool === undefined) return errorAnswer('unavailable');
    return pages.withoutSnapshot({ path, page, policy, gzip: wish.gzip }, pool);
  };
}

function linkedResponder(route: LinkedRoute, service: Readonly<Service>): Responder {
  return (_req, fields) => {
    const { served } = service;
    const resolved = route.resolve(served?.snapshot.reader.header, () =>
      baseUrlOf(fields, service.baseUrl),
    );
    if (resolved.kind === 'answer') return resolved.answer;
    if (resolved.kind !== 'plan') return refusalAnswer(resolved);
    return served?.plan(resolved.request, wishOf(fields)) ?? errorAnswer('unavailable');
  };
}

/** What does not exist is neither made nor unmodified: no worker hears of it. */
function exportResponder(
  route: ExportRoute,
  pathNames: readonly string[],
  service: Readonly<Service>,
): Responder {
  return (req, fields, rewritten) => {
    const { served } = service;
    const read = readerOf(req, pathNames, rewritten);
    const resolved = route.resolve(read, served?.snapshot.reader.header);
    if (resolved.kind !== 'export') return refusalAnswer(resolved);
    if (served === undefined) return errorAnswer('unavailable');
    if (!served.has(resolved.source)) return errorAnswer('no_public_data');
    return served.plan(resolved.request, wishOf(fields));
  };
}

function fileResponder(
  route: FileRoute,
  pathNames: readonly string[],
  service: Readonly<Service>,
): Responder {
  return (req, fields, rewritten) => {
    const resolved = route.resolve(readerOf(req, pathNames, rewritten));
    if (resolved.kind !== 'file') return refusalAnswer(resolved);
    // A range is defined for GET alone (RFC 9110 §14.2).
    const wish = req.getMethod() === 'head' ? { ...fields, range: '' } : fields;
    return service.served?.file(resolved.name, wish) ?? errorAnswer('unavailable');
  };
}

function wishOf({ acceptEncoding, ifNoneMatch, ifModifiedSince }: RequestFields): Wish {
  return { gzip: prefersGzip(acceptEncoding), ifNoneMatch, ifModifiedSince };
}

/** Decoded texts: the last of a repeated query parameter counts (contract §6, "HTTP"). */
function readerOf(
  req: HttpRequest,
  pathNames: readonly string[],
  rewritten: RewrittenPath | undefined,
): ParameterReader {
  // Without one the library says undefined, whatever its types do.
  const text: string | undefined = req.getQuery();
  // The first `?` is dropped, and only that one: `??a=1` has a parameter `?a`.
  const query = text ? new URLSearchParams(`?${text}`) : undefined;
  return (place, name) => {
    if (place === 'query') return query?.getAll(name).at(-1);
    const index = pathNames.indexOf(name);
    return decodeSegment(rewritten?.segments[index] ?? req.getParameter(index) ?? '');
  };
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
