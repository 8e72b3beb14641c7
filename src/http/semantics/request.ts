/** A request as the rest of the service sees it: what was typed, and the header fields that shape an answer. */
import type { Conditions } from './representation.js';

/** Texts are as the client typed them, escapes and all; to be read in the request's own turn of the event loop. */
export interface PlainRequest {
  /** Case-sensitive (RFC 9110 §9.1). */
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Without its question mark; empty without a query. */
  readonly query: string;
  readonly fields: RequestFields;
  /** The client that limits count the request for (`wire/clients.ts`); costly to read. */
  readonly client: string;
}

/** Values are empty where the request has no such field. */
export interface RequestFields extends Conditions {
  readonly accept: string;
  readonly acceptEncoding: string;
  readonly acceptLanguage: string;
  readonly ifMatch: string;
  readonly ifRange: string;
  readonly range: string;
  readonly lastEventId: string;
  readonly host: string;
  readonly forwardedHost: string;
  readonly forwardedProto: string;
  readonly forwardedFor: string;
  /**
   * Whether the request states content (RFC 9112 §6.3), or states a length that two readers could understand
   * differently.
   */
  readonly content: 'none' | 'stated' | 'malformed';
}
