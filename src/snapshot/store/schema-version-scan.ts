/**
 * Finds the top-level `schema_version` in a JSON text that passes by in chunks.
 *
 * Members come in any order, so it may stand after a million rows; a full parse would take seconds
 * where activating a snapshot needs one word. Checking the document is `document/read.ts`'s work, not this.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;
const COMMA = 0x2c;

/** Of a key or version, as written; longer texts are cut, and are then neither. */
const MAX_TOKEN_BYTES = 512;

export class SchemaVersionScan {
  #schemaVersion: string | undefined;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** Whether the next string of the top level is a value, and of which key. */
  #key: string | undefined;
  #afterColon = false;
  /** Bytes of the string being read, without its quotes; undefined where it is of no interest. */
  #token: number[] | undefined;

  get schemaVersion(): string | undefined {
    return this.#schemaVersion;
  }

  push(chunk: Uint8Array): void {
    if (this.#schemaVersion !== undefined) return;
    for (const byte of chunk) {
      if (this.#inString) this.#insideString(byte);
      else this.#outsideString(byte);
    }
  }

  #insideString(byte: number): void {
    if (byte === QUOTE && !this.#escaped) {
      this.#inString = false;
      if (this.#token !== undefined) this.#endToken(this.#token);
      return;
    }
    this.#escaped = byte === BACKSLASH && !this.#escaped;
    if (this.#token !== undefined && this.#token.length < MAX_TOKEN_BYTES) this.#token.push(byte);
  }

  #outsideString(byte: number): void {
    if (byte === QUOTE) {
      this.#inString = true;
      this.#escaped = false;
      this.#token = this.#depth === 1 ? [] : undefined;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#depth += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) this.#depth -= 1;
    else if (this.#depth === 1 && byte === COLON) this.#afterColon = true;
    else if (this.#depth === 1 && byte === COMMA) this.#afterColon = false;
  }

  #endToken(token: readonly number[]): void {
    const text = unquote(token);
    if (!this.#afterColon) this.#key = text;
    else if (this.#key === 'schema_version') this.#schemaVersion ??= text;
  }
}

/** The string that a JSON token stands for: a key may be written with escapes. */
function unquote(token: readonly number[]): string | undefined {
  try {
    const value: unknown = JSON.parse(`"${Buffer.from(token).toString('utf8')}"`);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
