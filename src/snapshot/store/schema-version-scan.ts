/**
 * Finds the top-level `schema_version` in a JSON text that passes by in chunks.
 *
 * It mostly stands near the beginning, and nothing is parsed after it. Checking the document is `document/read.ts`'s work.
 */
import { createParser, type Token } from '../document/json/parser.js';

/** Bytes without a token, such as within a long text: then there is none to be found. */
const RUN_MAX = 4 * 1024 * 1024;

export class SchemaVersionScan {
  readonly #parse = createParser();
  readonly #decoder = new TextDecoder();
  #schemaVersion: string | undefined;
  #depth = 0;
  #key: string | undefined;
  #run = 0;

  get schemaVersion(): string | undefined {
    return this.#schemaVersion;
  }

  push(chunk: Uint8Array): void {
    if (this.#schemaVersion !== undefined || this.#run > RUN_MAX) return;
    try {
      const tokens = this.#parse(this.#decoder.decode(chunk, { stream: true }));
      this.#run = tokens.length === 0 ? this.#run + chunk.byteLength : 0;
      for (const token of tokens) this.#take(token);
    } catch {
      this.#run = Infinity; // no JSON
    }
  }

  #take(token: Token): void {
    if (/^start(?:Object|Array)$/.test(token.name)) this.#depth += 1;
    else if (/^end(?:Object|Array)$/.test(token.name)) this.#depth -= 1;
    else if (this.#depth !== 1) return;
    else if (token.name === 'keyValue') this.#key = token.value;
    else if (token.name === 'stringValue' && this.#key === 'schema_version') {
      this.#schemaVersion ??= token.value;
    }
  }
}
