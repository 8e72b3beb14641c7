/** The declaration of an endpoint, for requests and for the OpenAPI document. */
import type { SnapshotHeader } from '../../snapshot/domain/model.js';
import type { Language } from '../../texts/texts.js';
import type { DocumentJob } from '../../workers/messages.js';
import type { ArchiveFiles } from '../answers/archive-files.js';
import type { FrontState } from '../answers/front-state.js';
import type { JobAnswer } from '../answers/rendered-answers.js';
import type { SnapshotAnswers } from '../answers/snapshot-answers.js';
import type { StaticResource } from '../answers/static-resource.js';
import type { Answer } from '../semantics/answer.js';
import type { ErrorCode } from '../semantics/error-answers.js';
import { splitPath } from '../semantics/paths.js';
import { baseUrlDigest, baseUrlFields } from '../semantics/request-base-url.js';
import type { Operation } from '../openapi/operation.js';
import type { Parameter, Parameters, Refusal, Values } from './parameter.js';

/**
 * How long an answer is valid, and its validators (docs/http-api/answers.md, "Caching").
 *
 * - `snapshot`: valid while its snapshot is active; 503 without a snapshot.
 * - `document`: like `snapshot`, but with other inputs too (a page, the API description), and so with an entity tag and
 *   no date; without a snapshot it is answered, but not cached.
 * - `file`: a file of the bulk bundle, with a strong entity tag and ranges; 503 without a snapshot.
 * - `archive`: a description of the archive, with its digest as entity tag, whatever snapshot is active.
 * - `archive-file`: a file of the archive, with a strong entity tag and ranges, valid for ever.
 * - `static`: valid as long as this build runs, whatever snapshot is active.
 * - `none`: a state that changes by itself, never cached.
 */
export type Caching = keyof Sources;
type SnapshotCaching = 'snapshot' | 'file';

/** The possible sources of an answer, by its caching. */
interface Sources {
  readonly snapshot: 'prepared' | 'rendered';
  readonly document: 'document';
  readonly file: 'file';
  readonly archive: 'static';
  readonly 'archive-file': 'archive-file';
  readonly static: 'static';
  readonly none: 'answer';
}

export type Dependency =
  'age' | 'archive' | 'has-archive' | 'base-url' | 'history' | 'html' | 'language';

interface Basics {
  /** The path, with parameters as `{name}`. */
  readonly path: `/${string}`;
  readonly caching: Caching;
  readonly parameters: Parameters;
  /** Inputs of the answer beside the request target and the snapshot. */
  readonly dependsOn?: readonly Dependency[];
  /** Whether browsers get a page if the resource does not exist; default: JSON for all clients. */
  readonly hasNotFoundPage?: boolean;
  /** Whether unknown parameters are refused; default: they are ignored. */
  readonly refusesUnknown?: boolean;
  /** Documentation; an endpoint without it is not in the OpenAPI document. */
  readonly operation?: Operation;
}

/** A request with parsed parameters. */
export interface RequestContext {
  readonly state: Readonly<FrontState>;
  /** Undefined without an active snapshot. */
  readonly header: SnapshotHeader | undefined;
  /** Base URL without a slash at its end; undefined if the endpoint does not use it or the request names no host. */
  readonly baseUrl: string | undefined;
  /** The client's preferred language; undefined for endpoints without languages and for requests with a query. */
  readonly language: Language | undefined;
  /** Whether the client prefers a page to JSON; false for endpoints without pages. */
  readonly prefersHtml: boolean;
  /** The query as the client wrote it, without `?`. */
  readonly query: string;
}

/** Endpoints that need a snapshot are not called without one: the answer is 503. */
type ContextOf<C extends Caching> = C extends SnapshotCaching
  ? RequestContext & { readonly header: SnapshotHeader }
  : RequestContext;

/** The source of an answer's bytes. */
export type Source =
  /** Prepared in the local copy; 404 for an unknown name. */
  | { readonly kind: 'prepared'; readonly name: string }
  /** Rendered by a job from a snapshot; default: the active one. */
  | ({ readonly kind: 'rendered'; readonly from?: SnapshotAnswers } & JobAnswer)
  /** Rendered by a job, with or without a snapshot. */
  | ({ readonly kind: 'document' } & JobAnswer<DocumentJob>)
  /** A file by the end of its address (`BulkFiles`); default: of the active snapshot. */
  | { readonly kind: 'file'; readonly address: string; readonly from?: SnapshotAnswers }
  | { readonly kind: 'archive-file'; readonly archive: ArchiveFiles; readonly path: string }
  | { readonly kind: 'static'; readonly resource: StaticResource }
  | { readonly kind: 'answer'; readonly answer: Answer | Promise<Answer> }
  | Refusal;

interface Declaration<P extends Parameters, C extends Caching> extends Omit<
  Basics,
  'caching' | 'parameters'
> {
  readonly caching?: C;
  readonly parameters?: P;
  /** Finds the source of the answer, or its refusal. */
  resolve(
    values: Values<P>,
    context: ContextOf<C>,
  ): Extract<Source, { kind: Sources[C] }> | Refusal;
}

export interface Endpoint extends Basics {
  /** The parameters as a list: listing them for each request costs a tenth of its parsing. */
  readonly entries: readonly (readonly [name: string, Parameter<unknown>])[];
  readonly segments: readonly string[];
  /** Whether the path and the query have declared parameters. */
  readonly reads: { readonly path: boolean; readonly query: boolean };
  /** Whether its answers have a `Link` field (high-value-dataset API). */
  readonly isLinked: boolean;
  /** Prefixes of cache keys, by content coding. */
  readonly variants: { readonly gzip: string; readonly identity: string };
  /** @param values of the endpoint's own parameters. */
  resolve(values: Values<Parameters>, context: RequestContext): Source;
}

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
      query:
        declaration.refusesUnknown === true ||
        entries.some(([, parameter]) => parameter.in === 'query'),
    },
    isLinked: path.startsWith('/api/v1/'),
    variants: { gzip: `gzip ${path} `, identity: `identity ${path} ` },
  };
}

/** An endpoint with one prepared answer for all requests. */
export function prepared(path: `/${string}`, name: string, operation: Operation): Endpoint {
  return endpoint({ path, operation, resolve: () => ({ kind: 'prepared', name }) });
}

export function refuse(code: ErrorCode): Refusal {
  return { kind: 'error', code };
}

/**
 * For answers with absolute links: adds a digest of their base URL to the entity tag, and the request fields that
 * determine the base URL to `Vary`.
 */
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
