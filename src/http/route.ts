/** What a row of the table of routes is, and how its declaration becomes a function from text to an answer. */
import type { SnapshotHeader } from '../snapshot/model.js';
import type { Answer } from './answer.js';
import type { Plan, SnapshotPlace } from '../workers/messages.js';
import type { WorkerPool } from '../workers/pool.js';
import type { HeaderField } from './header-block.js';
import {
  parseParameters,
  type ParameterReader,
  type Parameters,
  type Refusal,
  type Values,
} from './parameters.js';
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
  ): { readonly kind: 'answer'; readonly answer: Answer } | Refusal;
}

/** What a worker is to plan; requests of the same key get the same answer. */
export interface PlannedRequest {
  readonly key: string;
  /** Beside those of every answer from a snapshot. */
  readonly fields: readonly HeaderField[];
  plan(pool: WorkerPool, wish: PlanWish): Promise<Plan>;
}

export interface PlanWish {
  readonly place: SnapshotPlace;
  readonly gzip: boolean;
}

/** Answered by a plan that a worker makes: finished bytes of the local copy, and the few that are made for it. */
export interface PlannedRoute extends Declared {
  readonly kind: 'planned';
  resolve(
    read: ParameterReader,
    header: SnapshotHeader | undefined,
  ): { readonly kind: 'plan'; readonly request: PlannedRequest } | Refusal;
}

export type Route = StoredRoute | ComputedRoute | PlannedRoute;

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
  readonly answer: (values: Values<P>, service: Readonly<Service>) => Answer;
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

export function plannedRoute<P extends Parameters>(declared: {
  readonly path: Declared['path'];
  readonly parameters: P;
  readonly fields: (header: SnapshotHeader) => readonly HeaderField[];
  readonly plan: (values: Values<P>, pool: WorkerPool, wish: PlanWish) => Promise<Plan>;
}): PlannedRoute {
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
