/** The header fields of a request that shape its answer, read in one pass. */
import type { HttpRequest } from 'uWebSockets.js';
import type { Conditions } from './caching.js';

/** Texts are empty where the request has no such field. */
export interface RequestFields extends Conditions {
  readonly acceptEncoding: string;
  readonly ifMatch: string;
  readonly ifRange: string;
  readonly range: string;
  readonly host: string;
  readonly forwardedHost: string;
  readonly forwardedProto: string;
  /**
   * Whether the request states content (RFC 9112 §6.3), or states its length so that two readers could differ
   * on where it ends.
   */
  readonly content: 'none' | 'stated' | 'malformed';
}

/**
 * One pass over all fields, because looking a field up by its name finds neither one that is empty nor one that
 * repeats. Five look-ups cost as much as a pass over three fields (1.2 µs).
 *
 * Repeated fields are joined as lists are (RFC 9110 §5.2). The library ends the pass, and its own search for a
 * length, at a field with an empty name: what stands behind such a one nobody sees.
 */
export function readRequestFields(req: Pick<HttpRequest, 'forEach'>): RequestFields {
  const fields = {
    acceptEncoding: '',
    ifNoneMatch: '',
    ifModifiedSince: '',
    ifMatch: '',
    ifRange: '',
    range: '',
    host: '',
    forwardedHost: '',
    forwardedProto: '',
  };
  let length: string | undefined;
  let coding: string | undefined;
  req.forEach((name, value) => {
    const field = FIELDS.get(name);
    if (field !== undefined) fields[field] = joined(fields[field], value);
    else if (name === 'content-length')
      length = length === undefined ? value : `${length},${value}`;
    else if (name === 'transfer-encoding')
      coding = coding === undefined ? value : `${coding},${value}`;
  });
  return { ...fields, content: contentOf({ length, coding }) };
}

/** A map, because clients choose the names: an object has members that nobody put there. */
const FIELDS = new Map<string, Exclude<keyof RequestFields, 'content'>>([
  ['accept-encoding', 'acceptEncoding'],
  ['if-none-match', 'ifNoneMatch'],
  ['if-modified-since', 'ifModifiedSince'],
  ['if-match', 'ifMatch'],
  ['if-range', 'ifRange'],
  ['range', 'range'],
  ['host', 'host'],
  ['x-forwarded-host', 'forwardedHost'],
  ['x-forwarded-proto', 'forwardedProto'],
]);

function joined(list: string, value: string): string {
  return list === '' ? value : `${list},${value}`;
}

function contentOf({
  length,
  coding,
}: {
  readonly length: string | undefined;
  readonly coding: string | undefined;
}): RequestFields['content'] {
  if (length === undefined && coding === undefined) return 'none';
  if (coding !== undefined) {
    return length === undefined && coding.toLowerCase() === 'chunked' ? 'stated' : 'malformed';
  }
  // Some libraries state the length of nothing on every request.
  if (length === '0') return 'none';
  return /^\d+$/.test(length ?? '') ? 'stated' : 'malformed';
}
