/**
 * GET of a stored file with a time limit, following redirects. Uses node:http, since fetch decodes content with
 * `Content-Encoding: gzip`, which some servers set for every `.gz` file; the digest is that of the stored bytes.
 */
import { once } from 'node:events';
import { Agent as HttpAgent, get as httpGet, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, get as httpsGet } from 'node:https';
import { deadlineWithin } from '../../../files/deadline.js';

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
  const deadlineMs = Date.now() + options.timeoutMs;
  let url = options.url;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const headers: Record<string, string> = { ...options.headers, 'accept-encoding': 'identity' };
    if (options.authorization !== undefined && url.origin === options.url.origin) {
      headers['authorization'] = options.authorization;
    }
    const message = await getHead(url, headers, deadlineMs, options.signal);
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

async function getHead(
  url: URL,
  headers: GetOptions['headers'],
  deadlineMs: number,
  signal: AbortSignal | undefined,
): Promise<IncomingMessage> {
  for (;;) {
    const limit = deadlineWithin(Math.max(0, deadlineMs - Date.now()), signal);
    const request =
      url.protocol === 'https:'
        ? httpsGet(url, { headers, agent: HTTPS_AGENT })
        : httpGet(url, { headers, agent: HTTP_AGENT });
    // This handler stays registered: after the head, socket errors arrive here as well as at the message.
    request.on('error', () => undefined);
    try {
      const [message] = (await once(request, 'response', { signal: limit.signal })) as [
        IncomingMessage,
      ];
      return message;
    } catch (error) {
      request.destroy();
      signal?.throwIfAborted();
      if (limit.isOver()) throw new Error('no answer in time', { cause: error });
      // The server may close an idle connection just before it is reused: the request is sent again.
      if (!request.reusedSocket || !isReset(error)) throw error;
    } finally {
      limit.end();
    }
  }
}

function isReset(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNRESET';
}
