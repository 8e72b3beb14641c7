/** The reference that most teams would write: Fastify, with parameters checked by schemas, and the answers of a local copy. */
import { fastify, type FastifyReply, type FastifyRequest } from 'fastify';
import { open, type Database } from 'lmdb';
import { serveOrder } from './reference.js';

/** What it is measured with, beside `/measurements`. */
const LISTS = ['meta', 'stations'];
const ID = { type: 'integer', minimum: 0 } as const;
const SERIES_PARAMETERS = {
  type: 'object',
  required: ['organization_id', 'station_id', 'component_id'],
  properties: {
    organization_id: ID,
    station_id: ID,
    component_id: ID,
    window: { enum: ['1h', '1d', '7d', '14d', '30d'], default: '1d' },
  },
} as const;

interface Series {
  readonly organization_id: number;
  readonly station_id: number;
  readonly component_id: number;
  readonly window: string;
}

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

/** The answers in a local copy of the service, read with lmdb as anybody would who has the file and knows its tables. */
class LocalCopy {
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
function fieldsOf(etag: string, isGzip: boolean): Readonly<Record<string, string>> {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'public, max-age=60, stale-while-revalidate=600',
    ETag: etag,
    Vary: 'Accept-Encoding',
    ...(isGzip ? { 'Content-Encoding': 'gzip' } : {}),
  };
}

serveOrder(async ({ directory, etag }: LocalCopyOrder) => {
  const copy = new LocalCopy(directory);
  const app = fastify({ logger: false, keepAliveTimeout: 0 });
  const send = (request: FastifyRequest, reply: FastifyReply, name: string): FastifyReply => {
    const found = copy.find(name, request.headers['accept-encoding']);
    if (found === undefined) return reply.code(404).send({ error: 'not found' });
    if (request.headers['if-none-match'] === etag) {
      return reply.code(304).headers(fieldsOf(etag, false)).send();
    }
    return reply.headers(fieldsOf(etag, found.isGzip)).send(found.body);
  };
  for (const name of LISTS) {
    app.get(`/${name}`, (request, reply) => send(request, reply, name));
  }
  app.get<{ Querystring: Series }>(
    '/measurements',
    { schema: { querystring: SERIES_PARAMETERS } },
    (request, reply) => {
      const { organization_id, station_id, component_id, window } = request.query;
      return send(request, reply, `${organization_id}/${station_id}/${component_id}/${window}`);
    },
  );
  return Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
});
