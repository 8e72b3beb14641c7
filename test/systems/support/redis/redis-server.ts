/** A real Redis server for one test, alone or as a part of something larger. */
import type { TlsFiles } from './authority.js';
import type { Scope } from '../../../support/service/ports.js';
import { RedisProcess } from './redis-process.js';

export interface RedisServerOptions {
  /** Password of the user `default`; default: no password. */
  readonly password?: string | undefined;
  /** Further users, each as the words of `ACL SETUSER`: a name and rules. */
  readonly users?: readonly string[];
  readonly tls?: TlsFiles | undefined;
  /** Further lines of the configuration file. */
  readonly config?: readonly string[];
}

export interface RedisServer extends RedisProcess {
  /** The store's address: with the password of the user `default`, if there is one. */
  readonly url: string;
}

/** Starts `redis-server` on a free port of 127.0.0.1; resolves when it takes commands. */
export async function startRedis(
  scope: Scope,
  options: RedisServerOptions = {},
): Promise<RedisServer> {
  const { password, tls } = options;
  const redis = await RedisProcess.start(scope, {
    config: serverConfig(options),
    ready: /Ready to accept connections/,
    password,
    tls,
  });
  const scheme = tls === undefined ? 'redis' : 'rediss';
  const url = `${scheme}://${credentials(password)}127.0.0.1:${redis.port}`;
  return Object.assign(redis, { url });
}

/** The part before the host in an address. */
export function credentials(password: string | undefined): string {
  return password === undefined ? '' : `default:${encodeURIComponent(password)}@`;
}

function serverConfig(options: RedisServerOptions): readonly string[] {
  const { password, users = [] } = options;
  return [
    'save ""',
    // Every answered write is in the file, so no kill loses it.
    'appendonly yes',
    'appendfsync always',
    // By default a master waits five seconds for further replicas before it begins to sync.
    'repl-diskless-sync-delay 0',
    'repl-ping-replica-period 1',
    ...(password === undefined
      ? []
      : ['requirepass', 'masterauth'].map((name) => `${name} ${JSON.stringify(password)}`)),
    ...users.map((user) => `user ${user}`),
    ...(options.config ?? []),
  ];
}
