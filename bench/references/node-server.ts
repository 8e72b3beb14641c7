/** The reference that needs no library but lmdb: plain `node:http` with the answers of a local copy. */
import { fieldsOf, LocalCopy, type LocalCopyOrder } from './local-copy.js';
import { listenWithNodeHttp } from './node-http.js';
import { serveOrder } from './reference.js';

const LISTS = new Set(['/meta', '/organizations', '/networks', '/stations', '/components']);
const STATION = /^\/(\d{1,9})\/stations\/(\d{1,9})\/(?:measurements\/(last_hour|last_24h)|(meta))$/;
const SERIES_PARAMETERS = ['organization_id', 'station_id', 'component_id', 'window'] as const;

serveOrder(async ({ directory, etag }: LocalCopyOrder) => {
  const copy = new LocalCopy(directory);
  return await listenWithNodeHttp(({ url = '', headers }, response) => {
    const name = answerName(url);
    const found = name === undefined ? undefined : copy.find(name, headers['accept-encoding']);
    if (found === undefined) {
      response.writeHead(404).end();
    } else if (headers['if-none-match'] === etag) {
      response.writeHead(304, fieldsOf(etag, false)).end();
    } else {
      const { body, isGzip } = found;
      const length = { 'Content-Length': body.byteLength };
      response.writeHead(200, { ...fieldsOf(etag, isGzip), ...length }).end(body);
    }
  });
});

function answerName(url: string): string | undefined {
  const [path = '', query = ''] = url.split('?', 2);
  if (LISTS.has(path)) return path.slice(1);
  if (path === '/measurements') {
    const parameters = new URLSearchParams(query);
    return SERIES_PARAMETERS.map((parameter) => parameters.get(parameter) ?? '').join('/');
  }
  const [, organization, station, recent, meta] = STATION.exec(path) ?? [];
  const rest = recent ?? meta;
  return rest === undefined ? undefined : `${organization}/${station}/${rest}`;
}
