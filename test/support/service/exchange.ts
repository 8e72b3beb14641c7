/** HTTP/1.1 as bytes: a request as it is sent, and a strict reader of answers (RFC 9112). */

export interface Request {
  readonly method?: string;
  /** The request target in the request line; text is sent as UTF-8. */
  readonly target: string | Uint8Array;
  readonly fields?: Readonly<Record<string, string>>;
}

interface AnswerHead {
  readonly status: number;
  /** The status line without the HTTP version: `200 OK`. */
  readonly statusLine: string;
  /** Header fields in their order, with their names as sent. */
  readonly fields: readonly (readonly [name: string, value: string])[];
}

export interface Answer extends AnswerHead {
  readonly body: Buffer;
}

const STATUS_LINE = /^HTTP\/1\.1 ((\d{3}) [ -~]*)$/;
const FIELD_LINE = /^([A-Za-z][A-Za-z0-9-]*): ([ -~]*)$/;
const END_OF_HEAD = '\r\n\r\n';
const FIRST_BYTES = 64 * 1024;

export function requestBytes({ method = 'GET', target, fields = {} }: Request): Buffer {
  const all = Object.entries({ Host: 'localhost', ...fields });
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const parts = [`${method} `, target, ` HTTP/1.1\r\n${lines}\r\n`];
  return Buffer.concat(parts.map((part) => Buffer.from(part)));
}

/** The value of a field that must not repeat; undefined without it. */
export function fieldOf({ fields }: Pick<Answer, 'fields'>, name: string): string | undefined {
  const found = fields.filter(([one]) => one.toLowerCase() === name.toLowerCase());
  if (found.length > 1) throw new Error(`${name} repeats: ${JSON.stringify(found)}`);
  return found[0]?.[1];
}

/**
 * Reads the answers of one connection, one request at a time, into reused memory: thousands of buffers a second would
 * keep the collector busy.
 */
export class AnswerReader {
  #memory = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #used = 0;
  #head: AnswerHead | undefined;
  #bodyStart = 0;
  #bodyEnd = Infinity;

  /** The answer, after its last byte; the next call may overwrite its body. @throws {Error} for bytes after the end. */
  read(chunk: Uint8Array, isHead = false): Answer | undefined {
    this.#append(chunk);
    if (this.#head === undefined) this.#readHead(isHead);
    if (this.#head === undefined || this.#used < this.#bodyEnd) return undefined;
    if (this.#used > this.#bodyEnd) {
      throw new Error(`bytes after the end: ${this.shown(this.#bodyEnd)}`);
    }
    return this.#taken(this.#head);
  }

  /** The answer without a stated length, which the end of the connection ends; undefined without one. */
  end(): Answer | undefined {
    if (this.#head === undefined || this.#bodyEnd !== Infinity) return undefined;
    this.#bodyEnd = this.#used;
    return this.#taken(this.#head);
  }

  shown(from = 0): string {
    return JSON.stringify(this.#memory.toString('latin1', from, Math.min(this.#used, from + 200)));
  }

  #taken(head: AnswerHead): Answer {
    const answer = { ...head, body: this.#memory.subarray(this.#bodyStart, this.#bodyEnd) };
    this.#head = undefined;
    this.#used = 0;
    this.#bodyEnd = Infinity;
    return answer;
  }

  #readHead(isHead: boolean): void {
    const end = this.#memory.subarray(0, this.#used).indexOf(END_OF_HEAD);
    if (end < 0) return;
    this.#head = parseHead(this.#memory.toString('latin1', 0, end));
    this.#bodyStart = end + END_OF_HEAD.length;
    this.#bodyEnd = this.#bodyStart + bodyBytesOf(this.#head, isHead);
    if (this.#bodyEnd !== Infinity) this.#reserve(this.#bodyEnd);
  }

  #append(chunk: Uint8Array): void {
    this.#reserve(this.#used + chunk.length);
    this.#memory.set(chunk, this.#used);
    this.#used += chunk.length;
  }

  #reserve(bytes: number): void {
    if (bytes <= this.#memory.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(bytes, 2 * this.#memory.length));
    this.#memory.copy(larger, 0, 0, this.#used);
    this.#memory = larger;
  }
}

function parseHead(text: string): AnswerHead {
  const [first = '', ...lines] = text.split('\r\n');
  const [, statusLine, status] = STATUS_LINE.exec(first) ?? [];
  if (statusLine === undefined) throw new Error(`not a status line: ${JSON.stringify(first)}`);
  const fields = lines.map((line): readonly [string, string] => {
    const [, name, value = ''] = FIELD_LINE.exec(line) ?? [];
    if (name === undefined) throw new Error(`not a field line: ${JSON.stringify(line)}`);
    return [name, value];
  });
  return { status: Number(status), statusLine, fields };
}

/** RFC 9112 §6.3; the library's own refusals have a body without a stated length, for HEAD too. */
function bodyBytesOf(head: AnswerHead, isHead: boolean): number {
  if (head.status === 204 || head.status === 304) return 0;
  const length = fieldOf(head, 'content-length');
  if (length === undefined) return Infinity;
  return isHead ? 0 : Number(length);
}
