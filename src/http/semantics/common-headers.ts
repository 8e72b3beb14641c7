/** Header fields that many answers share (contract §6, "HTTP" and "Proof of what was received"). */
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
  'X-Record-Count',
  'X-Snapshot-Id',
].join(', ');

/** On every answer of every status. */
export const CROSS_ORIGIN: readonly HeaderField[] = [
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', EXPOSED],
  ['X-Content-Type-Options', 'nosniff'],
];

export const JSON_TYPE: HeaderField = ['Content-Type', 'application/json'];

export const NO_STORE: HeaderField = ['Cache-Control', 'no-store'];

/** Where a client reads on (RFC 8631, RFC 8288); relative to whatever it asked. */
export const LINK: HeaderField = [
  'Link',
  [
    '</openapi.json>; rel="service-desc"; type="application/json"',
    '</legal/license>; rel="license"',
    '</api/v1/data-dictionary>; rel="describedby"; type="application/json"',
  ].join(', '),
];

/** Whether answers of this path say where to read on: those of the high-value-dataset API do. */
export function isLinked(path: string): boolean {
  return path.startsWith('/api/v1/');
}
