/** The one door to stream-json: a document's bytes → JSON tokens, with limits and byte offsets of mistakes, which the library does not have. */
import { getManyValues, none } from 'stream-chain/core';
import { jsonParser, type Token } from 'stream-json/core/parser.js';
import { plainBytes } from './bytes.js';
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

/** Text that is held to find the offset of a mistake in. */
const MAX_HELD = 256 * 1024;

export interface TokenOptions {
  /** Called when every token before the mistake has been handed out, so that its caller knows the path. */
  readonly refuse: Refuse;
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
  { refuse, onProgress }: TokenOptions,
): AsyncGenerator<readonly Token[], void, undefined> {
  const json = new JsonText();
  let runLength = 0;
  for await (const text of utf8Text(plainBytes(source, refuse, onProgress), refuse)) {
    const cut = text.lastIndexOf('}') + 1;
    // The brace alone: its result shows whether the parser has nothing pending (see `#settle`).
    for (const chunk of [
      text.slice(0, Math.max(cut - 1, 0)),
      text.slice(cut - 1, cut),
      text.slice(cut),
    ]) {
      if (chunk === '') continue;
      const { tokens, mistake } = json.take(chunk);
      runLength = tokens.length === 0 ? runLength + chunk.length : 0;
      yield tokens;
      if (mistake !== undefined) refuse(mistake.message, { cause: mistake.cause });
      if (runLength > MAX_RUN) refuse(`a text longer than ${MAX_TEXT} characters`);
    }
  }
  const { tokens, mistake } = json.end();
  yield tokens;
  if (mistake !== undefined) refuse(mistake.message, { cause: mistake.cause });
}

interface Mistake {
  readonly message: string;
  readonly cause?: unknown;
}

interface Taken {
  readonly tokens: readonly Token[];
  readonly mistake?: Mistake;
}

/** A token that opens a container. */
type Opening = 'startObject' | 'startArray';

/**
 * The library's parser, and where it is.
 *
 * When it throws, it loses the tokens before the mistake and gives no offset. So the text since the last settled point,
 * a `}` with nothing pending, is parsed again character by character.
 */
class JsonText {
  readonly #parse = createParser();
  /** Containers open now. */
  readonly #open: Opening[] = [];
  #tokens = 0;
  /** Containers open at the settled point; `undefined` before the first one. */
  #settledOpen: readonly Opening[] | undefined;
  /** Bytes of text before the settled point. */
  #settledBytes = 0;
  /** Text since the settled point; `undefined` where it grew too long. */
  #held: string | undefined = '';
  #heldBytes = 0;
  #heldTokens = 0;

  take(text: string): Taken {
    try {
      const tokens = this.#parse(text);
      this.#follow(tokens, text);
      return { tokens };
    } catch (cause) {
      return this.#find(text, cause);
    }
  }

  /** The document ends here. */
  end(): Taken {
    let tokens: readonly Token[] = [];
    try {
      // White space ends a number or a word at the top, and changes nothing elsewhere.
      tokens = this.#parse('\n');
    } catch {
      // Half an escape sequence: cut short as well.
    }
    this.#tokens += tokens.length;
    if (this.#tokens > 0 && this.#open.length === 0) return { tokens };
    const end = this.#settledBytes + this.#heldBytes;
    return { tokens, mistake: { message: `not JSON: cut short at byte ${end}` } };
  }

  #follow(tokens: readonly Token[], text: string): void {
    for (const { name } of tokens) {
      if (name === 'startObject' || name === 'startArray') this.#open.push(name);
      else if (name === 'endObject' || name === 'endArray') this.#open.pop();
    }
    this.#tokens += tokens.length;
    this.#heldBytes += Buffer.byteLength(text);
    if (text === '}' && tokens.at(-1)?.name === 'endObject') {
      this.#settle();
      return;
    }
    this.#heldTokens += tokens.length;
    if (this.#held !== undefined) this.#held += text;
    if (this.#held !== undefined && this.#held.length > MAX_HELD) this.#held = undefined;
  }

  #settle(): void {
    this.#settledOpen = [...this.#open];
    this.#settledBytes += this.#heldBytes;
    this.#held = '';
    this.#heldBytes = 0;
    this.#heldTokens = 0;
  }

  /** The tokens before the mistake that have not been handed out, and the offset of the mistake. */
  #find(text: string, cause: unknown): Taken {
    const reason = (cause instanceof Error ? cause.message : String(cause)).replace(
      /^Parser (cannot parse input:|has) /,
      '',
    );
    if (this.#held === undefined) {
      const start = this.#settledBytes + this.#heldBytes;
      return { tokens: [], mistake: { message: `not JSON after byte ${start}: ${reason}`, cause } };
    }
    const { tokens, read } = parseSlowly(this.#held + text, this.#settledOpen);
    const offset = this.#settledBytes + Buffer.byteLength(read);
    const mistake = { message: `not JSON at byte ${offset}: ${reason}`, cause };
    return { tokens: tokens.slice(this.#heldTokens), mistake };
  }
}

/** Parses from a settled point to the mistake: the tokens, and the text before the character that is wrong. */
function parseSlowly(
  text: string,
  open: readonly Opening[] | undefined,
): { readonly tokens: readonly Token[]; readonly read: string } {
  const parse = createParser();
  const tokens: Token[] = [];
  let at = 0;
  try {
    if (open !== undefined) parse(settledText(open));
    for (; at < text.length; at += 1) tokens.push(...parse(text.charAt(at)));
  } catch {
    // This character is the mistake.
  }
  return { tokens, read: text.slice(0, at) };
}

/** A text that brings a parser to where a `}` with these containers open around it brings it. */
function settledText(open: readonly Opening[]): string {
  return `${open.map((name) => (name === 'startObject' ? '{"":' : '[')).join('')}{}`;
}

/** The synchronous core: 150 ms for 10 MB, where the library's streams of single tokens take seconds. */
function createParser(): (text: string) => readonly Token[] {
  const parse = jsonParser({ streamValues: false });
  return (text) => {
    const out = parse(text);
    return out === none ? [] : getManyValues(out);
  };
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
