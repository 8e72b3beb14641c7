/** `GET /openapi.json`: the document's template, made once a process, and the document of a service without data. */
import { createHash } from 'node:crypto';
import { BASE_URL_PLACE, fillPlaces } from '../../views/openapi/places.js';
import { baseUrlText } from '../../views/base-url.js';
import type { Answer } from '../semantics/answer.js';
import { CROSS_ORIGIN, JSON_TYPE, NO_STORE } from '../semantics/common-headers.js';
import { headerBlock } from '../semantics/header-block.js';
import { viewOpenApi } from '../routing/openapi/openapi-document.js';
import type { ApiRoute } from '../routing/route.js';

const HEADERS = headerBlock([JSON_TYPE, NO_STORE, ...CROSS_ORIGIN]);

export class OpenApiDocument {
  /** JSON text with places; in shared memory, so that it crosses threads without a copy. */
  readonly template: Uint8Array<SharedArrayBuffer>;
  /** Of this table: another build of the service may have another one. */
  readonly edition: string;
  /** JSON text without examples, in pieces that the base URL goes between. */
  readonly #pieces: readonly string[];
  #last: { readonly baseUrl: string; readonly answer: Answer } | undefined;

  constructor(routes: readonly ApiRoute[]) {
    const text = JSON.stringify(viewOpenApi(routes));
    const bytes = Buffer.from(text);
    this.template = new Uint8Array(new SharedArrayBuffer(bytes.byteLength));
    this.template.set(bytes);
    this.edition = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
    const bare = fillPlaces(text, { baseUrl: BASE_URL_PLACE, examples: {} });
    this.#pieces = bare.split(BASE_URL_PLACE);
  }

  /** Always the same few pieces: nothing here grows with what a client sends. */
  withoutExamples(baseUrl: string): Answer {
    if (this.#last?.baseUrl !== baseUrl) {
      const body = Buffer.from(this.#pieces.join(baseUrlText(baseUrl)));
      this.#last = { baseUrl, answer: { status: 200, headers: HEADERS, body } };
    }
    return this.#last.answer;
  }
}
