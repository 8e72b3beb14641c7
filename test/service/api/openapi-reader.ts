/** Reads the OpenAPI document as a client, and checks real answers against it. */
import {
  registerSchema,
  setShouldValidateFormat,
  validate,
  type Validator,
} from '@hyperjump/json-schema/openapi-3-1';
import '@hyperjump/json-schema/formats';
import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import { getJson, type Received } from '../../support/service/requests.js';

setShouldValidateFormat(true);

const META_SCHEMA = 'https://spec.openapis.org/oas/3.1/schema-base';
const DIALECT = 'https://spec.openapis.org/oas/3.1/dialect/base';
const LINES = 'application/x-ndjson';

/** Exposed header fields that need no description, because every HTTP client knows them. */
const UNDESCRIBED = new Set(['accept-ranges', 'content-length']);

type Named<T> = Readonly<Record<string, T>>;

interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  /** The schemas of the first line and of all others. */
  readonly contentSchema?: { readonly anyOf: readonly [Schema, Schema] };
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
  readonly example?: string | number | readonly string[];
}

interface MediaType {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Named<{ readonly value: unknown }>;
}

interface Response {
  readonly headers?: Named<Pick<Parameter, 'required' | 'schema'>>;
  readonly content?: Named<MediaType>;
}

interface Described {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly responses: Named<Response>;
}

interface Document {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Named<{ readonly get: Described }>;
}

export type Operation = Described & { readonly path: string };

type Json = Parameters<Validator>[0];

let registered = 0;

export class OpenApi {
  /** As it is served, with references. */
  readonly text: string;
  readonly document: Document;
  readonly #validators = new Map<Schema, Promise<Validator>>();

  private constructor(document: unknown) {
    this.text = JSON.stringify(document);
    this.document = withoutReferences(document) as Document;
  }

  static async of(service: { readonly port: number }): Promise<OpenApi> {
    const { status, body } = await getJson(service, '/openapi.json');
    assert.equal(status, 200);
    return new OpenApi(body);
  }

  get operations(): readonly Operation[] {
    return Object.entries(this.document.paths).map(([path, { get }]) => ({ path, ...get }));
  }

  /** Every `example` with its schema. */
  *examples(): Generator<{ readonly schema: Schema; readonly example: unknown }> {
    const parts = new Set<unknown>([this.document]);
    // The set grows during the loop.
    for (const part of parts) {
      if (typeof part !== 'object' || part === null) continue;
      const { schema, example, examples = {} } = part as MediaType;
      const all = schema === undefined ? [] : Object.values(examples).map((one) => one.value);
      for (const one of example === undefined ? all : [...all, example]) {
        if (schema !== undefined) yield { schema, example: one };
      }
      for (const [name, member] of Object.entries(part)) if (name !== 'example') parts.add(member);
    }
  }

  /** The problem of a value by a schema; undefined for a valid value. */
  async problem(schema: Schema, value: unknown): Promise<string | undefined> {
    const known = this.#validators.get(schema);
    const validator = known ?? validatorOf(schema);
    this.#validators.set(schema, validator);
    const output = (await validator)(value as Json, 'BASIC');
    return output.valid ? undefined : JSON.stringify(output.errors?.slice(0, 3));
  }

  /**
   * Checks an answer against the document: header fields, media type and body.
   *
   * @throws {AssertionError} for differences, and for undocumented statuses.
   */
  async check(path: string, answer: Received, method = 'GET'): Promise<void> {
    const response = this.document.paths[path]?.get.responses[String(answer.status)];
    assert(response, `${answer.status} of ${path} is not described`);
    await this.#checkFields(response, answer);
    if (method === 'HEAD' || response.content === undefined) {
      assert.equal(answer.body.byteLength, 0, 'a body that nobody described');
      return;
    }
    await this.#checkBody(response.content, answer);
  }

