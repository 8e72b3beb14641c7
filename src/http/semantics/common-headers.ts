/** Header fields that many answers share (`docs/http-api/requests.md, "Methods and CORS"`). */
import type { HeaderField } from './header-block.js';

/** What a script in a browser may read of an answer. */
const EXPOSED = [
  'ETag',
  'Content-Length',
  'Content-Range',
  'Accept-Ranges',
  'Content-Disposition',
  'Last-Modified',
  'Link',
  'Retry-After',
  'Repr-Digest',
  'X-Content-SHA256',
  'X-Ignored-Parameters',
  'X-Record-Count',
  'X-Snapshot-Id',
  'X-Unknown-Values',
].join(', ');

/** Fields of every answer, whatever its status. */
export const CROSS_ORIGIN: readonly HeaderField[] = [
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', EXPOSED],
  ['X-Content-Type-Options', 'nosniff'],
];

export const JSON_TYPE: HeaderField = ['Content-Type', 'application/json'];

export const NO_STORE: HeaderField = ['Cache-Control', 'no-store'];

/** Links to the API description, the licence and the data dictionary (RFC 8631, RFC 8288), relative to the request's target. */
export const LINK: HeaderField = [
  'Link',
  [
    '</openapi.json>; rel="service-desc"; type="application/json"',
    '</legal/license>; rel="license"',
    '</api/v1/data-dictionary>; rel="describedby"; type="application/json"',
  ].join(', '),
];

/** Whether answers of this path have a `Link` field: those of the high-value-dataset API do. */
export function isLinked(path: string): boolean {
  return path.startsWith('/api/v1/');
}
