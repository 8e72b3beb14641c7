/** Header fields of answers as the OpenAPI document describes them. */
import { examplePlace, type HeaderExample } from '../../../views/openapi/places.js';
import { COUNT, TEXT, type Schema } from '../../../views/openapi/json-schema.js';

interface HeaderText {
  readonly description: string;
  readonly schema: Schema;
  /** A value, or which of a snapshot's examples is one. */
  readonly example?: { readonly value: string | number } | { readonly place: HeaderExample };
  /** Not on every answer that it is described of. */
  readonly sometimes?: true;
}

function text(description: string, value: string, pattern?: string): HeaderText {
  const schema = pattern === undefined ? TEXT : { ...TEXT, pattern };
  return { description, schema, example: { value } };
}

function placed(description: string, place: HeaderExample, schema: Schema = TEXT): HeaderText {
  return { description, schema, example: { place } };
}

const HTTP_DATE = { ...TEXT, pattern: '^\\w{3}, \\d\\d \\w{3} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT$' };

/** Names as in `components.headers`; the field's own name is what comes before a blank. */
const HEADERS = {
  ETag: placed('Changes with the snapshot.', 'entityTag', { ...TEXT, pattern: '^W/"[^"]+"$' }),
  'ETag of a document': text('Changes with the document.', 'W/"0123456789abcdef"', '^W/"[^"]+"$'),
  'ETag of a file': placed('Strong: the SHA-256 of the file.', 'fileEntityTag', {
    ...TEXT,
    pattern: '^"[0-9a-f]{64}"$',
  }),
  'Last-Modified': placed('When the snapshot was made.', 'lastModified', HTTP_DATE),
  'Cache-Control': text(
    'How long caches may keep it.',
    'public, max-age=60, stale-while-revalidate=600',
  ),
  'Cache-Control of an error': text('Not to be kept.', 'no-store', '^no-store$'),
  Vary: text('What else the form of the answer depends on.', 'Accept-Encoding'),
  'Content-Encoding': {
    ...text('Where the client accepts it and it makes the body smaller.', 'gzip', '^gzip$'),
    sometimes: true,
  },
  'Content-Language': text('Of the page.', 'en', '^(sr-Latn|sr-Cyrl|en)$'),
  'Content-Security-Policy': text(
    'What the page may load: from this service and nobody else.',
    "default-src 'none'",
  ),
  'Cross-Origin-Opener-Policy': text('For browsers.', 'same-origin'),
  'Permissions-Policy': text('For browsers.', 'geolocation=()'),
  'Referrer-Policy': text('For browsers.', 'strict-origin-when-cross-origin'),
  'X-Frame-Options': text('For browsers.', 'DENY'),
  'Content-Length': {
    description: 'Bytes of the body, always known beforehand.',
    schema: COUNT,
  },
  'X-Snapshot-Id': placed('The snapshot that the answer is wholly made from.', 'snapshotId', {
    ...TEXT,
    pattern: '^[A-Za-z0-9._-]{1,128}$',
  }),
  'X-Record-Count': placed(
    'Records in the body: a download that was cut off is noticed.',
    'recordCount',
    COUNT,
  ),
  'Content-Disposition': placed('Suggests a file name.', 'streamDisposition'),
  'Content-Disposition of a file': text(
    'Suggests the name of the file.',
    `attachment; filename="stations.csv"; filename*=UTF-8''stations.csv`,
  ),
  'Content-Disposition of an export': text(
    'Suggests the name of the file.',
    'attachment; filename="bura_1_1_1_7d.csv"',
  ),
  'Accept-Ranges': text('Parts of the file can be asked for.', 'bytes', '^bytes$'),
  'Content-Range': placed('Which bytes these are, and of how many.', 'filePart', {
    ...TEXT,
    pattern: '^bytes \\d+-\\d+/\\d+$',
  }),
  'Content-Range of a refusal': placed('How many bytes the file has.', 'fileSize', {
    ...TEXT,
    pattern: '^bytes \\*/\\d+$',
  }),
  'X-Content-SHA256': placed(
    'SHA-256 of the whole file, hexadecimal; the `sha256` of the index.',
    'fileSha256',
    { ...TEXT, pattern: '^[0-9a-f]{64}$' },
  ),
  'Repr-Digest': placed('SHA-256 of the whole file (RFC 9530).', 'fileDigest', {
    ...TEXT,
    pattern: '^sha-256=:[A-Za-z0-9+/]{43}=:$',
  }),
  Link: text(
    'Description of the service, licence, data dictionary (RFC 8288).',
    '</openapi.json>; rel="service-desc"',
  ),
  Location: text('Where it is.', '/api/v1/dcat'),
  'Retry-After': {
    description: 'Seconds after which to try again.',
    schema: COUNT,
    example: { value: 5 },
  },
  Allow: text('Methods that are answered.', 'GET, HEAD, OPTIONS'),
  'Access-Control-Allow-Origin': text('Any origin may read the answer.', '*', '^\\*$'),
  'Access-Control-Expose-Headers': text(
    'Header fields that a script may read.',
    'ETag, X-Snapshot-Id',
  ),
  'X-Content-Type-Options': text('The media type is what it says.', 'nosniff', '^nosniff$'),
} as const satisfies Readonly<Record<string, HeaderText>>;

export type HeaderName = keyof typeof HEADERS;

/** On every answer of every status. */
export const EVERYWHERE: readonly HeaderName[] = [
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'X-Content-Type-Options',
];

const NAMES = Object.keys(HEADERS) as readonly HeaderName[];

/** For `components.headers`, whose names have no blanks. */
export function viewHeaders(): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    NAMES.map((name) => [componentName(name), viewHeader(name, !('sometimes' in HEADERS[name]))]),
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
  const value = example && ('value' in example ? example.value : examplePlace(example.place));
  return { description, required, schema, ...(value !== undefined && { example: value }) };
}

function fieldName(name: HeaderName): string {
  return name.split(' ')[0] ?? name;
}

function componentName(name: HeaderName): string {
  return name.replaceAll(' ', '_');
}
