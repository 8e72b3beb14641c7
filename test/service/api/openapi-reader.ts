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

/** Exposed header fields that need no description, because every HTTP client knows them. */
const UNDESCRIBED = new Set(['accept-ranges', 'content-length']);

interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
  readonly example?: string | number | readonly string[];
}

interface Header {
  readonly required: boolean;
  readonly schema: Schema;
  readonly example?: Json;
}

interface MediaType {
  readonly schema?: Schema;
  readonly example?: Json;
  readonly examples?: Readonly<Record<string, { readonly value: Json }>>;
}

interface Reference {
  readonly $ref: string;
}

interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header | Reference>>;
  readonly content?: Readonly<Record<string, MediaType>>;
}

interface Document {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<
    Record<
      string,
      {
        readonly get: {
          readonly operationId: string;
          readonly parameters: readonly (Parameter | Reference)[];
          readonly responses: Readonly<Record<string, Response | Reference>>;
        };
      }
    >
  >;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface Operation {
  readonly path: string;
  readonly id: string;
  readonly parameters: readonly Parameter[];
  /** The described statuses, without `default`. */
  readonly statuses: readonly number[];
}

/** A value of the document and its JSON Pointer. */
interface Found<T> {
  readonly pointer: string;
  readonly value: T;
}

type Json = Parameters<Validator>[0];

let registered = 0;

export class OpenApi {
  readonly document: Document;
  readonly #uri: string;
  readonly #validators = new Map<string, Promise<Validator>>();

  /** @param document as served; each of its schemas is compiled once for this instance, at its first use. */
  constructor(document: unknown) {
    this.document = document as Document;
    registered += 1;
    this.#uri = `https://test.example/${registered}/openapi.json`;
    registerSchema(document as Parameters<typeof registerSchema>[0], this.#uri, DIALECT);
  }

  static async of(service: { readonly port: number }): Promise<OpenApi> {
    const { status, body } = await getJson(service, '/openapi.json');
    assert.equal(status, 200);
    return new OpenApi(body);
  }

  get operations(): readonly Operation[] {
    return Object.entries(this.document.paths).map(([path, { get }]) => ({
      path,
      id: get.operationId,
      parameters: get.parameters.map((parameter) => this.#follow(parameter, '').value),
      statuses: Object.keys(get.responses).filter(isNumber).map(Number),
    }));
  }

  /** Every `example` with its schema. */
  *examples(): Generator<{ readonly schema: string; readonly example: unknown }> {
    const parts: [string, unknown][] = [['', this.document]];
    for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
      const [pointer, value] = part;
      if (typeof value !== 'object' || value === null) continue;
      if ('schema' in value) {
        const { example, examples = {} } = value as MediaType;
        const all = Object.values(examples).map((one) => one.value);
        for (const one of example === undefined ? all : [...all, example]) {
          yield { schema: `${pointer}/schema`, example: one };
        }
      }
      for (const [name, member] of Object.entries(value)) {
        if (name !== 'example') parts.push([`${pointer}/${escaped(name)}`, member]);
      }
    }
  }

  /** The problem of a value by the schema at a pointer; undefined for a valid value. */
  async problem(pointer: string, value: unknown): Promise<string | undefined> {
    const known = this.#validators.get(pointer);
    const validator = known ?? validate(`${this.#uri}#${encodeURI(pointer)}`);
    this.#validators.set(pointer, validator);
    const output = (await validator)(value as Json, 'BASIC');
    return output.valid ? undefined : JSON.stringify(output.errors?.slice(0, 3));
  }

  /** The example of a path's answer with status 200 in one media type; undefined without one. */
  answerExample(path: string, mediaType: string): unknown {
    const { statuses = [] } = this.operations.find((one) => one.path === path) ?? {};
    if (!statuses.includes(200)) return undefined;
    return this.#response(path, 200).value.content?.[mediaType]?.example;
  }

  /**
   * Checks an answer against the document: header fields, media type and body.
   *
   * @throws {AssertionError} for differences, and for undocumented statuses.
   */
  async check(path: string, answer: Received, method = 'GET'): Promise<void> {
    const { pointer, value: response } = this.#response(path, answer.status);
    await this.#checkFields(pointer, response, answer);
    if (method === 'HEAD' || response.content === undefined) {
      assert.equal(answer.body.byteLength, 0, 'a body that nobody described');
      return;
    }
    await this.#checkBody(pointer, response.content, answer);
  }

  #response(path: string, status: number): Found<Response> {
    const responses = this.document.paths[path]?.get.responses;
    const response = responses?.[String(status)];
    assert(response, `${status} of ${path} is not described`);
    return this.#follow(response, `/paths/${escaped(path)}/get/responses/${status}`);
  }

