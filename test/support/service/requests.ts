/** Requests to a running service over `node:http`; for exact bytes, see `connection.ts`. */
import { once } from 'node:events';
import {
  request,
  type Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly localAddress?: string;
  /** Kept connections; default: one for this request. */
  readonly agent?: Agent | false;
  readonly signal?: AbortSignal;
}

const ANSWER_TIMEOUT_MS = 60_000;

/** Sends a request and reads the head of its answer; the body fills the kernel's buffers until the caller reads it. */
export async function beginAnswer(
  service: { readonly port: number },
  path: string,
  options: RequestOptions = {},
): Promise<IncomingMessage> {
  const to = { host: '127.0.0.1', port: service.port, path, localAddress: '127.0.0.1' };
  const sent = request({ agent: false, ...to, ...options });
  sent.end();
  // The code of the error says why it failed, and its message on which connection.
  sent.once('error', (error) => {
    error.message = `on a ${sent.reusedSocket ? 'kept' : 'new'} connection: ${error.message}`;
  });
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

/** Sends one request. @throws {Error} when the connection is refused, reset, or ends early, and after 60 s. */
export async function get(
  service: { readonly port: number },
  path: string,
  options: RequestOptions = {},
): Promise<Received> {
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  const response = await beginAnswer(service, path, { signal, ...options });
  const { statusCode = 0, headers } = response;
  return { status: statusCode, headers, body: await buffer(response) };
}

export async function getJson(
  service: { readonly port: number },
  path: string,
  options?: RequestOptions,
): Promise<Omit<Received, 'body'> & { readonly body: unknown }> {
  const { body, ...answer } = await get(service, path, options);
  return { ...answer, body: JSON.parse(body.toString('utf8')) as unknown };
}

/** Targets of the older JSON API, for organization 1, station 1 and component 8. */
export const LEGACY_TARGETS = [
  '/meta',
  '/organizations',
  '/networks',
  '/stations',
  '/components',
  '/1/stations',
  '/1/stations/1/meta',
  '/1/stations/1/measurements/last_hour',
  '/1/stations/1/measurements/last_24h',
  '/measurements?organization_id=1&station_id=1&component_id=8&window=1d',
] as const;
