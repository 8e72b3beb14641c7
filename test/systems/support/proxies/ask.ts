/** Requests through a proxy, as its clients send them: over TLS where the proxy has it, by HTTP/1.1 or HTTP/2. */
import { request as plainRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { request as secureRequest } from 'node:https';
import { connect as connectTls } from 'node:tls';
import type { Received } from '../../../support/service/requests.js';
import { SITE } from './certificate.js';

const ANSWER_TIMEOUT_MS = 15_000;

export interface ProxyAddress {
  readonly port: number;
  /** Certificate that verifies the proxy's TLS; undefined without TLS. */
  readonly certificate: string | undefined;
}

export interface Asking {
  /** Default GET. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Content of the request; default: none. */
  readonly content?: string | undefined;
  /** Address of the client as the proxy sees it; default 127.0.0.1. */
  readonly from?: string;
  /** Called with the body so far; true ends the answer early. */
  readonly until?: (body: Buffer) => boolean;
}

/** An answer, and its fields as names and values in turn, also those that repeat. */
export interface Proxied extends Received {
  readonly rawHeaders: readonly string[];
}

/** Sends one request on its own connection. @throws {Error} when the connection fails, or ends early. */
export async function ask(
  { port, certificate }: ProxyAddress,
  path: string,
  { method = 'GET', headers = {}, content, from = '127.0.0.1', until }: Asking = {},
): Promise<Proxied> {
  const options: RequestOptions = {
    host: '127.0.0.1',
    port,
    path,
    method,
    localAddress: from,
    agent: false,
    headers: { host: SITE, ...headers },
  };
  return await new Promise((resolve, reject) => {
    const take = (response: IncomingMessage): void => {
      const chunks: Buffer[] = [];
      const settle = (): void => {
        const { statusCode: status = 0, headers: fields, rawHeaders } = response;
        resolve({ status, headers: fields, rawHeaders, body: Buffer.concat(chunks) });
      };
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        if (until?.(Buffer.concat(chunks)) !== true) return;
        settle();
        response.destroy();
      });
      response.once('error', reject);
      response.once('end', () => {
        if (!response.complete) reject(new Error('the answer was cut short'));
        settle();
      });
    };
    const sent =
      certificate === undefined
        ? plainRequest(options, take)
        : secureRequest({ ...options, ca: certificate, servername: SITE }, take);
    sent.setTimeout(ANSWER_TIMEOUT_MS, () =>
      sent.destroy(new Error(`no answer to ${path} in time`)),
    );
    sent.once('error', reject);
    sent.end(content);
  });
}

/** Statuses and bodies of all paths, which are asked at once over HTTP/2, as streams of one connection. */
export async function askByHttp2(
  { port, certificate = '' }: ProxyAddress,
  paths: readonly string[],
  from = '127.0.0.1',
): Promise<readonly Pick<Received, 'status' | 'body'>[]> {
  // The types of TLS connections lack `localAddress`.
  const socket = { host: '127.0.0.1', port, localAddress: from };
  const session = connectHttp2(`https://${SITE}`, {
    createConnection: () =>
      connectTls({ ...socket, ca: certificate, servername: SITE, ALPNProtocols: ['h2'] }),
  });
  try {
    const failed = new Promise<never>((_settle, reject) => session.once('error', reject));
    const answers = paths.map(async (path) => {
      const stream = session.request({ ':path': path });
      let status = 0;
      stream.once('response', ({ ':status': code = 0 }) => {
        status = code;
      });
      const chunks: Buffer[] = [];
      for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
      return { body: Buffer.concat(chunks), status };
    });
    return await Promise.race([Promise.all(answers), failed]);
  } finally {
    session.close();
  }
}
