/** Types for the OpenAPI documentation of an endpoint; its English texts are in `texts/openapi`. */
import { reference, TEXT, type Schema } from '../../views/openapi/json-schema.js';
import type { SchemaName } from '../../views/openapi/schemas.js';
import type { Status } from '../semantics/answer.js';
import type { ErrorCode } from '../semantics/error-answers.js';
import type { HeaderName } from './documented-headers.js';

export const TAGS = {
  Metadata: 'What the snapshot holds: organizations, networks, stations, components.',
  Measurements:
    'Hourly means of single stations, in fixed windows that end when the snapshot was made.',
  'HVD data':
    'The high-value dataset: stations, parameters and preliminary hourly observations of the last 30 days.',
  'HVD changes': 'What is new since a client has asked last.',
  'HVD files': 'The same dataset as files, each with its checksum.',
  'HVD catalogue': 'What the dataset is, for harvesters and for people.',
  'OGC API':
    'OGC API - Features 1.0 and EDR 1.1, for QGIS, GDAL, R and other clients of these standards.',
  Pages: 'For people: HTML in Serbian (both scripts) and English, light and dark.',
  Service: 'The state of the service, and this document.',
} as const;

export interface Operation {
  readonly id: string;
  readonly tag: keyof typeof TAGS;
  readonly content: readonly Content[];
  /** Header fields of a 200, beside those of its caching. */
  readonly headers?: readonly HeaderName[];
  /** Errors of the endpoint, beside those of its parameters and the 503 of its caching. */
  readonly refusals?: readonly ErrorCode[];
  /** Answers with another status than 200, beside `refusals`. */
  readonly otherAnswers?: Readonly<Partial<Record<Status, OtherAnswer>>>;
}

export interface Content {
  readonly mediaType: string;
  /** Undefined for binary content. */
  readonly schema?: Schema;
}

interface OtherAnswer {
  readonly description: string;
  readonly headers: readonly HeaderName[];
  /** Undefined without a body. */
  readonly schema?: Schema;
}

export function json(schema: SchemaName, mediaType = 'application/json'): readonly Content[] {
  return [{ mediaType, schema: reference(schema) }];
}

export function text(mediaType: string): Content {
  return { mediaType, schema: TEXT };
}

/** An operation of the legacy API for a resource that the snapshot may lack. */
export function resource(id: string, tag: keyof typeof TAGS, schema: SchemaName): Operation {
  return { id, tag, content: json(schema), refusals: ['no_public_data'] };
}

/** An operation of the dataset that answers records rendered by a job. @param headers further header fields. */
export function records(
  id: string,
  content: readonly Content[],
  headers: readonly HeaderName[] = [],
): Operation {
  const all = ['X-Record-Count', ...headers] as const;
  return { id, tag: 'HVD data', content, headers: all, refusals: ['busy'] };
}
