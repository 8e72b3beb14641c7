/** What an endpoint is: one declaration as data, which requests are answered by and the OpenAPI document is made from. */
import type { SnapshotHeader } from '../../snapshot/domain/model.js';
import type { SnapshotLocation } from '../../workers/messages.js';
import type { FrontState } from '../answers/front-state.js';
import type { AnswerJob } from '../answers/made-answers.js';
import type { StaticResource } from '../answers/static-resource.js';
import type { Answer } from '../semantics/answer.js';
import type { ErrorCode } from '../semantics/error-answers.js';
import { baseUrlDigest, baseUrlFields } from '../semantics/request-base-url.js';
import type { Operation } from './openapi/operation.js';
import {
  parameterParser,
  type ParameterReader,
  type Parameters,
  type Refusal,
  type Values,
} from './parameters.js';

/**
 * How long an answer is good, and by what a client asks whether it still is (docs/http-api.md, "Caching").
 *
 * - `snapshot`: as long as its snapshot is served; without one the answer is 503.
 * - `rendered`: the same, but made of more than the snapshot (a page, this build's own description), so that it has
 *   an entity tag and no date; without a snapshot it is answered and not cached.
 * - `file`: a file of the bulk bundle: a strong entity tag, and ranges; without a snapshot 503.
 * - `static`: as long as this build runs, whatever is served.
 * - `none`: a state that changes by itself.
 */
export type Caching = keyof Sources;
type SnapshotCaching = 'snapshot' | 'file';

/** Where the bytes of an answer may come from that is good for so long. */
interface Sources {
  readonly snapshot: 'finished' | 'made';
  readonly rendered: 'rendered';
  readonly file: 'file';
  readonly static: 'static';
  readonly none: 'answer';
}

export type Dependency = 'age' | 'base-url' | 'history';

/** What the responder needs to know of an endpoint before it parses a request. */
interface Basics {
  /** With parameters as `{name}`, as OpenAPI writes them. */
  readonly path: `/${string}`;
  readonly caching: Caching;
  /** What an answer depends on beside its target and the snapshot. */
  readonly dependsOn?: readonly Dependency[];
  /** Whether the answer without parameters is made before a swap is announced: everybody asks for it. */
  readonly isPrepared?: boolean;
  /** Documentation for the OpenAPI document; an endpoint without it is no part of the API. */
  readonly operation?: Operation;
}

/** What a request meets when its parameters have been parsed. */
export interface Context {
  readonly state: Readonly<FrontState>;
  /** Undefined while no snapshot is served. */
  readonly header: SnapshotHeader | undefined;
  /** Without a slash at its end; undefined where the endpoint does not depend on it, or the request names no host. */
  readonly baseUrl: string | undefined;
  /** Whole hours since the snapshot was made; 0 without one. */
  readonly ageHours: number;
}

/** Where the bytes of an answer come from. */
export type Source<Keyed extends 'keyed' | 'maybe' = 'keyed'> =
  /** The local copy, in which the import has finished them; a name that is not there is 404. */
  | { readonly kind: 'finished'; readonly name: string }
  /** A worker, which makes them of the snapshot. */
  | { readonly kind: 'made'; readonly job: Job<SnapshotLocation, Keyed> }
  /** A worker, with or without a snapshot. */
  | { readonly kind: 'rendered'; readonly job: Job<SnapshotLocation | undefined, Keyed> }
  /** The bulk bundle. */
  | { readonly kind: 'file'; readonly name: string }
  | { readonly kind: 'static'; readonly resource: StaticResource }
  | { readonly kind: 'answer'; readonly answer: Answer | Promise<Answer> }
  | Refusal;

/** A declaration may leave the key out: then the job goes by the values of the parameters. */
type Job<Location, Keyed> = Keyed extends 'keyed'
  ? AnswerJob<Location>
  : Omit<AnswerJob<Location>, 'key'> & { readonly key?: () => string };

interface Declaration<P extends Parameters, C extends Caching, Met extends Context> extends Basics {
  readonly caching: C;
  readonly parameters: P;
  readonly respond: (
    values: Values<P>,
    context: Met,
  ) => Extract<Source<'maybe'>, { kind: Sources[C] }> | Refusal;
}

/** An endpoint of any parameters: text in, source out. */
export interface Endpoint extends Basics {
  readonly parameters: Parameters;
  /** Whether it has parameters there. */
  readonly reads: { readonly path: boolean; readonly query: boolean };
  /** What its answers are cached under beside what was typed, by content coding. */
  readonly forms: { readonly gzip: string; readonly identity: string };
  readonly resolve: (read: ParameterReader, context: Context) => Source;
}

/** An endpoint that the OpenAPI document describes. */
export type DocumentedEndpoint = Endpoint & { readonly operation: Operation };

/** An endpoint that is answered whether or not a snapshot is served. */
export function endpoint<P extends Parameters, C extends Exclude<Caching, SnapshotCaching>>({
  respond,
  ...basics
}: Declaration<P, C, Context>): Endpoint {
  return declared(basics, respond);
}

/** An endpoint whose answers come from the snapshot: 503 while none is served. */
export function snapshotEndpoint<P extends Parameters, C extends SnapshotCaching>({
  respond,
  ...basics
}: Declaration<P, C, Context & { readonly header: SnapshotHeader }>): Endpoint {
  return declared(basics, (values: Values<P>, context) => {
    const { state, header, baseUrl, ageHours } = context;
    return header === undefined
      ? refuse('unavailable')
      : respond(values, { state, header, baseUrl, ageHours });
  });
}

export function refuse(code: ErrorCode): Refusal {
  return { kind: 'error', code };
}

function declared<P extends Parameters>(
  basics: Basics & { readonly parameters: P },
  respond: (values: Values<P>, context: Context) => Source<'maybe'>,
): Endpoint {
  const parse = parameterParser(basics.parameters);
  const places = Object.values(basics.parameters).map((parameter) => parameter.in);
  return {
    ...basics,
    reads: { path: places.includes('path'), query: places.includes('query') },
    forms: { gzip: `gzip ${basics.path}`, identity: `identity ${basics.path}` },
    resolve(read, context) {
      const parsed = parse(read);
      if (!parsed.ok) return parsed.refusal;
      const source = respond(parsed.values, context);
      if (isComplete(source, context)) return source;
      const { key = () => `${basics.path} ${JSON.stringify([parsed.values, context.baseUrl])}` } =
        source.job;
      const links = source.job.variesBy ? {} : linkVariation(context, source.job.variant);
      return source.kind === 'made'
        ? { kind: 'made', job: { ...source.job, key, ...links } }
        : { kind: 'rendered', job: { ...source.job, key, ...links } };
    },
  };
}

/** Whether its job, if it is one, needs neither a key nor links: to copy one takes as long as to parse a query. */
function isComplete(source: Source<'maybe'>, { baseUrl }: Context): source is Source {
  const isJob = source.kind === 'made' || source.kind === 'rendered';
  return !isJob || (source.job.key !== undefined && baseUrl === undefined);
}

/** Where an answer has absolute links, their base is part of its entity tag, and `Vary` names what that was made from. */
function linkVariation(
  { baseUrl, state }: Context,
  variant?: string,
): Pick<AnswerJob<unknown>, 'variant' | 'variesBy'> {
  if (baseUrl === undefined) return {};
  const digest = baseUrlDigest(baseUrl);
  return {
    variant: variant === undefined ? digest : `${variant}-${digest}`,
    variesBy: baseUrlFields(state.baseUrl),
  };
}