  async #checkFields({ headers = {} }: Response, answer: Received): Promise<void> {
    const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
    const exposed = answer.headers['access-control-expose-headers']?.toLowerCase().split(', ');
    for (const name of exposed ?? []) {
      const isKnown = UNDESCRIBED.has(name) || names.has(name);
      assert(isKnown || answer.headers[name] === undefined, `${name} is not described`);
    }
    for (const [name, { required, schema }] of Object.entries(headers)) {
      const text = answer.headers[name.toLowerCase()];
      assert(text !== undefined || !required, `${name} is missing`);
      if (text === undefined) continue;
      const value = schema.type === 'integer' ? Number(text) : text;
      await this.#assertValid(schema, value, `${name}: ${String(text)}`);
    }
  }

  async #checkBody(content: Named<MediaType>, answer: Received): Promise<void> {
    const type = answer.headers['content-type'] ?? '';
    const [mediaType = ''] = type.split(';');
    assert(!needsCharset(mediaType) || /; charset=utf-8(?:;|$)/.test(type), `${type} of a text`);
    // The version of OpenAPI is a part of its media type.
    const described = content[mediaType] ?? content[type] ?? content['*/*'];
    assert(described, `${mediaType} is not described`);
    const { schema, examples } = described;
    if (schema === undefined) return;
    const encoded = answer.headers['content-encoding'] === 'gzip';
    const text = (encoded ? gunzipSync(answer.body) : answer.body).toString('utf8');
    const isJson = mediaType.endsWith('json') && mediaType !== LINES;
    const value: unknown = isJson ? JSON.parse(text) : text;
    await this.#assertValid(schema, value, text.slice(0, 300));
    if (mediaType === LINES) await this.#checkLines(text, schema);
    if (examples === undefined) return;
    const isKnown = Object.entries(examples).some(([error, example]) => {
      const body = JSON.stringify(example.value);
      if (error !== 'invalid_position' && error !== 'invalid_ogc') return text === body;
      // Its second sentence depends on the request.
      return text.startsWith(body.slice(0, body.indexOf('.')));
    });
    assert(isKnown, `${text} is none of the bodies described`);
  }

  async #checkLines(text: string, { contentSchema }: Schema): Promise<void> {
    assert(contentSchema && text.endsWith('\n'));
    const [first, others] = contentSchema.anyOf;
    for (const [index, line] of text.slice(0, -1).split('\n').entries()) {
      await this.#assertValid(index === 0 ? first : others, JSON.parse(line), `line ${index + 1}`);
    }
  }

  async #assertValid(schema: Schema, value: unknown, label: string): Promise<void> {
    const problem = await this.problem(schema, value);
    assert(problem === undefined, `${label}: ${String(problem)}`);
  }
}

async function validatorOf(schema: unknown): Promise<Validator> {
  registered += 1;
  const uri = `https://test.example/${registered}`;
  registerSchema(schema as Parameters<typeof registerSchema>[0], uri, DIALECT);
  return await validate(uri);
}

/** A document in which each reference is replaced by what it names, the same object everywhere. */
function withoutReferences(document: unknown): unknown {
  const known = new Map<string, unknown>();
  const resolved = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(resolved);
    if (!('$ref' in value)) {
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolved(one)]));
    }
    const place = String(value.$ref);
    if (!known.has(place)) {
      let found: unknown = document;
      for (const name of place.split('/').slice(1)) found = (found as Named<unknown>)[name];
      assert(found, `${place} leads nowhere`);
      known.set(place, resolved(found));
    }
    return known.get(place);
  };
  return resolved(document);
}

/** The problem of a whole document in JSON by the official schema; undefined for a valid one. */
export async function documentProblem(text: string): Promise<string | undefined> {
  const output = await validate(META_SCHEMA, JSON.parse(text) as Json, 'BASIC');
  return output.valid ? undefined : JSON.stringify(output.errors?.slice(0, 5));
}

/** The target of an operation; parameters without a value are left out, or stand as their names in a path. */
export function targetOf({ path, parameters }: Operation, values: Named<string>): string {
  const query = new URLSearchParams();
  let target = path;
  for (const { name, in: place } of parameters) {
    const value = values[name];
    if (value === undefined) continue;
    if (place === 'path') target = target.replace(`{${name}}`, encodeURIComponent(value));
    if (place === 'query') query.set(name, value);
  }
  return query.size > 0 ? `${target}?${query.toString()}` : target;
}

/** Whether the media type needs a charset: JSON (RFC 8259 §8.1) and server-sent events are always UTF-8. */
export function needsCharset(mediaType: string): boolean {
  return /^text\/|xml$/.test(mediaType) && mediaType !== 'text/event-stream';
}
