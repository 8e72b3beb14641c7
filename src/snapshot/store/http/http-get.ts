/**
 * One GET of a stored file: limited in time, redirects followed. Uses node:http, because fetch decodes
 * `Content-Encoding: gzip`, which some servers put on every `.gz` file, and the digest is of the stored bytes.
 */
import { Agent as HttpAgent, get as httpGet, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, get as httpsGet } from 'node:https';

/** Kept alive: the pointer is requested every two seconds, and handshakes would be most of the cost. */
const HTTP_AGENT = new HttpAgent({ keepAlive: true });
const HTTPS_AGENT = new HttpsAgent({ keepAlive: true });

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export interface GetOptions {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent to the first host only, not to other hosts of redirects. */
  readonly authorization: string | undefined;
  /** Until the head of the last answer arrives. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** The answer behind any redirects; the caller reads or destroys its body, which fails when it is cut short. */
export async function get(options: GetOptions): Promise<IncomingMessage> {
  const deadline = Date.now() + options.timeoutMs;
  let url = options.url;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const headers: Record<string, string> = { ...options.headers, 'accept-encoding': 'identity' };
    if (options.authorization !== undefined && url.origin === options.url.origin) {
      headers['authorization'] = options.authorization;
    }
    const message = await getOnce(url, headers, deadline, options.signal);
    const location = message.headers.location;
    if (!REDIRECTS.has(message.statusCode ?? 0) || location === undefined) return message;
    message.destroy();
    url = redirected(location, url);
  }
  throw new Error(`more than ${MAX_REDIRECTS} redirects`);
}

function redirected(location: string, from: URL): URL {
  if (!URL.canParse(location, from.href)) throw new Error('a redirect to an invalid URL');
  const to = new URL(location, from);
  if (to.protocol !== 'http:' && to.protocol !== 'https:') {
    throw new Error(`a redirect to ${to.protocol}`);
  }
  return to;
}

async function getOnce(
  url: URL,
  headers: Readonly<Record<string, string>>,
  deadline: number,
  signal: AbortSignal | undefined,
): Promise<IncomingMessage> {
  for (;;) {
    const attempt = { reused: false };
    try {
      return await getHead({ url, headers, deadline, signal, attempt });
    } catch (error) {
      // The server may close an idle connection while it is reused, which is no failure of the store.
      if (!attempt.reused || !isReset(error) || Date.now() >= deadline) throw error;
    }
  }
}

interface HeadOptions {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
  readonly attempt: { reused: boolean };
}

function getHead({ url, headers, deadline, signal, attempt }: HeadOptions) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const request =
      url.protocol === 'https:'
        ? httpsGet(url, { headers, agent: HTTPS_AGENT })
        : httpGet(url, { headers, agent: HTTP_AGENT });
    const timer = setTimeout(
      () => request.destroy(new Error('no answer in time')),
      Math.max(0, deadline - Date.now()),
    );
    const abort = (): void => {
      request.destroy(abortError(signal));
    };
    const settle = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
    if (signal?.aborted === true) abort();
    else signal?.addEventListener('abort', abort);
    request.on('response', (message) => {
      settle();
      resolve(message);
    });
    // Stays registered: after the head, errors of the socket also arrive at the message.
    request.on('error', (error) => {
      attempt.reused = request.reusedSocket;
      settle();
      reject(error);
    });
  });
}

function abortError(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new DOMException('aborted', 'AbortError');
}

function isReset(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNRESET';
}
