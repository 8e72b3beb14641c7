/** A document's bytes → JSON tokens, with limits; what its reader can take as text makes no tokens. */
import { plainBytes } from './bytes.js';
import { JsonText, type Taken, type Token } from './parser.js';
import type { Refuse } from '../problems.js';
import { utf8Text } from './text.js';

export type { Token };

/** Longest text and longest member name, in UTF-16 code units; who keeps them checks it. */
export const MAX_TEXT = 256 * 1024;

/** Containers inside each other where nobody looks at them: the parser keeps a stack. Who skips them checks it. */
export const MAX_SKIPPED_DEPTH = 1000;

/**
 * Longest run of text without a token: the parser collects a text until its end, so this bounds its memory.
 * A text of `MAX_TEXT` characters, each of them escaped, fits.
 */
const MAX_RUN = 4 * 1024 * 1024;

/** Characters that wait for the ones that come next, because a row may not be whole yet: several rows. */
const MAX_CARRIED = 1024;

export interface TokenOptions {
  /** Called when every token before the mistake has been handed out, so that its caller knows the path. */
  readonly refuse: Refuse;
  /**
   * Called with what follows a `}`: takes whole elements from the begin of the text, each with the comma before it and in ASCII,
   * and answers how many characters it has taken.
   */
  readonly takeText: (text: string) => number;
  /** Called with how many bytes of the source (as stored) have been read. */
  readonly onProgress?: ((bytesRead: number) => void) | undefined;
}

/**
 * The tokens of one JSON text, in batches; nothing but white space follows it.
 *
 * Refuses bytes that are no gzip, no UTF-8 or no JSON, with the offset in the plain bytes.
 */
export async function* jsonTokens(
  source: AsyncIterable<Uint8Array>,
  { refuse, takeText, onProgress }: TokenOptions,
): AsyncGenerator<readonly Token[], void, undefined> {
  const json = new JsonText();
  let runLength = 0;
  function* taken({ tokens, mistake }: Taken, text: string): Generator<readonly Token[]> {
    runLength = tokens.length === 0 ? runLength + text.length : 0;
    yield tokens;
    if (mistake !== undefined) refuse(mistake.message, { cause: mistake.cause });
    if (runLength > MAX_RUN) refuse(`a text longer than ${MAX_TEXT} characters`);
  }
  let rest = '';
  try {
    for await (const text of utf8Text(plainBytes(source, refuseLater, onProgress), refuseLater)) {
      rest += text;
      while (rest !== '') {
        if (json.isSettled) {
          const length = takeText(rest);
          json.skip(length);
          rest = rest.slice(length);
          if (rest.length < MAX_CARRIED) break;
        }
        const brace = rest.lastIndexOf('}');
        // The brace alone: its result shows whether the parser has nothing pending (see `JsonText`).
        const chunk = brace > 0 ? rest.slice(0, brace) : brace === 0 ? '}' : rest;
        rest = rest.slice(chunk.length);
        yield* taken(json.take(chunk), chunk);
      }
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    yield* taken(json.take(rest), rest);
    refuse(error.message, { cause: error.cause });
  }
  yield* taken(json.take(rest), rest);
  yield* taken(json.end(), '');
}

/** What is wrong with the source, which is refused when all tokens before it have been handed out. */
class Refusal extends Error {
  override readonly name = 'Refusal';
}

const refuseLater: Refuse = (message, options) => {
  throw new Refusal(message, options);
};

/** What a token stands for, for a message. */
export function tokenValue(token: Token): unknown {
  switch (token.name) {
    case 'startObject':
      return {};
    case 'startArray':
      return [];
    case 'numberValue':
      return Number(token.value);
    case 'stringValue':
    case 'nullValue':
    case 'trueValue':
    case 'falseValue':
      return token.value;
    default:
      return token.name;
  }
}
