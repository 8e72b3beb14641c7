/** Header fields of answers that programs read, described once for the OpenAPI document. */
import { COUNT, TEXT, type Schema } from '../../views/openapi/json-schema.js';

interface Header {
  readonly description: string;
  readonly schema: Schema;
  /** Whether the field is in every answer that documents it; default: only in some. */
  readonly required?: true;
}

/** Keys are also the names in `components.headers`. */
export const HEADER_COMPONENTS = {
  ETag: {
    description:
      'Changes with the answer: for `If-None-Match`. Of a file it is strong: its SHA-256, or that of its gzip form where `Content-Encoding` says so.',
    schema: { ...TEXT, pattern: '^(?:W/)?"[^"]+"$' },
  },
  'Last-Modified': {
    description:
      'When the snapshot was activated: for `If-Modified-Since`. `If-Range` takes the entity-tag alone.',
    schema: { ...TEXT, pattern: '^\\w{3}, \\d\\d \\w{3} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT$' },
  },
  'X-Snapshot-Id': {
    description: 'The snapshot that the answer is wholly made from.',
    schema: { ...TEXT, pattern: '^[A-Za-z0-9._-]{1,128}$' },
  },
  'X-Record-Count': {
    description: 'Records in the body: a download that was cut off is noticed.',
    schema: COUNT,
    required: true,
  },
  'X-Ignored-Parameters': {
    description: 'Names in the query that mean nothing here, escaped as in a URL.',
    schema: TEXT,
  },
  'Content-Disposition': {
    description: 'Suggests the name of a file.',
    schema: TEXT,
    required: true,
  },
  'Content-Range': {
    description: 'Which bytes these are, and of how many; of a refusal only how many there are.',
    schema: { ...TEXT, pattern: '^bytes (?:\\d+-\\d+|\\*)/\\d+$' },
    required: true,
  },
  'X-Content-SHA256': {
    description: 'SHA-256 of the whole file, unpacked, hexadecimal; the `sha256` of the index.',
    schema: { ...TEXT, pattern: '^[0-9a-f]{64}$' },
    required: true,
  },
  'Repr-Digest': {
    description:
      'SHA-256 of the whole file, or of its gzip form where `Content-Encoding` says so (RFC 9530).',
    schema: { ...TEXT, pattern: '^sha-256=:[A-Za-z0-9+/]{43}=:$' },
    required: true,
  },
  Link: {
    description: 'Description of the service, licence, data dictionary (RFC 8288).',
    schema: TEXT,
  },
  Location: { description: 'Where it is.', schema: TEXT, required: true },
  'Retry-After': {
    description: 'Seconds after which to try again.',
    schema: COUNT,
    required: true,
  },
} as const satisfies Readonly<Record<string, Header>>;

export type HeaderName = keyof typeof HEADER_COMPONENTS;

/** The `headers` of a response: the named fields, and `X-Ignored-Parameters`, which every answer may have. */
export function headerReferences(names: readonly HeaderName[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    [...names, 'X-Ignored-Parameters'].map((name) => [
      name,
      { $ref: `#/components/headers/${name}` },
    ]),
  );
}
