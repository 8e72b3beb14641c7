/** What a row of the table of routes is, and how its declaration becomes a function from text to an answer. */
import type { SnapshotHeader } from '../snapshot/model.js';
import type { Answer } from './answer.js';
import type { Plan, PlanTask } from '../workers/messages.js';
import type { WorkerPool } from '../workers/pool.js';
import type { Document } from './document.js';
import type { HeaderField } from './header-block.js';
import {
  parseParameters,
  type ParameterReader,
  type Parameters,
  type Refusal,
  type Values,
} from './parameters.js';
import type { PlannedRequest } from './planned-request.js';
import type { Service } from './service.js';

interface Declared {
  /** With parameters as `{name}`, as OpenAPI writes them. */
  readonly path: `/${string}`;
  readonly parameters: Parameters;
}

/** Answered by bytes that the import has finished. */
export interface StoredRoute extends Declared {
  readonly kind: 'stored';
  /** The answer's name in the local copy; a name that is not there is 404. Without a snapshot: 503. */
  resolve(
    read: ParameterReader,
    header: SnapshotHeader | undefined,
  ): { readonly kind: 'name'; readonly name: string } | Refusal;
}

/** Answered from what the process knows, never kept by a cache. */
export interface ComputedRoute extends Declared {
  readonly kind: 'computed';
  resolve(
    read: ParameterReader,
    service: Readonly<Service>,
  ): { readonly kind: 'answer'; readonly answer: Answer | Promise<Answer> } | Refusal;
}

/** Answered by a plan that a worker makes: finished bytes of the local copy, and the few that are made for it. */
export interface PlannedRoute extends Declared {
  readonly kind: 'planned';
  resolve(
    read: ParameterReader,
    header: SnapshotHeader | undefined,
    baseUrl: () => string | undefined,
  ): { readonly kind: 'plan'; readonly request: PlannedRequest } | Refusal;
}

/** Answered by a file of the bulk bundle, whole or in part. */
export interface FileRoute extends Declared {
  readonly kind: 'file';
  resolve(read: ParameterReader): { readonly kind: 'file'; readonly name: string } | Refusal;
}

/** Answered by a document that no snapshot changes. */
export interface DocumentRoute extends Declared {
  readonly kind: 'document';
  resolve(
    read: ParameterReader,
  ): { readonly kind: 'document'; readonly document: Document } | Refusal;
}

export type Route = StoredRoute | ComputedRoute | PlannedRoute | FileRoute | DocumentRoute;

export interface StoredDeclaration<P extends Parameters> {
  readonly path: Declared['path'];
  readonly parameters: P;
  /** Whether the snapshot has what well-formed parameters ask for; else 400. */
  readonly supported?: (values: Values<P>, header: SnapshotHeader) => boolean;
  readonly name: (values: Values<P>) => string;
}

export function storedRoute<P extends Parameters>(declared: StoredDeclaration<P>): StoredRoute {
  const { path, parameters } = declared;
  return {
    kind: 'stored',
    path,
    parameters,
    resolve(read, header) {
      const parsed = parseParameters(parameters, read);
      if (!parsed.ok) return parsed.refusal;
      if (header === undefined) return { kind: 'error', code: 'unavailable' };
      if (declared.supported?.(parsed.values, header) === false) {
        return { kind: 'error', code: 'bad_request' };
      }
      return { kind: 'name', name: declared.name(parsed.values) };
    },
  };
}

export function computedRoute<P extends Parameters>(declared: {
  readonly path: Declared['path'];
  readonly parameters: P;
  readonly answer: (values: Values<P>, service: Readonly<Service>) => Answer | Promise<Answer>;
}): ComputedRoute {
  const { path, parameters } = declared;
  return {
    kind: 'computed',
    path,
    parameters,
    resolve(read, service) {
      const parsed = parseParameters(parameters, read);
      if (!parsed.ok) return parsed.refusal;
      return { kind: 'answer', answer: declared.answer(parsed.values, service) };
    },
  };
}

export interface PlannedDeclaration<P extends Parameters> {
  readonly path: Declared['path'];
  readonly parameters: P;
  readonly fields: (header: SnapshotHeader) => readonly HeaderField[];
  readonly plan: (values: Values<P>, pool: WorkerPool, wish: PlanTask) => Promise<Plan>;
}

export function plannedRoute<P extends Parameters>(declared: PlannedDeclaration<P>): PlannedRoute {
  const { path, parameters } = declared;
  return {
    kind: 'planned',
    path,
    parameters,
    resolve(read, header) {
      const parsed = parseParameters(parameters, read);
      if (!parsed.ok) return parsed.refusal;
      if (header === undefined) return { kind: 'error', code: 'unavailable' };
      const request: PlannedRequest = {
        key: `${path} ${JSON.stringify(parsed.values)}`,
        fields: declared.fields(header),
        plan: (pool, wish) => declared.plan(parsed.values, pool, wish),
      };
      return { kind: 'plan', request };
    },
  };
}

/** One whose answer has absolute links: planned once a base URL. */
export function linkedRoute(declared: {
  readonly path: Declared['path'];
  readonly fields: readonly HeaderField[];
  readonly plan: (baseUrl: string, pool: WorkerPool, wish: PlanTask) => Promise<Plan>;
}): PlannedRoute {
  const { path, fields } = declared;
  return {
    kind: 'planned',
    path,
    parameters: {},
    resolve(_read, header, baseUrlOf) {
      if (header === undefined) return { kind: 'error', code: 'unavailable' };
      const baseUrl = baseUrlOf();
      if (baseUrl === undefined) return { kind: 'error', code: 'malformed' };
      const request: PlannedRequest = {
        key: `${path} ${baseUrl}`,
        fields,
        plan: (pool, wish) => declared.plan(baseUrl, pool, wish),
      };
      return { kind: 'plan', request };
    },
  };
}

export function fileRoute<P extends Parameters>(declared: {
  readonly path: Declared['path'];
  readonly parameters: P;
  readonly name: (values: Values<P>) => string;
}): FileRoute {
  const { path, parameters } = declared;
  return {
    kind: 'file',
    path,
    parameters,
    resolve(read) {
      const parsed = parseParameters(parameters, read);
      return parsed.ok ? { kind: 'file', name: declared.name(parsed.values) } : parsed.refusal;
    },
  };
}

export function documentRoute<P extends Parameters>(declared: {
  readonly path: Declared['path'];
  readonly parameters: P;
  readonly document: (values: Values<P>) => Document;
}): DocumentRoute {
  const { path, parameters } = declared;
  return {
    kind: 'document',
    path,
    parameters,
    resolve(read) {
      const parsed = parseParameters(parameters, read);
      if (!parsed.ok) return parsed.refusal;
      return { kind: 'document', document: declared.document(parsed.values) };
    },
  };
}
