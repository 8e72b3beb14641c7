/**
 * Limits the length of replies from a Redis server. The library accepts any length, so a broken or hostile server could
 * use up all memory. Each reply is therefore measured as it arrives, before the library receives it.
 */

/** Limit of a reply. The longest are a chunk, a named object, a scan of an index, and the slots of a cluster. */
const REPLY_BYTES_MAX = 8 * 1024 * 1024;

/** Limit of a line that states a length: a type, a sign, 19 digits and a line end. */
const LENGTH_LINE_MAX = 24;

/** Measures the replies on one connection (RESP 2). */
export class ReplyLimit {
  /** Bytes that the reply may still have; each announced item counts as at least one byte. */
  #left = REPLY_BYTES_MAX;
  /** Items of the reply that are not complete. */
  #items = 1;
  /** Bytes of the current string that have not arrived, with its line end. */
  #skip = 0;
  /** The received part of a line: a complete length, or the beginning of any other text. */
  #line = '';

  /** @throws {Error} for a reply that is too long, or malformed. */
  check(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) {
      if (this.#skip > 0) {
        const skipped = Math.min(this.#skip, chunk.length - at);
        at += skipped;
        this.#skip -= skipped;
        if (this.#skip === 0) this.#endItem();
        continue;
      }
      const end = chunk.indexOf('\n', at);
      const next = end === -1 ? chunk.length : end + 1;
      this.#take(next - at);
      if (this.#line.length <= LENGTH_LINE_MAX) {
        this.#line += chunk.toString('latin1', at, Math.min(next, at + LENGTH_LINE_MAX + 1));
      }
      at = next;
      if (end !== -1) this.#endLine();
    }
  }

  #endLine(): void {
    const line = this.#line;
    this.#line = '';
    if (/^[+-]/.test(line)) {
      this.#endItem();
      return;
    }
    const [, type, number] = /^([:$*])(-?\d{1,19})\r\n$/.exec(line) ?? [];
    if (type === undefined) throw new Error('its answer is not of the protocol (RESP 2)');
    const length = Number(number);
    if (type === ':' || length < 0) this.#endItem();
    else if (type === '$') {
      this.#take(length + 2);
      this.#skip = length + 2;
    } else {
      this.#take(length);
      this.#items += length;
      this.#endItem();
    }
  }

  #endItem(): void {
    this.#items -= 1;
    if (this.#items > 0) return;
    this.#items = 1;
    this.#left = REPLY_BYTES_MAX;
  }

  #take(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw new Error(`its answer has more than ${REPLY_BYTES_MAX} bytes`);
  }
}
