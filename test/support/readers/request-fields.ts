/** The header fields of a request that has none but `Host`. */
import type { RequestFields } from '../../../src/http/semantics/request.js';

export const FIELDS: RequestFields = {
  acceptEncoding: '',
  ifNoneMatch: '',
  ifModifiedSince: '',
  ifMatch: '',
  ifRange: '',
  range: '',
  lastEventId: '',
  host: 'a.example',
  forwardedHost: '',
  forwardedProto: '',
  forwardedFor: '',
  content: 'none',
};
