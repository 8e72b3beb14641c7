/** The one door to stream-json: a document's bytes → JSON tokens, with limits that the library does not have. */
import { getManyValues, none } from 'stream-chain/core';
import { jsonParser, type Token } from 'stream-json/core/parser.js';
import { plainBytes } from './bytes.js';
import type { Problems } from './problems.js';
import { utf8Text } from './text.js';

export type { Token };

/**
 * Longest run of text without a token: the parser collects a text until its end, so this bounds its memory.
 * A text of `MAX_TEXT` characters, each of them escaped, fits.
 */
const MAX_RUN = 4 * 1024 * 1024;

/** Longest text and longest member name, in UTF-16 code units. */
export const MAX_TEXT = 256 * 1024;

export interface TokenOptions {
  readonly problems: Problems;
  /** Hears how many bytes of the source (as stored) have been read. */
  readonly onProgress?: (bytesRead: number) => void;
}

/**
 * The tokens of one JSON text, in batches; nothing but white space follows it.
 *
 * @throws {DocumentError} bytes that are no gzip, no UTF-8 or no JSON.
 */
export async function* jsonTokens(
  source: AsyncIterable<Uint8Array>,
  { problems, onProgress }: TokenOptions,
): AsyncGenerator<readonly Token[], void, undefined> {
  // The synchronous core: 150 ms for 10 MB, where the stream of single tokens takes seconds.
  const parse = jsonParser({ streamValues: false });
  const step = (text: string | typeof none): readonly Token[] => {
    try {
      // The library types its input without the `none` that ends it.
      const out = (parse as (input: string | typeof none) => ReturnType<typeof parse>)(text);
      return out === none ? [] : getManyValues(out);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      return problems.fail('document', `not JSON: ${reason}`, { cause });
    }
  };
  let runLength = 0;
  for await (const text of utf8Text(plainBytes(source, problems, onProgress), problems)) {
    const tokens = step(text);
    runLength = tokens.length === 0 ? runLength + text.length : 0;
    if (runLength > MAX_RUN) problems.fail('document', `a text longer than ${MAX_TEXT} characters`);
    yield tokens;
  }
  yield step(none);
}

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
