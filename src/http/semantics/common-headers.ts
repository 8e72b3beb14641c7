/** Header fields that many answers share (`docs/http-api/requests.md, "Methods and CORS"`). */
import type { HeaderField } from './header-block.js';
import { PATH_PREFIX } from './path-prefix.js';

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
].join(', ');

export const CROSS_ORIGIN: readonly HeaderField[] = [
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', EXPOSED],
  ['X-Content-Type-Options', 'nosniff'],
];

/** Media type of a CSV file with a line of column names (RFC 4180 §3). */
export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

export const JSON_TYPE: HeaderField = ['Content-Type', 'application/json'];

export const NO_STORE: HeaderField = ['Cache-Control', 'no-store'];

/** Caches may use an answer for a minute, and then while they renew it (docs/http-api/answers.md, "Caching"). */
export const FOR_A_MINUTE = 'public, max-age=60, stale-while-revalidate=600';

/** For content whose address contains its digest (RFC 8246). */
export const IMMUTABLE = 'public, max-age=31536000, immutable';

/** Links to the API description, the licence and the data dictionary (RFC 8631, RFC 8288), relative to the target. */
export const LINK: HeaderField = [
  'Link',
  [
    `<${PATH_PREFIX}/openapi.json>; rel="service-desc"; type="application/json"`,
    `<${PATH_PREFIX}/legal/license>; rel="license"`,
    `<${PATH_PREFIX}/api/v1/data-dictionary>; rel="describedby"; type="application/json"`,
  ].join(', '),
];

/** Whether answers of this path have a `Link` field (high-value-dataset API). */
export function isLinked(path: string): boolean {
  return path.startsWith('/api/v1/');
}
