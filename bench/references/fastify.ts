/** The reference that most teams would write: Fastify, with parameters checked by schemas, and the answers of a local copy. */
import { fastify, type FastifyReply, type FastifyRequest } from 'fastify';
import { fieldsOf, LocalCopy, type LocalCopyOrder } from './local-copy.js';
import { serveOrder } from './reference.js';

const LISTS = ['meta', 'organizations', 'networks', 'stations', 'components'];
const ID = { type: 'integer', minimum: 0 } as const;
const STATION_PARAMETERS = {
  type: 'object',
  properties: { organization_id: ID, station_id: ID },
} as const;
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

interface Station {
  readonly organization_id: number;
  readonly station_id: number;
}

interface Series extends Station {
  readonly component_id: number;
  readonly window: string;
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
  for (const [path, name] of [
    ['meta', 'meta'],
    ['measurements/last_hour', 'last_hour'],
    ['measurements/last_24h', 'last_24h'],
  ] as const) {
    app.get<{ Params: Station }>(
      `/:organization_id/stations/:station_id/${path}`,
      { schema: { params: STATION_PARAMETERS } },
      (request, reply) => {
        const { organization_id, station_id } = request.params;
        return send(request, reply, `${organization_id}/${station_id}/${name}`);
      },
    );
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
