/** The server that most teams would write: Fastify, with schemas for parameters, and the answers of a local copy. */
import { fastify, type FastifyReply, type FastifyRequest } from 'fastify';
import { open } from 'lmdb';
import { serveOrder } from './reference.js';

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

type Series = Readonly<Record<keyof typeof SERIES_PARAMETERS.properties, string | number>>;

/** The service puts a checksum before each value; a reader that trusts the file skips it. */
const CHECKSUM_BYTES = 4;

export interface LocalCopyOrder {
  /** The folder of a local copy that is no longer written. */
  readonly directory: string;
  readonly etag: string;
}

/** Reads the local copy with lmdb, as any program could that knows its tables. */
serveOrder(async ({ directory: path, etag }: LocalCopyOrder) => {
  const encoding = 'binary';
  const root = open({ path, encoding, readOnly: true, maxDbs: 6, noSubdir: false });
  const identity = root.openDB<Buffer, string>({ name: 'answers', encoding });
  const compressed = root.openDB<Buffer, string>({ name: 'answers.gzip', encoding });
  const app = fastify({ logger: false, keepAliveTimeout: 0 });
  const send = (request: FastifyRequest, reply: FastifyReply, name: string): FastifyReply => {
    const wantsGzip = request.headers['accept-encoding']?.includes('gzip') === true;
    const gzip = wantsGzip ? compressed.getBinary(name) : undefined;
    const body = gzip ?? identity.getBinary(name);
    if (body === undefined) return reply.code(404).send({ error: 'not found' });
    void reply.headers({
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'public, max-age=60, stale-while-revalidate=600',
      ETag: etag,
      Vary: 'Accept-Encoding',
      ...(gzip === undefined ? {} : { 'Content-Encoding': 'gzip' }),
    });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return reply.send(body.subarray(CHECKSUM_BYTES));
  };
  for (const name of ['meta', 'stations']) {
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
