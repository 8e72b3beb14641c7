/** The one door to stream-json: its parser, with the byte offsets of mistakes, which the library does not have. */
import { getManyValues, none } from 'stream-chain/core';
import { jsonParser, type Token } from 'stream-json/core/parser.js';

export type { Token };

/** Text that is held to find the offset of a mistake in. */
const MAX_HELD = 256 * 1024;

interface Mistake {
  readonly message: string;
  readonly cause?: unknown;
}

export interface Taken {
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
export class JsonText {
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

  /** Whether the text so far ends on a `}` that was a token: no other token is begun. */
  get isSettled(): boolean {
    return this.#settledOpen !== undefined && this.#heldBytes === 0;
  }

  /** Somebody else has read so many bytes behind the settled point: whole elements of the container that is open there. */
  skip(bytes: number): void {
    this.#settledBytes += bytes;
  }

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

/**
 * The library's parser: the tokens of a text that comes in pieces; throws where it is no JSON. Its synchronous core: 150 ms
 * for 10 MB, where the library's streams of single tokens take seconds.
 */
function createParser(): (text: string) => readonly Token[] {
  const parse = jsonParser({ streamValues: false });
  return (text) => {
    const out = parse(text);
    return out === none ? [] : getManyValues(out);
  };
}
