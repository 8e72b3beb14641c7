/** What a row of the table of routes is, and how its declaration becomes a function from text to an answer. */
import type { SnapshotHeader } from '../../snapshot/domain/model.js';
import type { Answer, Status } from '../semantics/answer.js';
import type { OperationId, PageOperation } from './openapi/operations.js';
import type { SchemaName } from '../../views/openapi/schemas.js';
import type { PageRequest } from '../../views/pages/page.js';
import type { Plan, PlanTask } from '../../workers/messages.js';
import type { WorkerPool } from '../../workers/pool.js';
import { isLinked, LINK } from '../semantics/common-headers.js';
import type { Document } from '../answers/static-answer.js';
import type { HeaderField } from '../semantics/header-block.js';
import {
  parseParameters,
  type ParameterReader,
  type Parameters,
  type Refusal,
  type Values,
} from './parameters.js';
import type { PageFacts, PolicyChanges } from '../answers/pages.js';
import type { PlannedRequest } from '../answers/planned-request.js';
import type { Service } from '../answers/front-state.js';

interface Declared {
  /** With parameters as `{name}`, as OpenAPI writes them. */
  readonly path: `/${string}`;
  /** What it is called and described by in the OpenAPI document. */
  readonly operation: Exclude<OperationId, PageOperation>;
  readonly parameters: Parameters;
}

type MediaType = 'application/json' | 'application/ld+json' | 'application/x-ndjson';

/** Answered by bytes that the import has finished. */
export interface StoredRoute extends Declared {
  readonly kind: 'stored';
  /** Of the body of a 200, which is JSON. */
  readonly schema: SchemaName;
  /** The answer's name in the local copy; a name that is not there is 404. Without a snapshot: 503. */
  resolve(
    read: ParameterReader,
    header: SnapshotHeader | undefined,
  ): { readonly kind: 'name'; readonly name: string } | Refusal;
}

/** Answered from what the process knows, never kept by a cache. */
export interface ComputedRoute extends Declared {
  readonly kind: 'computed';
  /** Of the body of each answer that is its own; undefined for one without a body. */
  readonly schemas: Readonly<Partial<Record<Status, SchemaName | undefined>>>;
  resolve(
    read: ParameterReader,
    service: Readonly<Service>,
  ): { readonly kind: 'answer'; readonly answer: Answer | Promise<Answer> } | Refusal;
}

/** Answered by a plan that a worker makes: finished bytes of the local copy, and the few that are made for it. */
export interface PlannedRoute extends Declared {
  readonly kind: 'planned';
  readonly schema: SchemaName;
  readonly mediaType: MediaType;
  /** Under which name a client may keep it. */
  readonly fileName?: (header: SnapshotHeader) => string;
  resolve(
    read: ParameterReader,
    header: SnapshotHeader | undefined,
  ): { readonly kind: 'plan'; readonly request: PlannedRequest } | Refusal;
}

/** Answered by a plan too, one that has absolute links: planned once a base URL. */
export interface LinkedRoute extends Declared {
  readonly kind: 'linked';
  readonly schema: SchemaName;
  readonly mediaType: MediaType;
  /** Where there is none: whether that is 503. */
  readonly needsSnapshot: boolean;
  resolve(
    header: SnapshotHeader | undefined,
    baseUrl: () => string | undefined,
  ):
    | { readonly kind: 'plan'; readonly request: PlannedRequest }
    | { readonly kind: 'answer'; readonly answer: Answer }
    | Refusal;
}

/** Answered by a file of the bulk bundle, whole or in part. */
export interface FileRoute extends Declared {
  readonly kind: 'file';
  readonly files: readonly { readonly contentType: string }[];
  resolve(read: ParameterReader): { readonly kind: 'file'; readonly name: string } | Refusal;
}

/** Answered by a file that a worker makes from a finished answer; where that is not there, 404. */
export interface ExportRoute extends Declared {
  readonly kind: 'export';
  readonly files: readonly { readonly contentType: string }[];
  resolve(
    read: ParameterReader,
    header: SnapshotHeader | undefined,
  ):
    | { readonly kind: 'export'; readonly source: string; readonly request: PlannedRequest }
    | Refusal;
}

/** Answered by a document that no snapshot changes. */
export interface DocumentRoute extends Declared {
  readonly kind: 'document';
  readonly schema: SchemaName;
  resolve(
    read: ParameterReader,
  ): { readonly kind: 'document'; readonly document: Document } | Refusal;
}

/** Answered by a page for people, rendered by a worker once a state; without a snapshot too. */
export interface PageRoute extends Omit<Declared, 'operation'> {
  readonly kind: 'page';
  readonly operation: PageOperation;
  /** What its policy says otherwise than that of all pages. */
  readonly policy: PolicyChanges;
  resolve(
    read: ParameterReader,
    facts: PageFacts,
  ): { readonly kind: 'page'; readonly page: PageRequest } | Refusal;
}

