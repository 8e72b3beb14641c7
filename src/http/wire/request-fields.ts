/** Reads the header fields that shape an answer, in one pass. */
import type { RequestFields } from '../semantics/request.js';
import type { HttpRequest } from './uwebsockets.js';

type Fields = { -readonly [Name in keyof RequestFields]: RequestFields[Name] } & {
  length: string | undefined;
  coding: string | undefined;
};

/** Characters of a host with a port (RFC 9112 §3.2, RFC 3986 §3.2.2), without the comma that joins two `Host` fields. */
const HOST = /^[\w.~!$&'()*+;=%:[\]-]*$/;

/** Fields of the request that is being read, for the callback: a closure for each request costs 1 µs. */
let fields: Fields;

/**
 * Reads all fields in one pass: a look-up by name finds neither empty nor repeated fields, and five look-ups cost as
 * much as a pass over three fields (1.2 µs).
 *
 * Repeated fields are joined as lists (RFC 9110 §5.2). Both the pass and the library's own search for a length end at a
 * field with an empty name, so that later fields are invisible.
 */
export function readRequestFields(req: Pick<HttpRequest, 'forEach'>): RequestFields {
  fields = {
    accept: '',
    acceptEncoding: '',
    acceptLanguage: '',
    ifNoneMatch: '',
    ifModifiedSince: '',
    ifMatch: '',
    ifUnmodifiedSince: '',
    ifRange: '',
    range: '',
    lastEventId: '',
    host: '',
    forwardedHost: '',
    forwardedProto: '',
    forwardedFor: '',
    content: 'none',
    length: undefined,
    coding: undefined,
  };
  req.forEach(readField);
  const { length, coding } = fields;
  if (length !== undefined || coding !== undefined) fields.content = contentOf(length, coding);
  if (!HOST.test(fields.host)) fields.content = 'malformed';
  return fields;
}

function readField(name: string, value: string): void {
  switch (name) {
    case 'host':
      fields.host = joined(fields.host, value);
      break;
    case 'accept':
      fields.accept = joined(fields.accept, value);
      break;
    case 'accept-encoding':
      fields.acceptEncoding = joined(fields.acceptEncoding, value);
      break;
    case 'accept-language':
      fields.acceptLanguage = joined(fields.acceptLanguage, value);
      break;
    case 'if-none-match':
      fields.ifNoneMatch = joined(fields.ifNoneMatch, value);
      break;
    case 'if-modified-since':
      fields.ifModifiedSince = joined(fields.ifModifiedSince, value);
      break;
    case 'if-match':
      fields.ifMatch = joined(fields.ifMatch, value);
      break;
    case 'if-unmodified-since':
      fields.ifUnmodifiedSince = joined(fields.ifUnmodifiedSince, value);
      break;
    case 'if-range':
      fields.ifRange = joined(fields.ifRange, value);
      break;
    case 'range':
      fields.range = joined(fields.range, value);
      break;
    case 'content-length':
      fields.length = repeated(fields.length, value);
      break;
    case 'transfer-encoding':
      fields.coding = repeated(fields.coding, value);
      break;
    default:
      readSeldom(name, value);
  }
}

function readSeldom(name: string, value: string): void {
  switch (name) {
    case 'last-event-id':
      fields.lastEventId = joined(fields.lastEventId, value);
      break;
    case 'x-forwarded-host':
      fields.forwardedHost = joined(fields.forwardedHost, value);
      break;
    case 'x-forwarded-proto':
      fields.forwardedProto = joined(fields.forwardedProto, value);
      break;
    case 'x-forwarded-for':
      fields.forwardedFor = joined(fields.forwardedFor, value);
      break;
  }
}

function joined(list: string, value: string): string {
  return list === '' ? value : `${list},${value}`;
}

/** Joins empty values too, so that a second length is never taken for the only one. */
function repeated(list: string | undefined, value: string): string {
  return list === undefined ? value : `${list},${value}`;
}

/** Whether the request has content. At least one of `length` and `coding` is defined. */
function contentOf(
  length: string | undefined,
  coding: string | undefined,
): RequestFields['content'] {
  if (coding !== undefined) {
    return length === undefined && coding.toLowerCase() === 'chunked' ? 'stated' : 'malformed';
  }
  // Some libraries state a length of 0 on every request.
  if (length === '0') return 'none';
  return /^\d+$/.test(length ?? '') ? 'stated' : 'malformed';
}
