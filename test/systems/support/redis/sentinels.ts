/** A master, its replica, and three sentinels that promote the replica when the master is silent for a second. */
import { eventually } from '../../../support/service/service.js';
import type { TlsFiles } from './authority.js';
import type { Scope } from '../../../support/service/ports.js';
import { firstToSay, RedisProcess } from './redis-process.js';
import { credentials, startRedis, type RedisServer } from './redis-server.js';

const MASTER = 'bura';
/**
 * Milliseconds of silence after which each sentinel takes a server for dead. If all three noticed in the same moment,
 * each would vote for itself, and the next vote would be seconds later; so one is slower, and can vote for the first
 * that asks.
 */
const SILENCE_MS = [1000, 1000, 2000];

export interface SentinelOptions {
  /** Password of master and replica; default: none. */
  readonly password?: string;
  /** Password of the sentinels themselves; default: none. */
  readonly sentinelPassword?: string;
  /** TLS of servers and sentinels alike. */
  readonly tls?: TlsFiles;
}

export interface SentinelGroup {
  /** The store's address, which names the sentinels. */
  readonly url: string;
  /** The server that the sentinels take for the master now. */
  master(): Promise<RedisServer>;
  /** Resolves when a sentinel has announced a server as the new master; call it before the old one is killed. */
  failover(): Promise<RedisServer>;
  /** Resolves when the replica is in sync, and the sentinels know it and each other: then a failover can succeed. */
  whenWhole(): Promise<void>;
}

/** Resolves when the group is whole. */
export async function startSentinels(
  scope: Scope,
  options: SentinelOptions = {},
): Promise<SentinelGroup> {
  const { password, tls } = options;
  const first = await startRedis(scope, { password, tls });
  const config = [`replicaof 127.0.0.1 ${first.port}`];
  const servers = [first, await startRedis(scope, { password, tls, config })] as const;
  const sentinels = await Promise.all(
    SILENCE_MS.map((silenceMs) => startSentinel(scope, first.port, silenceMs, options)),
  );
  const serverAt = (port: string | undefined): RedisServer =>
    String(first.port) === port ? servers[0] : servers[1];
  const master = async (): Promise<RedisServer> => {
    const address = await sentinels[0]?.run('SENTINEL', 'get-master-addr-by-name', MASTER);
    return serverAt(address?.split('\n')[1]);
  };
  const isWhole = async (): Promise<boolean> => {
    const current = await master();
    const replica = servers.find((server) => server !== current);
    const known = await Promise.all(
      sentinels.map(async (one) => {
        const replicas = await one.run('SENTINEL', 'replicas', MASTER);
        const quorum = await one.run('SENTINEL', 'CKQUORUM', MASTER);
        return /^master-link-status\nok$/m.test(replicas) && quorum.startsWith('OK 3 usable');
      }),
    );
    return (await replica?.info('master_link_status')) === 'up' && known.every(Boolean);
  };
  // A server that changes its role resets all connections.
  const whenWhole = (): Promise<void> =>
    eventually('the replica is known and in step', () => isWhole().catch(() => false));
  await whenWhole();
  const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return {
    url: `redis${tls ? 's' : ''}+sentinel://${credentials(password)}${hosts}/${MASTER}`,
    master,
    failover: async () => {
      const { match } = await firstToSay(sentinels, / \+switch-master .* (\d+)$/m);
      return serverAt(match[1]);
    },
    whenWhole,
  };
}

async function startSentinel(
  scope: Scope,
  masterPort: number,
  silenceMs: number,
  { password, sentinelPassword, tls }: SentinelOptions,
): Promise<RedisProcess> {
  const own = sentinelPassword && JSON.stringify(sentinelPassword);
  const sentinel = await RedisProcess.start(scope, {
    program: 'redis-sentinel',
    config: [
      `sentinel monitor ${MASTER} 127.0.0.1 ${masterPort} 2`,
      `sentinel down-after-milliseconds ${MASTER} ${silenceMs}`,
      `sentinel failover-timeout ${MASTER} 3000`,
      ...(password ? [`sentinel auth-pass ${MASTER} ${JSON.stringify(password)}`] : []),
      ...(own ? [`requirepass ${own}`, `sentinel sentinel-pass ${own}`] : []),
    ],
    ready: /\+monitor master/,
    password: sentinelPassword,
    tls,
  });
  // By default a sentinel polls servers every ten seconds, notifies other sentinels every two, and pings every second,
  // which is too rare where a second of silence counts as a death. While the master is away it polls replicas every
  // second, and ignores those whose last sign is older than five times PING-PERIOD.
  const periods = ['INFO-PERIOD', '200', 'PUBLISH-PERIOD', '200', 'PING-PERIOD', '400'];
  await sentinel.run('SENTINEL', 'DEBUG', ...periods);
  return sentinel;
}
