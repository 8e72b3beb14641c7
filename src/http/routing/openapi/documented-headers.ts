/** Header fields of answers as the OpenAPI document describes them, each with an example. */
import type { JsonValue } from '../../../snapshot/domain/model.js';
import { LANGUAGES } from '../../../texts/texts.js';
import { COUNT, TEXT, type Schema } from '../../../views/openapi/json-schema.js';

interface HeaderText {
  readonly description: string;
  readonly schema: Schema;
  /** Undefined where one is recorded from the demonstration data, or none is needed. */
  readonly example?: string | number;
  /** Not on every answer that it is described of. */
  readonly sometimes?: true;
}

function text(description: string, value: string, pattern?: string): HeaderText {
  const schema = pattern === undefined ? TEXT : { ...TEXT, pattern };
  return { description, schema, example: value };
}

/** Of a value that differs between snapshots: its example is recorded. */
function recorded(description: string, schema: Schema = TEXT): HeaderText {
  return { description, schema };
}

const HTTP_DATE = { ...TEXT, pattern: '^\\w{3}, \\d\\d \\w{3} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT$' };

/** Names as in `components.headers`; the field's own name is what comes before a blank. */
const HEADERS = {
  ETag: recorded('Changes with the snapshot.', { ...TEXT, pattern: '^W/"[^"]+"$' }),
  'ETag of a static resource': text(
    'Changes with the document.',
    'W/"0123456789abcdef"',
    '^W/"[^"]+"$',
  ),
  'ETag of a file': recorded(
    'Strong: the SHA-256 of the file, or of its gzip form where `Content-Encoding` says so.',
    { ...TEXT, pattern: '^"[0-9a-f]{64}"$' },
  ),
  'Last-Modified': {
    description:
      'When the snapshot was activated: for `If-Modified-Since`. `If-Range` takes the entity-tag alone.',
    schema: HTTP_DATE,
    example: 'Mon, 09 Feb 2026 00:05:00 GMT',
    sometimes: true,
  },
  'Cache-Control': text(
    'How long caches may keep it.',
    'public, max-age=60, stale-while-revalidate=600',
  ),
  'Cache-Control of an error': text('Not to be kept.', 'no-store', '^no-store$'),
  Vary: text('What else the form of the answer depends on.', 'Accept-Encoding'),
  'Vary of a file': {
    ...text('Where the file has a gzip form.', 'Accept-Encoding', '^Accept-Encoding$'),
    sometimes: true,
  },
  'Content-Encoding': {
    ...text('Where the client accepts it and it makes the body smaller.', 'gzip', '^gzip$'),
    sometimes: true,
  },
  'Content-Language': text('Of the page.', 'en', `^(${LANGUAGES.join('|')})$`),
  'Content-Security-Policy': text(
    'What the page may load: from this service and nobody else.',
    "default-src 'none'",
  ),
  'Cross-Origin-Opener-Policy': text('For browsers.', 'same-origin'),
  'Cross-Origin-Resource-Policy': text('Any site may show it.', 'cross-origin'),
  'Permissions-Policy': text('For browsers.', 'geolocation=()'),
  'Referrer-Policy': text('For browsers.', 'strict-origin-when-cross-origin'),
  'X-Frame-Options': text('For browsers.', 'DENY'),
  'Content-Length': {
    description: 'Bytes of the body, always known beforehand.',
    schema: COUNT,
  },
  'X-Snapshot-Id': recorded('The snapshot that the answer is wholly made from.', {
    ...TEXT,
    pattern: '^[A-Za-z0-9._-]{1,128}$',
  }),
  'X-Record-Count': recorded('Records in the body: a download that was cut off is noticed.', COUNT),
  'Content-Disposition': recorded('Suggests a file name.'),
  'Content-Disposition of a file': text(
    'Suggests the name of the file.',
    `attachment; filename="stations.csv"; filename*=UTF-8''stations.csv`,
  ),
  'Content-Disposition of an export': text(
    'Suggests the name of the file.',
    'attachment; filename="bura_1_1_1_7d.csv"',
  ),
  'Accept-Ranges': text('Parts of the file can be asked for.', 'bytes', '^bytes$'),
  'Content-Range': recorded('Which bytes these are, and of how many.', {
    ...TEXT,
    pattern: '^bytes \\d+-\\d+/\\d+$',
  }),
  'Content-Range of a refusal': recorded('How many bytes the file has.', {
    ...TEXT,
    pattern: '^bytes \\*/\\d+$',
  }),
  'X-Content-SHA256': recorded(
    'SHA-256 of the whole file, unpacked, hexadecimal; the `sha256` of the index.',
    { ...TEXT, pattern: '^[0-9a-f]{64}$' },
  ),
  'Repr-Digest': recorded(
    'SHA-256 of the whole file, or of its gzip form where `Content-Encoding` says so (RFC 9530).',
    { ...TEXT, pattern: '^sha-256=:[A-Za-z0-9+/]{43}=:$' },
  ),
  Link: text(
    'Description of the service, licence, data dictionary (RFC 8288).',
    '</openapi.json>; rel="service-desc"',
  ),
  Location: text('Where it is.', '/api/v1/dcat'),
  'Retry-After': {
    description: 'Seconds after which to try again.',
    schema: COUNT,
    example: 5,
  },
  Allow: text('Methods that are answered.', 'GET, HEAD, OPTIONS'),
  'Access-Control-Allow-Origin': text('Any origin may read the answer.', '*', '^\\*$'),
  'Access-Control-Expose-Headers': text(
    'Header fields that a script may read.',
    'ETag, X-Snapshot-Id',
  ),
  'X-Ignored-Parameters': {
    ...text('Names in the query that mean nothing here, escaped as in a URL.', 'station'),
    sometimes: true,
  },
  'X-Content-Type-Options': text('The media type is what it says.', 'nosniff', '^nosniff$'),
} as const satisfies Readonly<Record<string, HeaderText>>;

