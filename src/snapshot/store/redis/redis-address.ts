/** Redis store addresses (`docs/operations/stores.md, "Redis"`): a server, a master behind sentinels, or a cluster. */

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
  /** Name of the master, for sentinels; otherwise empty. */
  readonly masterName: string;
}

const ADDRESS =
  /^redis(?<tls>s?)(?:\+(?<topology>sentinel|cluster))?:\/\/(?:(?<user>[^:]*)(?::(?<password>.*))?@)?(?<nodes>[^/@?#]+)\/?(?<path>[^@?#]*)$/i;
const NODE =
  /^(?:\[(?<ipv6>[0-9a-f:.]{2,45})\]|(?<name>[a-z0-9._-]{1,253}))(?::(?<port>\d{1,5}))?$/i;
/** Paths of addresses by topology; a cluster has only database 0. */
const PATHS = {
  single: /^(?<database>\d{1,5})?$/,
  sentinel: /^(?<masterName>[A-Za-z0-9._-]{1,128})(?:\/(?<database>\d{1,5}))?$/,
  cluster: /^(?<database>0{1,5})?$/,
};
const DEFAULT_PORTS = { single: 6379, sentinel: 26379, cluster: 6379 };
const MAX_NODES = 32;

export function isRedisScheme(address: string): boolean {
  return /^rediss?(?:\+\w*)?:/i.test(address);
}

/** The parts of an address, with unescaped credentials; undefined for a malformed address. */
export function parseRedisAddress(address: string): RedisAddress | undefined {
  const parts = ADDRESS.exec(address)?.groups;
  if (parts === undefined) return undefined;
  const topology = topologyOf(parts['topology']);
  const texts = (parts['nodes'] ?? '').split(',');
  const nodes = texts.flatMap((text) => parseNode(text, DEFAULT_PORTS[topology]) ?? []);
  const path = PATHS[topology].exec(parts['path'] ?? '');
  const isTooMany = nodes.length > (topology === 'single' ? 1 : MAX_NODES);
  if (path === null || nodes.length < texts.length || isTooMany) return undefined;
  return {
    topology,
    nodes,
    tls: parts['tls'] !== '',
    username: unescaped(parts['user']),
    password: unescaped(parts['password']),
    database: Number(path.groups?.['database'] ?? 0),
    masterName: path.groups?.['masterName'] ?? '',
  };
}

/** The address without credentials. Everything before an @ is removed, since it may be a password. */
export function redisAddressWithoutCredentials(address: string): string {
  return address.replace(/^([a-z+]*:?\/*).*@/is, '$1');
}

export function unescapeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a lone % is itself
  }
}

function topologyOf(text = ''): RedisAddress['topology'] {
  const lower = text.toLowerCase();
  return lower === 'sentinel' || lower === 'cluster' ? lower : 'single';
}

function parseNode(text: string, defaultPort: number): RedisNode | undefined {
  const parts = NODE.exec(text)?.groups;
  const host = parts?.['ipv6'] ?? parts?.['name'];
  const port = Number(parts?.['port'] ?? defaultPort);
  return host === undefined || port < 1 || port > 65535 ? undefined : { host, port };
}

/** Undefined for missing and for empty text. */
function unescaped(text = ''): string | undefined {
  return text === '' ? undefined : unescapeText(text);
}
