/** The declaration of an endpoint: one object, from which requests are answered and the OpenAPI document is made. */
import type { SnapshotHeader } from '../../snapshot/domain/model.js';
import type { Language } from '../../texts/texts.js';
import type { DocumentJob } from '../../workers/messages.js';
import type { ArchiveFiles } from '../answers/archive-files.js';
import type { FrontState } from '../answers/front-state.js';
import type { JobAnswer } from '../answers/rendered-answers.js';
import type { StaticResource } from '../answers/static-resource.js';
import type { Answer } from '../semantics/answer.js';
import type { ErrorCode } from '../semantics/error-answers.js';
import { isLinked } from '../semantics/common-headers.js';
import { splitPath } from '../semantics/paths.js';
import { baseUrlDigest, baseUrlFields } from '../semantics/request-base-url.js';
import type { Operation } from '../openapi/operation.js';
import type { Parameter, Parameters, Refusal, Values } from './parameter.js';

/**
 * How long an answer is good, and by what a client asks whether it still is (docs/http-api/answers.md, "Caching").
 *
 * - `snapshot`: as long as its snapshot is served; without one the answer is 503.
 * - `document`: the same, but made of more than the snapshot (a page, this build's own description), so that it has
 *   an entity tag and no date; without a snapshot it is answered and not cached.
 * - `file`: a file of the bulk bundle: a strong entity tag, and ranges; without a snapshot 503.
 * - `archive`: what describes the archive, by its digest, whatever snapshot is served.
 * - `archive-file`: a file of it, as of the bundle, and good for ever.
 * - `static`: as long as this build runs, whatever is served.
 * - `none`: a state that changes by itself.
 */
export type Caching = keyof Sources;
type SnapshotCaching = 'snapshot' | 'file';

/** Where the bytes of an answer may come from that is good for so long. */
interface Sources {
  readonly snapshot: 'prepared' | 'rendered';
  readonly document: 'document';
  readonly file: 'file';
  readonly archive: 'static';
  readonly 'archive-file': 'archive-file';
  readonly static: 'static';
  readonly none: 'answer';
}

export type Dependency = 'age' | 'archive' | 'has-archive' | 'base-url' | 'history' | 'language';

interface Basics {
  /** With parameters as `{name}`, as OpenAPI writes them. */
  readonly path: `/${string}`;
  readonly caching: Caching;
  readonly parameters: Parameters;
  /** Input of an answer beside its target and the snapshot. */
  readonly dependsOn?: readonly Dependency[];
  /** Whether its `no_public_data` is a page for who prefers HTML; default: it is JSON for everybody. */
  readonly hasNotFoundPage?: boolean;
  /** Documentation for the OpenAPI document; an endpoint without it is no part of the API. */
  readonly operation?: Operation;
}

/** Context of a request whose parameters have been parsed. */
export interface RequestContext {
  readonly state: Readonly<FrontState>;
  /** Undefined while no snapshot is served. */
  readonly header: SnapshotHeader | undefined;
  /** Without a slash at its end; undefined where the endpoint does not depend on it, or the request names no host. */
  readonly baseUrl: string | undefined;
  /** The client's preferred language; undefined for endpoints without languages and for requests with a query. */
  readonly language: Language | undefined;
}

/** Answers that come from the snapshot are 503 without one, so that their endpoints are not asked. */
type ContextOf<C extends Caching> = C extends SnapshotCaching
  ? RequestContext & { readonly header: SnapshotHeader }
  : RequestContext;

/** Where the bytes of an answer come from. */
export type Source =
  /** The local copy, for which the import has prepared them; a name that is not there is 404. */
  | { readonly kind: 'prepared'; readonly name: string }
  /** A job, which renders them of the snapshot. */
  | ({ readonly kind: 'rendered' } & JobAnswer)
  /** A job, with or without a snapshot. */
  | ({ readonly kind: 'document' } & JobAnswer<DocumentJob>)
  /** The bulk bundle. */
  | { readonly kind: 'file'; readonly name: string }
  /** A file of the archive. */
  | { readonly kind: 'archive-file'; readonly archive: ArchiveFiles; readonly path: string }
  | { readonly kind: 'static'; readonly resource: StaticResource }
  | { readonly kind: 'answer'; readonly answer: Answer | Promise<Answer> }
  | Refusal;

interface Declaration<P extends Parameters, C extends Caching> extends Omit<
  Basics,
  'caching' | 'parameters'
> {
  /** Default: `snapshot`. */
  readonly caching?: C;
  /** Default: none. */
  readonly parameters?: P;
  /** Says where the bytes of the answer come from, or why there is no answer. */
  resolve(
    values: Values<P>,
    context: ContextOf<C>,
  ): Extract<Source, { kind: Sources[C] }> | Refusal;
}

/** An endpoint of any parameters. */
export interface Endpoint extends Basics {
  /** The parameters: to list them anew takes a tenth of what a fresh filter costs to parse. */
  readonly entries: readonly (readonly [name: string, Parameter<unknown>])[];
  /** Segments of the path. */
  readonly segments: readonly string[];
  /** Whether it has parameters there. */
  readonly reads: { readonly path: boolean; readonly query: boolean };
  /** Whether its answers have a `Link` field: those of the high-value-dataset API do. */
  readonly isLinked: boolean;
  /** Prefixes of the cache keys of its answers, by content coding. */
  readonly variants: { readonly gzip: string; readonly identity: string };
  /** @param values as its own parameters have parsed them. */
  resolve(values: Values<Parameters>, context: RequestContext): Source;
}

/** An endpoint that the OpenAPI document describes. */
export type DocumentedEndpoint = Endpoint & { readonly operation: Operation };

export function endpoint<P extends Parameters, C extends Caching = 'snapshot'>(
  declaration: Declaration<P, C>,
): Endpoint {
  const { path, caching = 'snapshot' } = declaration;
  const parameters: Parameters = declaration.parameters ?? {};
  const entries = Object.entries(parameters);
  return {
    ...declaration,
    parameters,
    caching,
    entries,
    segments: splitPath(path),
    reads: {
      path: entries.some(([, parameter]) => parameter.in === 'path'),
      query: entries.some(([, parameter]) => parameter.in === 'query'),
    },
    isLinked: isLinked(path),
    variants: { gzip: `gzip ${path} `, identity: `identity ${path} ` },
  };
}

export function refuse(code: ErrorCode): Refusal {
  return { kind: 'error', code };
}

/** Adds the base URL of absolute links to the entity tag, and the fields that it depends on to `Vary`. */
export function linkVariation(
  { baseUrl: options }: Readonly<FrontState>,
  { baseUrl, variant }: { readonly baseUrl: string; readonly variant?: string },
): Pick<JobAnswer, 'variant' | 'variesBy'> {
  const digest = baseUrlDigest(baseUrl);
  return {
    variant: variant === undefined ? digest : `${variant}-${digest}`,
    variesBy: baseUrlFields(options),
  };
}
