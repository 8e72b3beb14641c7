/** Requests to a running service: whole ones over `node:http`, and bytes as they stand over a socket. */
import { once } from 'node:events';
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';

export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface RequestOptions {
  /** Default GET. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The address that the request comes from, such as `127.0.0.2`; default: the system's choice. */
  readonly localAddress?: string;
}

/**
 * Sends one request on a connection of its own.
 *
 * @throws {Error} when the connection is refused or reset, or ends before the body does.
 */
export async function get(
  service: { readonly port: number },
  path: string,
  { method = 'GET', headers = {}, localAddress }: RequestOptions = {},
): Promise<Received> {
  return await new Promise((resolve, reject) => {
    const to = { host: '127.0.0.1', port: service.port, path, method, headers, agent: false };
    const options = localAddress === undefined ? to : { ...to, localAddress };
    const sent = request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        if (!response.complete) reject(new Error('the answer was cut short'));
        const { statusCode = 0 } = response;
        resolve({ status: statusCode, headers: response.headers, body: Buffer.concat(chunks) });
      });
    });
    sent.setTimeout(60_000, () => sent.destroy(new Error(`no answer to ${path} in 60 s`)));
    sent.once('error', reject);
    sent.end();
  });
}

/** Asks, and takes no more of the answer than its head until it is read: the kernel's buffers fill behind it. */
export async function beginAnswer(
  service: { readonly port: number },
  path: string,
): Promise<IncomingMessage> {
  const headers = { 'Accept-Encoding': 'identity' };
  const sent = request({ host: '127.0.0.1', port: service.port, path, headers, agent: false });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

/** Sends one request, and reads the body of its answer as JSON. */
export async function getJson(
  service: { readonly port: number },
  path: string,
  options?: RequestOptions,
): Promise<Omit<Received, 'body'> & { readonly body: unknown }> {
  const { body, ...answer } = await get(service, path, options);
  return { ...answer, body: JSON.parse(body.toString('utf8')) as unknown };
}

export interface RawOptions {
  /** How long to listen, from the last byte sent; default 15 s. */
  readonly timeoutMs?: number;
  /** Between two chunks, so that they arrive as two packets; default 5. */
  readonly gapMs?: number;
  /** When to end our side, which says that no more of a request will come; default: never. */
  readonly ends?: Promise<unknown>;
}

export interface RawAnswer {
  /** Everything that came before the other side closed or the time was over. */
  readonly received: Buffer;
  /** Whether the other side closed the connection, by an end or by a reset. */
  readonly closed: boolean;
}

/** Sends bytes as they stand, in one chunk or several, and returns what comes back. */
export async function sendRaw(
  port: number,
  bytes: string | Uint8Array | readonly (string | Uint8Array)[],
  { timeoutMs = 15_000, gapMs = 5, ends }: RawOptions = {},
): Promise<RawAnswer> {
  const chunks = typeof bytes === 'string' || bytes instanceof Uint8Array ? [bytes] : [...bytes];
  const received: Buffer[] = [];
  return await new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    let timer: NodeJS.Timeout | undefined;
    const end = (closed: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ received: Buffer.concat(received), closed });
    };
    const sendNext = (): void => {
      const chunk = chunks.shift();
      if (chunk === undefined) {
        void ends?.then(() => socket.end());
        timer = setTimeout(end, timeoutMs, false);
        return;
      }
      socket.write(chunk);
      timer = setTimeout(sendNext, chunks.length > 0 ? gapMs : 0);
    };
    let isConnected = false;
    socket.once('connect', () => {
      isConnected = true;
      sendNext();
    });
    socket.on('data', (chunk: Buffer) => {
      received.push(chunk);
    });
    socket.once('close', () => {
      end(true);
    });
    socket.once('error', (error) => {
      // A reset while we send is an answer; a refused connection is a failure.
      if (!isConnected) reject(error);
    });
  });
}

/** A target of each endpoint of the older API that answers with JSON, for organization 1, its station 1 and component 8. */
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
