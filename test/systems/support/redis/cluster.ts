/** A cluster of three masters with a replica each, whose replicas take over when their master is gone for a second. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { eventually } from '../../../support/service/service.js';
import { holdPort, type Scope } from '../../../support/service/ports.js';
import { firstToLog } from './redis-process.js';
import { credentials, startRedis, type RedisServer } from './redis-server.js';

const NODES = 6;
const PATIENCE_MS = 60_000;

export interface ClusterOptions {
  /** Of every node; default: none. */
  readonly password?: string;
}

export interface Cluster {
  /** The store's address, by three of its nodes. */
  readonly url: string;
  readonly nodes: readonly RedisServer[];
  /** The node that is the master of a key's slot. */
  masterOf(key: string): Promise<RedisServer>;
  /** Moves the slot of a key, with all that lies in it, to another master; resolves when every node knows. */
  moveSlot(key: string): Promise<void>;
  /** Resolves with the node that has taken the place of its master; call it before that one is killed. */
  failover(): Promise<RedisServer>;
  /** Resolves when every slot has a master and every master a replica that is in step. */
  whenWhole(): Promise<void>;
}

/** Resolves when every node knows all of the cluster. */
export async function startCluster(
  scope: Scope,
  { password }: ClusterOptions = {},
): Promise<Cluster> {
  const nodes = await Promise.all(Array.from({ length: NODES }, () => startNode(scope, password)));
  const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
  const replicas = ['--cluster-replicas', '1', '--cluster-yes'];
  const env = {
    PATH: process.env['PATH'],
    ...(password !== undefined && { REDISCLI_AUTH: password }),
  };
  await runFile('redis-cli', ['--cluster', 'create', ...addresses, ...replicas], { env });
  const cluster = clusterOf(nodes, password);
  await cluster.whenWhole();
  return cluster;
}

const runFile = promisify(execFile);

async function startNode(scope: Scope, password: string | undefined): Promise<RedisServer> {
  return await startRedis(scope, {
    ...(password !== undefined && { password }),
    config: [
      'cluster-enabled yes',
      `cluster-port ${await holdPort(scope)}`,
      'cluster-node-timeout 1000',
      // A replica is never too old to take over.
      'cluster-replica-validity-factor 0',
    ],
  });
}

function clusterOf(nodes: readonly RedisServer[], password: string | undefined): Cluster {
  const hosts = nodes.slice(0, 3).map(({ port }) => `127.0.0.1:${port}`);
  const running = (): readonly RedisServer[] => nodes.filter(({ pid }) => pid !== 0);
  const masterOf = async (key: string): Promise<RedisServer> => {
    const [node] = running();
    const owner = node && (await ownerIn(nodes, node, key));
    if (owner === undefined) throw new Error(`no master has the slot of ${key}`);
    return owner;
  };
  return {
    url: `redis+cluster://${credentials(password)}${hosts.join(',')}`,
    nodes,
    masterOf,
    moveSlot: async (key) => {
      const from = await masterOf(key);
      const masters = await mastersOf(running());
      const to = masters.find((node) => node !== from);
      if (to === undefined) throw new Error('there is no other master');
      await moveSlot({ key, from, to, masters, password });
      await eventually(
        'every node knows of the move',
        async () =>
          (await Promise.all(running().map((node) => ownerIn(nodes, node, key)))).every(
            (owner) => owner === to,
          ),
        PATIENCE_MS,
      );
    },
    failover: async () => (await firstToLog(nodes, /Failover election won/)).redis,
    whenWhole: async () => {
      await eventually(
        'every node is in the cluster, and in step',
        async () =>
          (await Promise.all(running().map((node) => isInStep(node).catch(() => false)))).every(
            Boolean,
          ),
        PATIENCE_MS,
      );
    },
  };
}

interface SlotMove {
  readonly key: string;
  readonly from: RedisServer;
  readonly to: RedisServer;
  readonly masters: readonly RedisServer[];
  readonly password: string | undefined;
}

/** The steps that `redis-cli --cluster reshard` takes, for one slot. */
async function moveSlot({ key, from, to, masters, password }: SlotMove): Promise<void> {
  const slot = await from.run('CLUSTER', 'KEYSLOT', key);
  const [fromId, toId] = [await from.run('CLUSTER', 'MYID'), await to.run('CLUSTER', 'MYID')];
  await to.run('CLUSTER', 'SETSLOT', slot, 'IMPORTING', fromId);
  await from.run('CLUSTER', 'SETSLOT', slot, 'MIGRATING', toId);
  const keys = (await from.run('CLUSTER', 'GETKEYSINSLOT', slot, '1000')).split('\n');
  const login = password === undefined ? [] : ['AUTH', password];
  const target = ['127.0.0.1', String(to.port), '', '0', '5000'];
  await from.run('MIGRATE', ...target, ...login, 'KEYS', ...keys.filter(Boolean));
  for (const node of [to, ...masters.filter((one) => one !== to)]) {
    await node.run('CLUSTER', 'SETSLOT', slot, 'NODE', toId);
  }
}

async function mastersOf(nodes: readonly RedisServer[]): Promise<readonly RedisServer[]> {
  const roles = await Promise.all(nodes.map((node) => node.info('role')));
  return nodes.filter((_node, at) => roles[at] === 'master');
}

/** The master of a key's slot, as one node sees it. */
async function ownerIn(
  nodes: readonly RedisServer[],
  asked: RedisServer,
  key: string,
): Promise<RedisServer | undefined> {
  const slot = Number(await asked.run('CLUSTER', 'KEYSLOT', key));
  for (const line of (await asked.run('CLUSTER', 'NODES')).split('\n')) {
    const [, address = '', flags = '', , , , , , ...ranges] = line.split(' ');
    if (/fail|handshake/.test(flags) || !flags.includes('master')) continue;
    const isOwner = ranges.some((range) => {
      const [first = NaN, last = first] = range.split('-').map(Number);
      return first <= slot && slot <= last;
    });
    const port = Number(/:(\d+)@/.exec(address)?.[1]);
    if (isOwner) return nodes.find((one) => one.port === port);
  }
  return undefined;
}

async function isInStep(node: RedisServer): Promise<boolean> {
  const state = await node.run('CLUSTER', 'INFO');
  const isKnown = /^cluster_state:ok/m.test(state) && /^cluster_known_nodes:6/m.test(state);
  const [link, replicas] = [
    await node.info('master_link_status'),
    await node.info('connected_slaves'),
  ];
  return isKnown && (link === undefined ? Number(replicas) > 0 : link === 'up');
}
