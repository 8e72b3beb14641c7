/** What a row of the table of routes is, and how its declaration becomes a function from text to an answer. */
import type { SnapshotHeader } from '../snapshot/model.js';
import type { Answer } from './answer.js';
import type { ErrorCode } from './errors.js';
import {
  parseParameters,
  type ParameterReader,
  type Parameters,
  type ValidationProblem,
  type Values,
} from './parameters.js';
import type { Service } from './service.js';

/** Why a request has no answer of its own. */
export type Refusal =
  | { readonly kind: 'error'; readonly code: ErrorCode }
  | { readonly kind: 'invalid'; readonly problems: readonly ValidationProblem[] };

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

export type Route = StoredRoute | ComputedRoute;

export interface StoredDeclaration<P extends Parameters> {
  readonly path: Declared['path'];
  readonly parameters: P;
  /** Where the spec asks for its fixed 400 instead of the validation error body. */
  readonly badRequest?: boolean;
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
      if (!parsed.ok) {
        return declared.badRequest === true
          ? { kind: 'error', code: 'bad_request' }
          : { kind: 'invalid', problems: parsed.problems };
      }
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
      if (!parsed.ok) return { kind: 'invalid', problems: parsed.problems };
      return { kind: 'answer', answer: declared.answer(parsed.values, service) };
    },
  };
}