/** Answered by a file that pages load: no part of the API. */
export interface AssetRoute {
  readonly kind: 'asset';
  readonly path: `/${string}`;
  readonly parameters: Parameters;
  resolve(read: ParameterReader): Document | undefined;
}

/** What the OpenAPI document tells of. */
export type ApiRoute = Exclude<Route, AssetRoute>;

export type Route =
  | StoredRoute
  | ComputedRoute
  | PlannedRoute
  | LinkedRoute
  | FileRoute
  | ExportRoute
  | DocumentRoute
  | PageRoute
  | AssetRoute;

export interface StoredDeclaration<P extends Parameters> extends Pick<
  StoredRoute,
  'path' | 'operation' | 'schema'
> {
  readonly parameters: P;
  /** Whether the snapshot has what well-formed parameters ask for; else 400. */
  readonly supported?: (values: Values<P>, header: SnapshotHeader) => boolean;
  readonly name: (values: Values<P>) => string;
}

export function storedRoute<P extends Parameters>({
  supported,
  name,
  ...declared
}: StoredDeclaration<P>): StoredRoute {
  return {
    kind: 'stored',
    ...declared,
    resolve(read, header) {
      const parsed = parseParameters(declared.parameters, read);
      if (!parsed.ok) return parsed.refusal;
      if (header === undefined) return { kind: 'error', code: 'unavailable' };
      if (supported?.(parsed.values, header) === false) {
        return { kind: 'error', code: 'bad_request' };
      }
      return { kind: 'name', name: name(parsed.values) };
    },
  };
}

export interface ComputedDeclaration<P extends Parameters> extends Pick<
  ComputedRoute,
  'path' | 'operation' | 'schemas'
> {
  readonly parameters: P;
  readonly answer: (values: Values<P>, service: Readonly<Service>) => Answer | Promise<Answer>;
}

export function computedRoute<P extends Parameters>({
  answer,
  ...declared
}: ComputedDeclaration<P>): ComputedRoute {
  return {
    kind: 'computed',
    ...declared,
    resolve(read, service) {
      const parsed = parseParameters(declared.parameters, read);
      if (!parsed.ok) return parsed.refusal;
      return { kind: 'answer', answer: answer(parsed.values, service) };
    },
  };
}

export interface PlannedDeclaration<P extends Parameters> extends Pick<
  PlannedRoute,
  'path' | 'operation' | 'schema' | 'mediaType' | 'fileName'
> {
  readonly parameters: P;
  readonly plan: (values: Values<P>, pool: WorkerPool, wish: PlanTask) => Promise<Plan>;
}

export function plannedRoute<P extends Parameters>({
  plan,
  ...declared
}: PlannedDeclaration<P>): PlannedRoute {
  const { path, parameters, mediaType, fileName } = declared;
  return {
    kind: 'planned',
    ...declared,
    resolve(read, header) {
      const parsed = parseParameters(parameters, read);
      if (!parsed.ok) return parsed.refusal;
      if (header === undefined) return { kind: 'error', code: 'unavailable' };
      const disposition: readonly HeaderField[] =
        fileName === undefined
          ? []
          : [['Content-Disposition', `inline; filename="${fileName(header)}"`]];
      const request: PlannedRequest = {
        key: `${path} ${JSON.stringify(parsed.values)}`,
        fields: [['Content-Type', mediaType], ...disposition, ...linksOf(path)],
        plan: (pool, wish) => plan(parsed.values, pool, wish),
      };
      return { kind: 'plan', request };
    },
  };
}

export interface LinkedDeclaration extends Pick<
  LinkedRoute,
  'path' | 'operation' | 'schema' | 'mediaType'
> {
  /** What the answer depends on beside the snapshot and the base URL: part of its entity-tag. */
  readonly edition?: () => string;
  readonly plan: (baseUrl: string, pool: WorkerPool, wish: PlanTask) => Promise<Plan>;
  /** Default: 503. */
  readonly withoutSnapshot?: (baseUrl: string) => Answer;
}

