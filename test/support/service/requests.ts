/** Requests to a running service: over `node:http`, or raw bytes over a socket. */
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
  /** The client's address, such as `127.0.0.2`; default: the system's choice. */
  readonly localAddress?: string;
}

/** Sends one request on its own connection. @throws {Error} when the connection is refused, reset, or ends early. */
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

/** Sends a request and reads the head of its answer; the body fills the kernel's buffers until the caller reads it. */
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

/** Sends one request, and reads its answer as JSON. */
export async function getJson(
  service: { readonly port: number },
  path: string,
  options?: RequestOptions,
): Promise<Omit<Received, 'body'> & { readonly body: unknown }> {
  const { body, ...answer } = await get(service, path, options);
  return { ...answer, body: JSON.parse(body.toString('utf8')) as unknown };
}

export interface RawOptions {
  /** Longest wait for the other side to close, from the last byte sent; default: 15 s. */
  readonly timeoutMs?: number;
  /** Milliseconds between two chunks, so that they are two packets; default: 5. */
  readonly gapMs?: number;
  /** When to end our side, after which no request can follow; default: never. */
  readonly ends?: Promise<unknown>;
}

export interface RawAnswer {
  /** All bytes until the other side closed or the time was over. */
  readonly received: Buffer;
  /** Whether the other side closed the connection, by an end or a reset. */
  readonly closed: boolean;
}

/** Sends raw bytes in one chunk or several. @returns the received bytes. */
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
      // A reset while sending is an answer; a refused connection is a failure.
      if (!isConnected) reject(error);
    });
  });
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
