/**
 * GET of a stored file with a time limit, following redirects. Uses node:http, since fetch decodes content with
 * `Content-Encoding: gzip`, which some servers set for every `.gz` file; the digest is that of the stored bytes.
 */
import { Agent as HttpAgent, get as httpGet, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, get as httpsGet } from 'node:https';

/** Connections are kept alive: the pointer is polled every two seconds, and handshakes would be most of the cost. */
const HTTP_AGENT = new HttpAgent({ keepAlive: true });
const HTTPS_AGENT = new HttpsAgent({ keepAlive: true });

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export interface GetOptions {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent to the origin of `url` only, not after a redirect to another origin. */
  readonly authorization: string | undefined;
  /** Time limit until the head of the answer arrives, including redirects. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** The answer after redirects. The caller reads or destroys its body, which fails if it is cut short. */
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
      // The server may close an idle connection just before it is reused: the request is sent again.
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
    // This handler stays registered: after the head, socket errors arrive here as well as at the message.
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
