/** A document's bytes → JSON tokens, with limits and the places of mistakes; what its reader takes as text makes no tokens. */
import { getManyValues, none } from 'stream-chain/core';
import { jsonParser, type Token } from 'stream-json/core/parser.js';
import { jsonVerifier } from 'stream-json/core/utils/verifier.js';
import { plainBytes } from './bytes.js';
import type { Refuse } from '../problems.js';
import { utf8Text } from './text.js';

export type { Token };

/** Longest text and longest member name, in UTF-16 code units; who keeps them checks it. */
export const MAX_TEXT = 256 * 1024;

/** Longest text without a token: bounds the parser's memory. A text of `MAX_TEXT` escaped characters fits. */
const MAX_RUN = 4 * 1024 * 1024;

/** More than the characters that the verifier waits for before it says that a word (16) or an escape (6) is wrong. */
const MAX_PENDING = 32;

export interface TokenOptions {
  /** Called when every token before the mistake has been handed out, so that its caller knows the path. */
  readonly refuse: Refuse;
  /** Called with what follows a `}`: takes whole elements from its begin, and answers how many characters that is. */
  readonly takeText: (text: string) => number;
  /** Called with how many bytes of the source (as stored) have been read. */
  readonly onProgress?: ((bytesRead: number) => void) | undefined;
}

/** The tokens of one JSON text, in batches. Refuses other bytes with their offset in the plain bytes. */
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
        // The brace alone: its tokens show whether the parser has nothing pending.
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

/** A problem of the source, which is refused when all tokens before it have been handed out. */
class Refusal extends Error {
  override readonly name = 'Refusal';
}

const refuseLater: Refuse = (message, options) => {
  throw new Refusal(message, options);
};

interface Mistake {
  /** In UTF-16 code units from the begin of the text; negative where it began in an earlier one. */
  readonly at: number;
  readonly reason: string;
  readonly cause: unknown;
}

/** The library's parser behind its verifier: the parser alone loses tokens before a mistake, and its position. */
class JsonText {
  readonly #refuse: Refuse;
  readonly #parse = jsonParser({ streamValues: false });
  readonly #verify = jsonVerifier();
  /** Length of the document so far. */
  #bytes = 0;
  /** UTF-16 code units that the verifier has taken. */
  #verified = 0;
  #runLength = 0;
  /** The end of the text so far. */
  #tail = '';
  /** Containers that are open; undefined before the first token. */
  #depth: number | undefined;
  #isSettled = false;

  constructor(refuse: Refuse) {
    this.#refuse = refuse;
  }

  /** Whether the text so far ends on a `}` that was a token: no other token is begun. */
  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** Somebody else has read this text, which are whole elements of the container that is open. */
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
    this.#isSettled = text === '}' && tokens.at(-1)?.name === 'endObject';
  }

  /** The document ends here. */
  *end(): Generator<readonly Token[], void, undefined> {
    // White space ends a number at the top, and changes nothing elsewhere.
    yield this.#mistakeIn('\n') === undefined ? this.#tokensOf('\n') : [];
    if (this.#depth === 0) return;
    yield this.endedNumber();
    this.#refuse(`not JSON: cut short at byte ${this.#bytes}`);
  }

  /** A last number that is refused, where white space ends it; the parser makes a token of "1 " only from one text. */
  endedNumber(text = this.#tail): readonly Token[] {
    if (!/[ \t\n\r]$/.test(text)) return [];
    try {
      return this.#tokensOf(',');
    } catch {
      // No comma may stand there.
      return [];
    }
  }

  #mistakeIn(text: string): Mistake | undefined {
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
