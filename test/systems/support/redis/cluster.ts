/** A cluster of three masters with a replica each, whose replicas take over when their master is gone for a second. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { eventually } from '../../../support/service/service.js';
import { holdPort, type Scope } from '../../../support/service/ports.js';
import { firstToSay } from './redis-process.js';
import { credentials, startRedis, type RedisServer } from './redis-server.js';

const NODES = 6;

export interface Cluster {
  /** The store's address, which names three of its nodes. */
  readonly url: string;
  /** The node that is the master of a key's slot. */
  masterOf(key: string): Promise<RedisServer>;
  /** Moves the slot of a key, with all that lies in it, to another master; resolves when every node knows. */
  moveSlot(key: string): Promise<void>;
  /** Resolves with the replica that has replaced its master; call it before that master is killed. */
  failover(): Promise<RedisServer>;
  /** Resolves when every slot has a master and every master a replica that is in sync. */
  whenWhole(): Promise<void>;
}

/** Resolves when every node knows all of the cluster; `password` is that of every node. */
export async function startCluster(scope: Scope, password?: string): Promise<Cluster> {
  const nodes = await Promise.all(
    Array.from({ length: NODES }, async () =>
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

  const running = (): readonly RedisServer[] => nodes.filter(({ isRunning }) => isRunning);
  const masterOf = async (key: string): Promise<RedisServer> => {
    const [asked] = running();
    const port = asked && (await ownerAsSeenBy(asked, key));
    const owner = nodes.find((node) => node.port === port);
    if (owner === undefined) throw new Error(`no master has the slot of ${key}`);
    return owner;
  };
  const areAll = async (isSo: (node: RedisServer) => Promise<boolean>): Promise<boolean> =>
    (await Promise.all(running().map((node) => isSo(node).catch(() => false)))).every(Boolean);
  const cluster: Cluster = {
    url: `redis+cluster://${credentials(password)}${addresses.slice(0, 3).join(',')}`,
    masterOf,
    moveSlot: async (key) => {
      const from = await masterOf(key);
      const roles = await Promise.all(nodes.map((node) => node.info('role')));
      const others = nodes.filter((node, at) => roles[at] === 'master' && node !== from);
      const to = await moveSlot(key, { from, others, password });
      await eventually('every node knows of the move', () =>
        areAll(async (node) => (await ownerAsSeenBy(node, key)) === to.port),
      );
    },
    failover: async () => (await firstToSay(nodes, /Failover election won/)).redis,
    whenWhole: () =>
      eventually('every node is in the cluster, and in step', () => areAll(isInStep)),
  };
  await cluster.whenWhole();
  return cluster;
}

interface Masters {
  readonly from: RedisServer;
  readonly others: readonly RedisServer[];
  readonly password: string | undefined;
}

/** Moves one slot by the steps of `redis-cli --cluster reshard`; resolves with the slot's new master. */
async function moveSlot(key: string, { from, others, password }: Masters): Promise<RedisServer> {
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
  for (const node of [...others, from]) await node.run('CLUSTER', 'SETSLOT', slot, 'NODE', toId);
  return to;
}

/** The port of the master of a key's slot, as this node states it. */
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
