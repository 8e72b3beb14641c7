/** Header fields that many answers share (`docs/http-api/requests.md, "Methods and CORS"`). */
import { DATASET_LINKS, type Link } from '../../views/hvd/descriptor.js';
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

export const NO_STORE = 'no-store';

/** Caches may use an answer for a minute, and then while they renew it (docs/http-api/answers.md, "Caching"). */
export const FOR_A_MINUTE = 'public, max-age=60, stale-while-revalidate=600';

/** For content whose address contains its digest (RFC 8246). */
export const IMMUTABLE = 'public, max-age=31536000, immutable';

/** Links to the API description, the licence and the data dictionary (RFC 8631, RFC 8288), relative to the target. */
const API_LINKS: readonly Link[] = [
  ['service-desc', '/openapi.json', 'application/json'],
  ['license', '/legal/license'],
  ['describedby', '/api/v1/data-dictionary', 'application/json'],
];

/** The links of the API, and further ones. */
export function linkField(links: readonly Link[] = []): HeaderField {
  const values = [...API_LINKS, ...links].map(([relation, path, mediaType]) => {
    const type = mediaType === undefined ? '' : `; type="${mediaType}"`;
    return `<${PATH_PREFIX}${path}>; rel="${relation}"${type}`;
  });
  return ['Link', values.join(', ')];
}

export const LINK = linkField();

/** Descriptions of the dataset link to each other too. */
export const DATASET_LINK = linkField(DATASET_LINKS);

/** Header fields of an answer of the high-value-dataset API that suggests the name of a file (RFC 6266). */
export function fileFields(
  mediaType: string,
  name: string,
  disposition: 'attachment' | 'inline' = 'attachment',
): readonly HeaderField[] {
  return [
    ['Content-Type', mediaType],
    ['Content-Disposition', `${disposition}; filename="${name}"`],
    LINK,
  ];
}
