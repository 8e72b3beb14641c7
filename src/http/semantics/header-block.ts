/** Header fields as finished bytes: checked once, written with one call into the library. */
import assert from 'node:assert/strict';

/**
 * Fields of an answer. `uWebSockets.js` writes a name, `": "`, a value and CRLF without looking at them, so
 * all fields but the first name travel as one value: one call instead of nine, a tenth of a small answer's time.
 */
export interface HeaderBlock {
  readonly firstName: Uint8Array;
  readonly rest: Uint8Array;
  /** What `Content-Encoding` says of the content. */
  readonly coding: ContentCoding;
}

/** The content codings that answers have. */
export const CONTENT_CODINGS = ['identity', 'gzip'] as const;
export type ContentCoding = (typeof CONTENT_CODINGS)[number];

export type HeaderField = readonly [name: string, value: string];

const FIELD_NAME = /^[A-Za-z][A-Za-z0-9-]*$/;

/** Printable ASCII: the one place where a CR or LF would become another field (RFC 9110 §5.5). */
const FIELD_VALUE = /^[\x20-\x7e]*$/;

export function headerBlock(fields: readonly HeaderField[]): HeaderBlock {
  for (const [name, value] of fields) {
    assert(FIELD_NAME.test(name), `not a field name: ${JSON.stringify(name)}`);
    assert(FIELD_VALUE.test(value), `not a field value: ${JSON.stringify(value)}`);
  }
  const [first, ...others] = fields;
  assert(first, 'an answer has at least one header field');
  const lines = [first[1], ...others.map(([name, value]) => `${name}: ${value}`)];
  const isCoded = fields.some(([name]) => name.toLowerCase() === 'content-encoding');
  return {
    firstName: Buffer.from(first[0]),
    rest: Buffer.from(lines.join('\r\n')),
    coding: isCoded ? 'gzip' : 'identity',
  };
}
