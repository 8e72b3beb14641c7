/** A master, its replica, and three sentinels that make the replica the master when theirs is gone for a second. */
import { eventually } from '../../../support/service/service.js';
import type { TlsFiles } from './authority.js';
import type { Scope } from '../../../support/service/ports.js';
import { firstToLog, RedisProcess } from './redis-process.js';
import { credentials, startRedis, type RedisServer } from './redis-server.js';

const MASTER = 'bura';
/**
 * After how many milliseconds of silence each sentinel takes a server for dead. Where all three notice in the same moment, each
 * votes for itself, and the next vote is seconds later; the third one has its vote left for whoever asks first.
 */
const SILENCE_MS = [1000, 1000, 2000];
const PATIENCE_MS = 60_000;

export interface SentinelOptions {
  /** Of master and replica; default: none. */
  readonly password?: string;
  /** Of the sentinels themselves; default: none. */
  readonly sentinelPassword?: string;
  /** Of servers and sentinels alike. */
  readonly tls?: TlsFiles;
  /** Further lines of the servers' configuration. */
  readonly config?: readonly string[];
}

export interface SentinelGroup {
  /** The store's address, by its sentinels. */
  readonly url: string;
  /** The first one is the master to begin with. */
  readonly servers: readonly [RedisServer, RedisServer];
  readonly sentinels: readonly RedisProcess[];
  /** The server that the sentinels take for the master now. */
  master(): Promise<RedisServer>;
  /** Resolves when a sentinel has announced a server as the new master; call it before the old one is killed. */
  failover(): Promise<RedisServer>;
  /** Resolves when every server but the master replicates it, and the sentinels know: the next failover can be made. */
  whenWhole(): Promise<void>;
}

/** Resolves when the sentinels know each other and the replica, and agree about the master. */
export async function startSentinels(
  scope: Scope,
  options: SentinelOptions = {},
): Promise<SentinelGroup> {
  const { password, tls, config = [] } = options;
  const common = {
    config,
    ...(password !== undefined && { password }),
    ...(tls !== undefined && { tls }),
  };
  const master = await startRedis(scope, common);
  const replica = await startRedis(scope, {
    ...common,
    config: [...config, `replicaof 127.0.0.1 ${master.port}`],
  });
  await replica.waitForLine(/MASTER <-> REPLICA sync: Finished/);
  const sentinels = await Promise.all(
    SILENCE_MS.map((silenceMs) => startSentinel(scope, { ...options, silenceMs, master })),
  );
  const servers = [master, replica] as const;
  const group = groupOf({ servers, sentinels, options });
  await Promise.all(
    sentinels.map(async (sentinel) => {
      await sentinel.waitForLine(/ \+slave /);
      for (const other of sentinels) {
        if (other !== sentinel) await sentinel.waitForLine(knowsSentinel(other.port));
      }
    }),
  );
  await group.whenWhole();
  return group;
}

async function startSentinel(
  scope: Scope,
  options: SentinelOptions & { readonly silenceMs: number; readonly master: RedisServer },
): Promise<RedisProcess> {
  const { password, sentinelPassword, tls, silenceMs, master } = options;
  const sentinel = await RedisProcess.start(scope, {
    program: 'redis-sentinel',
    config: [
      `sentinel monitor ${MASTER} 127.0.0.1 ${master.port} 2`,
      `sentinel down-after-milliseconds ${MASTER} ${silenceMs}`,
      `sentinel failover-timeout ${MASTER} 3000`,
      ...(password === undefined
        ? []
        : [`sentinel auth-pass ${MASTER} ${JSON.stringify(password)}`]),
      ...(sentinelPassword === undefined
        ? []
        : ['requirepass', 'sentinel sentinel-pass'].map(
            (name) => `${name} ${JSON.stringify(sentinelPassword)}`,
          )),
    ],
    ready: /\+monitor master/,
    ...(sentinelPassword !== undefined && { password: sentinelPassword }),
    ...(tls !== undefined && { tls }),
  });
  // By default it looks at servers every ten seconds, tells other sentinels of itself every two, and asks for a sign of
  // life every second, which is too rarely where a second of silence counts as a death. While the master is away it
  // looks at replicas every second, and takes none for good whose last sign is five times PING-PERIOD old.
  const periods = ['INFO-PERIOD', '200', 'PUBLISH-PERIOD', '200', 'PING-PERIOD', '400'];
  await sentinel.run('SENTINEL', 'DEBUG', ...periods);
  return sentinel;
}

function knowsSentinel(port: number): RegExp {
  return new RegExp(` \\+sentinel sentinel \\S+ 127\\.0\\.0\\.1 ${port} `);
}

function groupOf(parts: {
  readonly servers: readonly [RedisServer, RedisServer];
  readonly sentinels: readonly RedisProcess[];
  readonly options: SentinelOptions;
}): SentinelGroup {
  const { servers, sentinels, options } = parts;
  const scheme = options.tls === undefined ? 'redis+sentinel' : 'rediss+sentinel';
  const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',');
  const serverAt = (port: string | undefined): RedisServer => {
    const found = servers.find((server) => String(server.port) === port);
    if (found === undefined) throw new Error(`no server has port ${port}`);
    return found;
  };
  const [sentinel] = sentinels;
  if (sentinel === undefined) throw new Error('there are sentinels');
  const master = async (): Promise<RedisServer> => {
    const address = await sentinel.run('SENTINEL', 'get-master-addr-by-name', MASTER);
    return serverAt(address.split('\n')[1]);
  };
  return {
    url: `${scheme}://${credentials(options.password)}${hosts}/${MASTER}`,
    servers,
    sentinels,
    master,
    failover: async () => {
      const { line } = await firstToLog(sentinels, / \+switch-master /);
      return serverAt(line.split(' ').at(-1));
    },
    whenWhole: async () => {
      const isWhole = async (): Promise<boolean> => {
        const current = await master();
        const others = servers.filter((server) => server !== current);
        const links = await Promise.all(others.map((one) => one.info('master_link_status')));
        const replicas = sentinels.map((one) => one.run('SENTINEL', 'replicas', MASTER));
        const known = (await Promise.all(replicas)).map((text) =>
          /^master-link-status\nok$/m.test(text),
        );
        return links.every((link) => link === 'up') && known.every(Boolean);
      };
      // A server that changes its part resets all connections.
      const look = (): Promise<boolean> => isWhole().catch(() => false);
      await eventually('the replica is known and in step', look, PATIENCE_MS);
    },
  };
}
