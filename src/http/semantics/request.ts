/** A request as the rest of the service sees it. */
import type { Conditions } from './representation.js';

/** Raw texts, to be read before the handler returns. */
export interface PlainRequest {
  /** Case-sensitive (RFC 9110 §9.1). */
  readonly method: string;
  readonly path: string;
  /** Without its question mark; empty without a query. */
  readonly query: string;
  readonly fields: RequestFields;
  /** The client that limits count the request for (`wire/clients.ts`); costly to read. */
  readonly client: string;
}

/** Missing fields are empty. */
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
  /** Whether content is stated (RFC 9112 §6.3), or with a length that two readers could understand differently. */
  readonly content: 'none' | 'stated' | 'malformed';
}
