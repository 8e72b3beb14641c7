/** The answers in a local copy of the service, read with lmdb as anybody would who has the file and knows its tables. */
import { open, type Database } from 'lmdb';

/** The service puts a checksum before each value; whoever trusts the file skips it. */
const CHECKSUM_BYTES = 4;

export interface LocalCopyOrder {
  /** The folder of one local copy, which nobody writes to any more. */
  readonly directory: string;
  readonly etag: string;
}

interface Found {
  readonly body: Buffer;
  readonly isGzip: boolean;
}

export class LocalCopy {
  readonly #identity: Database<Buffer, string>;
  readonly #gzip: Database<Buffer, string>;

  constructor(path: string) {
    const encoding = 'binary';
    const root = open({ path, encoding, readOnly: true, maxDbs: 6, noSubdir: false });
    this.#identity = root.openDB({ name: 'answers', encoding });
    this.#gzip = root.openDB({ name: 'answers.gzip', encoding });
  }

  /** The body of an answer by its name, such as `1/9/5/30d`; compressed where a client accepts that and it gains something. */
  find(name: string, acceptEncoding: string | undefined): Found | undefined {
    if (acceptEncoding?.includes('gzip') === true) {
      const body = this.#gzip.getBinary(name);
      if (body !== undefined) return { body: body.subarray(CHECKSUM_BYTES), isGzip: true };
    }
    const body = this.#identity.getBinary(name);
    return body && { body: body.subarray(CHECKSUM_BYTES), isGzip: false };
  }
}

/** The header fields that matter of the service's. */
export function fieldsOf(etag: string, isGzip: boolean): Readonly<Record<string, string>> {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'public, max-age=60, stale-while-revalidate=600',
    ETag: etag,
    Vary: 'Accept-Encoding',
    ...(isGzip ? { 'Content-Encoding': 'gzip' } : {}),
  };
}