export type HeaderName = keyof typeof HEADERS;

/** On every answer of every status. */
export const EVERYWHERE: readonly HeaderName[] = [
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'X-Content-Type-Options',
  'X-Ignored-Parameters',
];

/** On every page. */
export const PAGE_HEADERS: readonly HeaderName[] = [
  'Content-Language',
  'Content-Security-Policy',
  'Cross-Origin-Opener-Policy',
  'Permissions-Policy',
  'Referrer-Policy',
  'X-Frame-Options',
];

const NAMES = Object.keys(HEADERS) as readonly HeaderName[];

/** Recorded values by the names of this table. */
export type HeaderExamples = Readonly<Record<string, JsonValue>>;

/** For `components.headers`, whose names have no blanks. */
export function viewHeaders(examples: HeaderExamples): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    NAMES.map((name) => {
      const { example, ...header } = viewHeader(name, !('sometimes' in HEADERS[name]));
      const value = example ?? examples[name];
      return [componentName(name), { ...header, ...(value !== undefined && { example: value }) }];
    }),
  );
}

/** For the `headers` of a response. */
export function headerReferences(names: readonly HeaderName[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    names.map((name) => [fieldName(name), { $ref: `#/components/headers/${componentName(name)}` }]),
  );
}

/** The same for fields that not every answer of the response has. */
export function optionalHeaders(names: readonly HeaderName[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.map((name) => [fieldName(name), viewHeader(name, false)]));
}

function viewHeader(name: HeaderName, required: boolean): Readonly<Record<string, unknown>> {
  const { description, schema, example }: HeaderText = HEADERS[name];
  return { description, required, schema, ...(example !== undefined && { example }) };
}

function fieldName(name: HeaderName): string {
  return name.split(' ')[0] ?? name;
}

function componentName(name: HeaderName): string {
  return name.replaceAll(' ', '_');
}
