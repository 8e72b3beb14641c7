/** A request as the rest of the service sees it. */
import type { FileRequest } from './range.js';

/** Raw texts, which can be read only until the handler returns. */
export interface PlainRequest {
  /** Case-sensitive (RFC 9110 §9.1). */
  readonly method: string;
  readonly path: string;
  /** The query without its question mark; empty without a query. */
  readonly query: string;
  readonly fields: RequestFields;
  /** The client to whose limits the request counts (`wire/clients.ts`); each read is costly. */
  readonly client: string;
}

/** Header fields of a request; missing ones are empty. */
export interface RequestFields extends FileRequest {
  readonly accept: string;
  readonly acceptEncoding: string;
  readonly acceptLanguage: string;
  readonly lastEventId: string;
  readonly host: string;
  readonly forwardedHost: string;
  readonly forwardedProto: string;
  readonly forwardedFor: string;
  /**
   * Whether content is stated (RFC 9112 §6.3); `malformed`: two readers could understand its length or its host
   * differently.
   */
  readonly content: 'none' | 'stated' | 'malformed';
}
