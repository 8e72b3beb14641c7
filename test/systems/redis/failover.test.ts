/** A store whose master dies, hangs or gives its slot away: another server is chosen, and only the publisher waits. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { eventually, makeRoot, startService } from '../../support/service/service.js';
import {
  credentials,
  firstToSay,
  makeAuthority,
  startProcess,
  startRedis,
  type RedisServer,
  type TlsFiles,
} from '../support/redis/redis-server.js';
import { holdPort, type Scope } from '../../support/service/ports.js';
import { publishOnStore, type StoreAccess } from '../support/redis/store-commands.js';
import { activated } from '../../support/service/serve-documents.js';
import { standBy } from '../../support/service/steady-load.js';

const MASTER = 'bura';
/** Silence after which each takes a server for dead. If all noticed at once, each would vote for itself: one is slower. */
const SILENCE_MS = [1000, 1000, 2000];
type SentinelOptions = Readonly<{ password?: string; sentinelPassword?: string; tls?: TlsFiles }>;

async function startSentinels(scope: Scope, options: SentinelOptions = {}) {
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
  /** Waits until the replica is in step, and known: then a failover can succeed. A new role resets all connections. */
  const whenWhole = (): Promise<void> =>
    eventually('the replica is known and in step', () => isWhole().catch(() => false));
  await whenWhole();
  const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return {
    url: `redis${tls ? 's' : ''}+sentinel://${credentials(password)}${hosts}/${MASTER}`,
    master,
    /** The server that a sentinel announces as the new master from now on. */
    failover: async (): Promise<RedisServer> => {
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
) {
  const own = sentinelPassword && JSON.stringify(sentinelPassword);
  const sentinel = await startProcess(scope, {
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
  // The usual periods are too long where a second counts as a death: 10 s, 2 s and 1 s. While the master is away, replicas
  // whose last sign is older than five times PING-PERIOD are ignored.
  const periods = ['INFO-PERIOD', '200', 'PUBLISH-PERIOD', '200', 'PING-PERIOD', '400'];
  await sentinel.run('SENTINEL', 'DEBUG', ...periods);
  return sentinel;
}

async function startCluster(scope: Scope, password?: string) {
  const nodes = await Promise.all(
    Array.from({ length: 6 }, async () =>
      startRedis(scope, {
        password,
        config: [
          'cluster-enabled yes',
          `cluster-port ${await holdPort(scope)}`,
          'cluster-node-timeout 1000',
          // A replica can take over however old its data are.
          'cluster-replica-validity-factor 0',
        ],
      }),
    ),
  );
  const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
  const words = ['--cluster', 'create', ...addresses, '--cluster-replicas', '1', '--cluster-yes'];
  const env = { PATH: process.env['PATH'], ...(password && { REDISCLI_AUTH: password }) };
  await promisify(execFile)('redis-cli', words, { env });
  const running = (): readonly RedisServer[] => nodes.filter((node) => node.isRunning());
  const masterOf = async (key: string): Promise<RedisServer> => {
    const [asked] = running();
    const port = asked && (await ownerAsSeenBy(asked, key));
    const owner = nodes.find((node) => node.port === port);
    if (owner === undefined) throw new Error(`no master has the slot of ${key}`);
    return owner;
  };
  const areAll = async (isSo: (node: RedisServer) => Promise<boolean>): Promise<boolean> =>
    (await Promise.all(running().map((node) => isSo(node).catch(() => false)))).every(Boolean);
  const whenWhole = (): Promise<void> =>
    eventually('every node is in the cluster, and in step', () => areAll(isInStep));
  await whenWhole();
  return {
    url: `redis+cluster://${credentials(password)}${addresses.slice(0, 3).join(',')}`,
    masterOf,
    /** Moves the slot of a key, with all that lies in it, by the steps of `redis-cli --cluster reshard`. */
    moveSlot: async (key: string): Promise<void> => {
      const from = await masterOf(key);
      const roles = await Promise.all(nodes.map((node) => node.info('role')));
      const others = nodes.filter((node, at) => roles[at] === 'master' && node !== from);
      const [to] = others;
      if (to === undefined) throw new Error('there is no other master');
      const slot = await from.run('CLUSTER', 'KEYSLOT', key);
      const [fromId, toId] = [await from.run('CLUSTER', 'MYID'), await to.run('CLUSTER', 'MYID')];
      await to.run('CLUSTER', 'SETSLOT', slot, 'IMPORTING', fromId);
      await from.run('CLUSTER', 'SETSLOT', slot, 'MIGRATING', toId);
      const keys = (await from.run('CLUSTER', 'GETKEYSINSLOT', slot, '1000')).split('\n');
      const login = password === undefined ? [] : ['AUTH', password];
      const target = ['127.0.0.1', String(to.port), '', '0', '5000', ...login];
      await from.run('MIGRATE', ...target, 'KEYS', ...keys);
      for (const node of [...others, from])
        await node.run('CLUSTER', 'SETSLOT', slot, 'NODE', toId);
      await eventually('every node knows of the move', () =>
        areAll(async (node) => (await ownerAsSeenBy(node, key)) === to.port),
      );
    },
    /** The replica that replaces its master from now on. */
    failover: async (): Promise<RedisServer> =>
      (await firstToSay(nodes, /Failover election won/)).redis,
    whenWhole,
  };
}

async function ownerAsSeenBy(node: RedisServer, key: string): Promise<number> {
  return await node.run('EXISTS', key).then(
    () => node.port,
    (error: unknown) => Number(/MOVED \d+ [\d.]+:(\d+)/.exec(String(error))?.[1]),
  );
}

async function isInStep(node: RedisServer): Promise<boolean> {
  const state = await node.run('CLUSTER', 'INFO');
  const isKnown = /^cluster_state:ok/m.test(state) && /^cluster_known_nodes:6/m.test(state);
  const link = await node.info('master_link_status');
  const replicas = Number(await node.info('connected_slaves'));
  return isKnown && (link === undefined ? replicas > 0 : link === 'up');
}

const [DATA_PASSWORD, SENTINEL_PASSWORD] = ['the data’s', 'the sentinels’ own'] as const;

/** Polls are too rare to help: only notifications are in time. */
async function follow(t: Test, env: Readonly<Record<string, string>>) {
  const access: StoreAccess = { root: await makeRoot(t), env };
  t.match(await publishOnStore(access, 'first'), { code: 0 });
  const expect = ['store unreachable', 'archive incomplete', 'pointer older than the last'];
  const own = { env: { ...env, POINTER_POLL_SECONDS: '600' }, expect };
  const service = await startService(t, { root: access.root, ...own });
  await service.waitForLog('activated');
  /** Publishes while the service looks, which must serve it. */
  const publish = async (id: string): Promise<void> => {
    const from = service.lines.length;
    t.match(await publishOnStore(access, id), { code: 0 }, `${id} is published`);
    await activated(service, { snapshot_id: id }, from);
  };
  return { service, publish };
}

/** Kills a master while something is published; resolves with the new one. */
async function replaceMaster(
  t: Test,
  group: { failover(): Promise<RedisServer>; whenWhole(): Promise<void> },
  master: RedisServer,
  { publish }: Awaited<ReturnType<typeof follow>>,
): Promise<RedisServer> {
  const failover = group.failover();
  await master.kill();
  await publish('begun-without-a-master');
  const next = await failover;
  t.not(next, master);
  await publish('told-by-message');
  await master.start();
  await group.whenWhole();
  return next;
}

void t.test('sentinels, over TLS: no request fails, and publishers wait', async (t) => {
  const tls = await makeAuthority(t);
  const passwords = { password: DATA_PASSWORD, sentinelPassword: SENTINEL_PASSWORD };
  const group = await startSentinels(t, { tls, ...passwords });
  const followed = await follow(t, {
    SNAPSHOT_STORE: group.url,
    REDIS_CA_FILE: tls.authority,
    REDIS_SENTINEL_PASSWORD: SENTINEL_PASSWORD,
  });
  const { service, publish } = followed;
  const bystander = standBy(service);
  const replica = await group.master();
  const master = await replaceMaster(t, group, replica, followed);
  // Writes that the master takes while its replica is away are lost with it.
  await replica.kill();
  await publish('lost');
  const from = service.lines.length;
  const failover = group.failover();
  await master.kill();
  await replica.start();
  t.equal(await failover, replica);
  await activated(service, { snapshot_id: 'told-by-message' }, from);
  const warning = service.lines.slice(from).find(({ msg }) => msg.startsWith('pointer older'));
  t.match(warning, { snapshot_id: 'told-by-message' });
  await publish('lost');
  const { answers, failures } = await bystander.end();
  t.same(failures, [], `${answers} answers`);
});

void t.test('a cluster: no request fails, and publishers wait', async (t) => {
  const cluster = await startCluster(t, DATA_PASSWORD);
  const followed = await follow(t, { SNAPSHOT_STORE: cluster.url });
  const { service, publish } = followed;
  const bystander = standBy(service);
  const key = '{demo}:active';
  await cluster.moveSlot(key);
  await publish('after-the-slot-moved');
  const owner = await cluster.masterOf(key);
  // The node that had the slot may leave the cluster without a word.
  await eventually('it listens to the node that has the slot', async () =>
    /\n1$/.test(await owner.run('PUBSUB', 'NUMSUB', '{demo}:activated')),
  );
  const second = await replaceMaster(t, cluster, owner, followed);
  // A master that hangs is as dead as one that is killed, and is no longer the master when it goes on.
  const failover = cluster.failover();
  second.signal('SIGSTOP');
  await publish('begun-while-it-hangs');
  t.equal(await failover, owner);
  second.signal('SIGCONT');
  await cluster.whenWhole();
  await publish('last');
  const { answers, failures } = await bystander.end();
  t.same(failures, [], `${answers} answers`);
});
