/** Addresses of Redis stores (`docs/operations/stores.md, "Redis"`): one server, a master that sentinels know, or a cluster. */

export interface RedisNode {
  readonly host: string;
  readonly port: number;
}

export interface RedisAddress {
  readonly topology: 'single' | 'sentinel' | 'cluster';
  /** The server, the sentinels, or some nodes of the cluster. */
  readonly nodes: readonly RedisNode[];
  readonly tls: boolean;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly database: number;
  /** The name under which sentinels know the master; empty where there are none. */
  readonly masterName: string;
}

const ADDRESS =
  /^redis(?<tls>s?)(?:\+(?<topology>sentinel|cluster))?:\/\/(?:(?<user>.*)@)?(?<nodes>[^/@?#]+)\/?(?<path>[^@?#]*)$/i;
const NODE =
  /^(?:\[(?<ipv6>[0-9a-f:.]{2,45})\]|(?<name>[a-z0-9._-]{1,253}))(?::(?<port>\d{1,5}))?$/i;
const MASTER_NAME = /^[A-Za-z0-9._-]{1,128}$/;
const DATABASE = /^\d{1,5}$/;
const DEFAULT_PORT = 6379;
const DEFAULT_SENTINEL_PORT = 26379;
const MAX_NODES = 32;

export function isRedisScheme(address: string): boolean {
  return /^rediss?(?:\+\w*)?:/i.test(address);
}

/** The parts of an address, user and password unescaped, or undefined where it is none. */
export function parseRedisAddress(address: string): RedisAddress | undefined {
  const parts = ADDRESS.exec(address)?.groups;
  if (parts === undefined) return undefined;
  const topology = topologyOf(parts['topology']);
  const nodes = (parts['nodes'] ?? '').split(',').map((node) => parseNode(node, topology));
  const known = nodes.flatMap((node) => node ?? []);
  if (known.length !== nodes.length || nodes.length > MAX_NODES) return undefined;
  if (topology === 'single' && nodes.length > 1) return undefined;
  const path = parsePath(parts['path'] ?? '', topology);
  if (path === undefined) return undefined;
  return {
    topology,
    nodes: known,
    tls: parts['tls'] !== '',
    ...credentials(parts['user']),
    ...path,
  };
}

/** The address without user and password; whatever stands before an @ may be a password. */
export function redisAddressWithoutCredentials(address: string): string {
  return address.replace(/^([a-z+]*:?\/*).*@/is, '$1');
}

function topologyOf(text: string | undefined): RedisAddress['topology'] {
  const lower = text?.toLowerCase();
  return lower === 'sentinel' || lower === 'cluster' ? lower : 'single';
}

function parseNode(text: string, topology: RedisAddress['topology']): RedisNode | undefined {
  const parts = NODE.exec(text)?.groups;
  const host = parts?.['ipv6'] ?? parts?.['name'];
  const fallback = topology === 'sentinel' ? DEFAULT_SENTINEL_PORT : DEFAULT_PORT;
  const port = Number(parts?.['port'] ?? fallback);
  return host === undefined || port < 1 || port > 65535 ? undefined : { host, port };
}

function parsePath(path: string, topology: RedisAddress['topology']) {
  const segments = path === '' ? [] : path.split('/');
  const masterName = topology === 'sentinel' ? (segments.shift() ?? '') : '';
  if (topology === 'sentinel' && !MASTER_NAME.test(masterName)) return undefined;
  const [database = '0', ...more] = segments;
  if (more.length > 0 || !DATABASE.test(database)) return undefined;
  // A cluster has only the one.
  if (topology === 'cluster' && Number(database) !== 0) return undefined;
  return { masterName, database: Number(database) };
}

function credentials(text: string | undefined) {
  const [user = '', ...rest] = (text ?? '').split(':');
  const password = rest.join(':');
  return {
    username: user === '' ? undefined : unescapeText(user),
    password: password === '' ? undefined : unescapeText(password),
  };
}

/** The text of a user or a password in an address. */
export function unescapeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a lone % is itself
  }
}
