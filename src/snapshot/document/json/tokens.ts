/** Converts a document's bytes to JSON tokens, or to texts if the reader takes them; reports mistakes by position. */
import { getManyValues, none } from 'stream-chain/core';
import { jsonParser, type Token } from 'stream-json/core/parser.js';
import { jsonVerifier } from 'stream-json/core/utils/verifier.js';
import { plainBytes } from './bytes.js';
import type { Refuse } from '../problems.js';
import { utf8Text } from './text.js';

export type { Token };

/** Longest text and member name, in UTF-16 units; the reader of the tokens checks it. */
export const MAX_TEXT = 256 * 1024;

/** Longest text without a token: bounds the parser's memory. A text of `MAX_TEXT` escaped characters fits. */
const MAX_RUN = 4 * 1024 * 1024;

/** Number of last characters that are kept. The verifier refuses a word after at most 16, an escape after at most 6. */
const MAX_PENDING = 32;

export interface TokenOptions {
  /** Called after all tokens before the mistake, so that the caller knows the path. */
  readonly refuse: Refuse;
  /** Takes whole elements from the text after a `}`. @returns the number of characters taken. */
  readonly takeText: (text: string) => number;
  readonly onProgress?: ((bytesRead: number) => void) | undefined;
}

/** The tokens of one JSON text, in batches. Refuses bytes that are not JSON, with their offset in the plain bytes. */
export async function* jsonTokens(
  source: AsyncIterable<Uint8Array>,
  { refuse, takeText, onProgress }: TokenOptions,
): AsyncGenerator<readonly Token[], void, undefined> {
  const json = new JsonText(refuse);
  let rest = '';
  try {
    for await (const text of utf8Text(plainBytes(source, refuseLater, onProgress), refuseLater)) {
      rest += text;
      let end = json.isSettled ? takeText(rest) : 0;
      if (end > 0) json.skip(rest.slice(0, end));
      else {
        const brace = rest.lastIndexOf('}');
        end = brace < 0 ? rest.length : brace + 1;
        yield* json.take(rest.slice(0, brace < 0 ? end : brace));
        // The tokens of the brace alone show whether the parser has pending tokens.
        if (brace >= 0) yield* json.take('}');
      }
      rest = rest.slice(end);
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    yield* json.take(rest);
    yield json.endedNumber();
    refuse(error.message, { cause: error.cause });
  }
  yield* json.take(rest);
  yield* json.end();
}

/** A problem of the source, refused after all tokens before it. */
class Refusal extends Error {
  override readonly name = 'Refusal';
}

const refuseLater: Refuse = (message, options) => {
  throw new Refusal(message, options);
};

/** The library's parser behind its verifier: the parser alone loses a mistake's position, and the tokens before it. */
class JsonText {
  readonly #refuse: Refuse;
  readonly #parse = jsonParser({ streamValues: false });
  readonly #verify = jsonVerifier();
  #bytes = 0;
  #verified = 0;
  #runLength = 0;
  /** The end of the text so far. */
  #tail = '';
  /** Number of open containers; undefined before the first token. */
  #depth: number | undefined;
  /** Whether the text ends with a `}` token, without a pending one. */
  isSettled = false;

  constructor(refuse: Refuse) {
    this.#refuse = refuse;
  }

  /** Skips whole elements of the open container, which `takeText` has taken. */
  skip(text: string): void {
    this.#bytes += Buffer.byteLength(text);
  }

  *take(text: string): Generator<readonly Token[], void, undefined> {
    const mistake = this.#mistakeIn(text);
    const right = mistake === undefined ? text : text.slice(0, Math.max(0, mistake.at));
    const tokens = this.#tokensOf(right);
    yield tokens;
    const known = this.#tail + text;
    if (mistake !== undefined) {
      const at = this.#tail.length + mistake.at;
      yield this.endedNumber(known.slice(0, at));
      const byte = this.#bytes + Buffer.byteLength(text) - Buffer.byteLength(known.slice(at));
      this.#refuse(`not JSON at byte ${byte}: ${mistake.reason}`, { cause: mistake.cause });
    }
    this.#tail = known.slice(-MAX_PENDING);
    this.#runLength = tokens.length === 0 ? this.#runLength + text.length : 0;
    if (this.#runLength > MAX_RUN) this.#refuse(`a text longer than ${MAX_TEXT} characters`);
    this.#bytes += Buffer.byteLength(text);
    this.isSettled = text === '}' && tokens.at(-1)?.name === 'endObject';
  }

  *end(): Generator<readonly Token[], void, undefined> {
    // White space ends a number at the top level, and has no effect elsewhere.
    yield this.#mistakeIn('\n') === undefined ? this.#tokensOf('\n') : [];
    if (this.#depth === 0) return;
    yield this.endedNumber();
    this.#refuse(`not JSON: cut short at byte ${this.#bytes}`);
  }

  /** The pending token of a number that white space ends at the end of the valid text; empty without such a number. */
  endedNumber(text = this.#tail): readonly Token[] {
    if (!/[ \t\n\r]$/.test(text)) return [];
    try {
      return this.#tokensOf(',');
    } catch {
      // JSON allows no comma at this position.
      return [];
    }
  }

  /** @returns the mistake at an offset in UTF-16 units from the beginning of the text; negative in an earlier text. */
  #mistakeIn(text: string) {
    const start = this.#verified;
    this.#verified += text.length;
    try {
      this.#verify(text);
      return undefined;
    } catch (cause) {
      if (!(cause instanceof Error && 'offset' in cause)) throw cause;
      const reason = cause.message.replace(/^.*?Verifier (?:cannot parse input: |has )/, '');
      return { at: Number(cause.offset) - start, reason, cause };
    }
  }

  #tokensOf(text: string): readonly Token[] {
    const out = this.#parse(text);
    const tokens = out === none ? [] : getManyValues(out);
    for (const { name } of tokens) {
      if (name === 'startObject' || name === 'startArray') this.#depth = (this.#depth ?? 0) + 1;
      else if (name === 'endObject' || name === 'endArray') this.#depth = (this.#depth ?? 0) - 1;
      else this.#depth ??= 0;
    }
    return tokens;
  }
}
