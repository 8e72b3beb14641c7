/** Requests through a proxy, as its clients send them: over TLS where the proxy has it. */
import { request as plainRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { Received } from '../../../support/service/requests.js';

/** The site that the examples are for. */
export const SITE = 'data.example.org';

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
interface Proxied extends Received {
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
