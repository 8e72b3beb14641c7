/** Parses a store's address, and removes its credentials for messages. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  isRedisScheme,
  parseRedisAddress,
  redisAddressWithoutCredentials,
  unescapeText,
  type RedisAddress,
} from './redis/redis-address.js';

export type StoreAddress =
  | { readonly kind: 'file'; readonly root: string }
  /** `base` ends in `/` and has no credentials. */
  | { readonly kind: 'http'; readonly base: URL; readonly authorization: string | undefined }
  | { readonly kind: 'redis'; readonly server: RedisAddress };

export const STORE_ADDRESS_FORM =
  'file:PATH, an http(s):// URL without query and fragment, or a redis(s):// URL, also with +sentinel or +cluster';

const KEY_PREFIX = /^[A-Za-z0-9._-]{1,64}$/;

/** Whether a text is an organization's namespace: `[A-Za-z0-9._-]{1,64}`, except `.` and `..`. */
export function isKeyPrefix(text: string): boolean {
  return KEY_PREFIX.test(text) && text !== '.' && text !== '..';
}

/** Parses an address; undefined if malformed. `file:///PATH` is a file URL, `file:PATH` a path. */
export function parseStoreAddress(address: string): StoreAddress | undefined {
  if (address.startsWith('file:')) return parseFileAddress(address);
  if (isRedisScheme(address)) {
    const server = parseRedisAddress(address);
    return server === undefined ? undefined : { kind: 'redis', server };
  }
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  return /^https?:$/.test(url.protocol) ? parseHttpAddress(url) : undefined;
}

/** The address without user, password, query and fragment: for logs, readiness and messages. */
export function addressWithoutCredentials(address: string): string {
  if (address.startsWith('file:')) return address;
  if (isRedisScheme(address)) return redisAddressWithoutCredentials(address);
  // Even in a text that is not a URL, everything before an @ may be a password.
  if (!URL.canParse(address)) return address.replace(/^([a-z+.-]*:?\/*).*@/is, '$1***@');
  const url = new URL(address);
  url.username = '';
  url.password = '';
  url.search = '';
  url.hash = '';
  return url.href;
}

function parseFileAddress(address: string): StoreAddress | undefined {
  const path = address.slice('file:'.length);
  if (path === '' || path.includes('\0')) return undefined;
  if (!path.startsWith('//')) return { kind: 'file', root: resolve(path) };
  try {
    return { kind: 'file', root: fileURLToPath(address) };
  } catch {
    return undefined; // a host, or an escaped slash
  }
}

function parseHttpAddress(url: URL): StoreAddress | undefined {
  if (url.search !== '' || url.hash !== '') return undefined;
  const base = new URL(url);
  base.username = '';
  base.password = '';
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  return { kind: 'http', base, authorization: basicAuthorization(url) };
}

/** The `Authorization` field for user and password (RFC 7617 §2), in UTF-8. */
function basicAuthorization({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  const credentials = `${unescapeText(username)}:${unescapeText(password)}`;
  return `Basic ${Buffer.from(credentials, 'utf8').toString('base64')}`;
}