  async #checkFields(pointer: string, { headers = {} }: Response, answer: Received): Promise<void> {
    const described = new Map(
      Object.entries(headers).map(([name, header]) => [
        name.toLowerCase(),
        this.#follow(header, `${pointer}/headers/${escaped(name)}`),
      ]),
    );
    const exposed = answer.headers['access-control-expose-headers']?.toLowerCase().split(', ');
    for (const name of exposed ?? []) {
      const isKnown = UNDESCRIBED.has(name) || described.has(name);
      assert(isKnown || answer.headers[name] === undefined, `${name} is not described`);
    }
    for (const [name, { pointer: place, value: header }] of described) {
      const text = answer.headers[name];
      if (text === undefined) {
        assert(!header.required, `${name} is missing`);
        continue;
      }
      const value = header.schema.type === 'integer' ? Number(text) : text;
      const problem = await this.problem(`${place}/schema`, value);
      assert(problem === undefined, `${name}: ${String(text)}: ${String(problem)}`);
    }
  }

  async #checkBody(
    pointer: string,
    content: Readonly<Record<string, MediaType>>,
    answer: Received,
  ): Promise<void> {
    const type = answer.headers['content-type'] ?? '';
    const [mediaType = ''] = type.split(';');
    assert(!needsCharset(mediaType) || /; charset=utf-8(?:;|$)/.test(type), `${type} of a text`);
    const name = mediaType in content ? mediaType : '*/*';
    const described = content[name];
    assert(described, `${mediaType} is not described`);
    if (described.schema === undefined) return;
    const place = `${pointer}/content/${escaped(name)}/schema`;
    const encoded = answer.headers['content-encoding'] === 'gzip';
    const text = (encoded ? gunzipSync(answer.body) : answer.body).toString('utf8');
    const value: unknown = mediaType.endsWith('json') ? parseBody(mediaType, text) : text;
    const problem = await this.problem(place, value);
    assert(problem === undefined, `${text.slice(0, 300)}: ${String(problem)}`);
    if (mediaType === 'application/x-ndjson') await this.#checkLines(text, described.schema);
    if (described.examples) {
      const isKnown = Object.entries(described.examples).some(([error, example]) => {
        const body = JSON.stringify(example.value);
        // The second sentence of that body depends on the request.
        if (error === 'invalid_position') return text.startsWith(body.slice(0, body.indexOf('.')));
        return text === body;
      });
      assert(isKnown, `${text} is none of the bodies described`);
    }
  }

  /** The first line has the first schema, all others the second. */
  async #checkLines(text: string, schema: object): Promise<void> {
    const { value } = this.#follow<object>(schema, '');
    const { contentSchema } = value as { readonly contentSchema?: { readonly anyOf: Reference[] } };
    const [first, later] = contentSchema?.anyOf ?? [];
    assert(first && later && text.endsWith('\n'));
    for (const [index, line] of text.slice(0, -1).split('\n').entries()) {
      const place = (index === 0 ? first : later).$ref.slice(1);
      const problem = await this.problem(place, JSON.parse(line));
      assert(problem === undefined, `line ${index + 1}: ${String(problem)}`);
    }
  }

  #follow<T extends object>(value: T | Reference, pointer: string): Found<T> {
    if (!('$ref' in value)) return { pointer, value };
    const place = value.$ref.slice(1);
    const [, , kind = '', name = ''] = place.split('/');
    const found = this.document.components[kind]?.[name];
    assert(found, `${value.$ref} leads nowhere`);
    return { pointer: place, value: found as T };
  }
}

/** The problem of a whole document by the official schema; undefined for a valid one. */
export async function documentProblem(document: unknown): Promise<string | undefined> {
  const output = await validate(META_SCHEMA, document as Json, 'BASIC');
  return output.valid ? undefined : JSON.stringify(output.errors?.slice(0, 5));
}

/** Whether the media type needs a charset: JSON (RFC 8259 §8.1) and server-sent events are always UTF-8. */
export function needsCharset(mediaType: string): boolean {
  return /^text\/|xml$/.test(mediaType) && mediaType !== 'text/event-stream';
}

function parseBody(mediaType: string, text: string): unknown {
  return mediaType === 'application/x-ndjson' ? text : (JSON.parse(text) as unknown);
}

function isNumber(text: string): boolean {
  return /^\d+$/.test(text);
}

/** Escapes a part of a JSON Pointer (RFC 6901). */
function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