export function linkedRoute({
  edition,
  plan,
  withoutSnapshot,
  ...declared
}: LinkedDeclaration): LinkedRoute {
  const { path, mediaType } = declared;
  return {
    kind: 'linked',
    ...declared,
    parameters: {},
    needsSnapshot: withoutSnapshot === undefined,
    resolve(header, baseUrlOf) {
      if (header === undefined && withoutSnapshot === undefined) {
        return { kind: 'error', code: 'unavailable' };
      }
      const baseUrl = baseUrlOf();
      if (baseUrl === undefined) return { kind: 'error', code: 'host_unknown' };
      if (header === undefined && withoutSnapshot !== undefined) {
        return { kind: 'answer', answer: withoutSnapshot(baseUrl) };
      }
      const request: PlannedRequest = {
        key: `${path} ${baseUrl}`,
        fields: [['Content-Type', mediaType], ...linksOf(path)],
        ...(edition && { edition: edition() }),
        plan: (pool, wish) => plan(baseUrl, pool, wish),
      };
      return { kind: 'plan', request };
    },
  };
}

export interface FileDeclaration<P extends Parameters> extends Pick<
  FileRoute,
  'path' | 'operation' | 'files'
> {
  readonly parameters: P;
  readonly name: (values: Values<P>) => string;
}

export function fileRoute<P extends Parameters>({
  name,
  ...declared
}: FileDeclaration<P>): FileRoute {
  return {
    kind: 'file',
    ...declared,
    resolve(read) {
      const parsed = parseParameters(declared.parameters, read);
      return parsed.ok ? { kind: 'file', name: name(parsed.values) } : parsed.refusal;
    },
  };
}

export interface ExportDeclaration<P extends Parameters> extends Pick<
  ExportRoute,
  'path' | 'operation' | 'files'
> {
  readonly parameters: P;
  /** Whether the snapshot has what well-formed parameters ask for; else 400. */
  readonly supported: (values: Values<P>, header: SnapshotHeader) => boolean;
  /** The finished answer that it is made from. */
  readonly source: (values: Values<P>) => string;
  readonly file: (values: Values<P>) => {
    readonly name: string;
    readonly contentType: string;
    readonly packed: boolean;
  };
  readonly plan: (values: Values<P>, pool: WorkerPool, wish: PlanTask) => Promise<Plan>;
}

export function exportRoute<P extends Parameters>({
  supported,
  source,
  file,
  plan,
  ...declared
}: ExportDeclaration<P>): ExportRoute {
  return {
    kind: 'export',
    ...declared,
    resolve(read, header) {
      const parsed = parseParameters(declared.parameters, read);
      if (!parsed.ok) return parsed.refusal;
      const { values } = parsed;
      if (header === undefined) return { kind: 'error', code: 'unavailable' };
      if (!supported(values, header)) return { kind: 'error', code: 'bad_request' };
      const { name, contentType, packed } = file(values);
      const request: PlannedRequest = {
        key: `${declared.path} ${JSON.stringify(values)}`,
        fields: [
          ['Content-Type', contentType],
          ['Content-Disposition', `attachment; filename="${name}"`],
        ],
        packed,
        plan: (pool, wish) => plan(values, pool, wish),
      };
      return { kind: 'export', source: source(values), request };
    },
  };
}

export interface DocumentDeclaration<P extends Parameters> extends Pick<
  DocumentRoute,
  'path' | 'operation' | 'schema'
> {
  readonly parameters: P;
  readonly document: (values: Values<P>) => Document;
}

export function documentRoute<P extends Parameters>({
  document,
  ...declared
}: DocumentDeclaration<P>): DocumentRoute {
  return {
    kind: 'document',
    ...declared,
    resolve(read) {
      const parsed = parseParameters(declared.parameters, read);
      if (!parsed.ok) return parsed.refusal;
      return { kind: 'document', document: document(parsed.values) };
    },
  };
}

export interface PageDeclaration<P extends Parameters> extends Pick<
  PageRoute,
  'path' | 'operation'
> {
  readonly parameters: P;
  /** Default: the policy of all pages. */
  readonly policy?: PolicyChanges;
  readonly page: (values: Values<P>, facts: PageFacts) => PageRequest;
}

export function pageRoute<P extends Parameters>({
  policy = {},
  page,
  ...declared
}: PageDeclaration<P>): PageRoute {
  return {
    kind: 'page',
    ...declared,
    policy,
    resolve(read, facts) {
      const parsed = parseParameters(declared.parameters, read);
      if (!parsed.ok) return parsed.refusal;
      return { kind: 'page', page: page(parsed.values, facts) };
    },
  };
}

export function assetRoute<P extends Parameters>({
  asset,
  ...declared
}: {
  readonly path: `/${string}`;
  readonly parameters: P;
  readonly asset: (values: Values<P>) => Document | undefined;
}): AssetRoute {
  return {
    kind: 'asset',
    ...declared,
    resolve(read) {
      const parsed = parseParameters(declared.parameters, read);
      return parsed.ok ? asset(parsed.values) : undefined;
    },
  };
}

function linksOf(path: string): readonly HeaderField[] {
  return isLinked(path) ? [LINK] : [];
}
