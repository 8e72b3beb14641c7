/** Finds the one server that holds a store's keys: the one of the address, the master that sentinels name, or a node of a cluster. */
import type { RedisAddress, RedisNode } from './redis-address.js';
import { asList, RedisConnection, type ConnectOptions, type Reply } from './redis-connection.js';
import { ConnectionError, ReplyError } from './redis-errors.js';

/** Sentinels and nodes are asked all at once, and the first answer counts: one that is slow can be left out. */
const ASK_MS = 2000;

/** Nodes of a cluster that are remembered, so that the store is found when those of the address are gone. */
const MAX_KNOWN_NODES = 64;

export interface Topology {
  readonly address: RedisAddress;
  readonly tls: ConnectOptions['tls'];
  readonly sentinelPassword: string | undefined;
  /** Any key of the store. */
  readonly key: string;
}

export class RedisTopology {
  #known: readonly RedisNode[] = [];

  /** A new connection to the server, logged in. @param at where it is, if that is known. */
  async connect(topology: Topology, at?: RedisNode): Promise<RedisConnection> {
    const { address, tls } = topology;
    const { username, password, database } = address;
    const node = at ?? (await this.#find(topology));
    const connection = await RedisConnection.open({ node, tls, username, password, database });
    try {
      if (address.topology === 'sentinel') await assertMaster(connection, node);
    } catch (error) {
      connection.close();
      throw error;
    }
    return connection;
  }

  async #find(topology: Topology): Promise<RedisNode> {
    const { address, key } = topology;
    switch (address.topology) {
      case 'single':
        return first(address.nodes);
      case 'sentinel':
        return await this.#ask(topology, address.nodes, (connection) =>
          masterOf(connection, address.masterName),
        );
      case 'cluster':
        return await this.#ask(topology, distinct([...address.nodes, ...this.#known]), (node, at) =>
          this.#ownerOf(node, at, key),
        );
    }
  }

  async #ask(
    { address, tls, sentinelPassword }: Topology,
    nodes: readonly RedisNode[],
    question: (connection: RedisConnection, node: RedisNode) => Promise<RedisNode>,
  ): Promise<RedisNode> {
    const login =
      address.topology === 'sentinel'
        ? { username: undefined, password: sentinelPassword }
        : { username: address.username, password: address.password };
    const ask = async (node: RedisNode): Promise<RedisNode> => {
      const options = { node, tls, ...login, database: 0, silenceMs: ASK_MS };
      const connection = await RedisConnection.open(options);
      try {
        return await question(connection, node);
      } finally {
        connection.close();
      }
    };
    try {
      return await Promise.any(nodes.map(ask));
    } catch (error) {
      throw noneAnswered(error, nodes);
    }
  }

  async #ownerOf(connection: RedisConnection, asked: RedisNode, key: string): Promise<RedisNode> {
    const slot = await connection.send(['CLUSTER', 'KEYSLOT', key]);
    const ranges = asList(await connection.send(['CLUSTER', 'SLOTS']));
    const nodes = ranges.flatMap((range) =>
      asList(range)
        .slice(2)
        .map((node) => nodeOf(node, asked)),
    );
    this.#known = distinct(nodes).slice(0, MAX_KNOWN_NODES);
    for (const range of ranges) {
      const [from, to, master] = asList(range);
      if (master === undefined || !(Number(from) <= Number(slot) && Number(slot) <= Number(to)))
        continue;
      return nodeOf(master, asked);
    }
    throw new ConnectionError(`no node of the cluster holds slot ${Number(slot)}`);
  }
}

async function masterOf(connection: RedisConnection, name: string): Promise<RedisNode> {
  const reply = await connection.send(['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name]);
  const [host, port] = asList(reply).map(String);
  if (host === undefined) throw new ConnectionError(`it knows no master ${name}`);
  return { host, port: Number(port) };
}

/** Sentinels may name a server a moment before it is the master, or one that is no master any more. */
async function assertMaster(connection: RedisConnection, { host, port }: RedisNode): Promise<void> {
  try {
    const [role] = asList(await connection.send(['ROLE']));
    if (String(role) !== 'master') throw new ConnectionError(`${host}:${port} is no master yet`);
  } catch (error) {
    // A user need not be allowed to ask; then a write to another server fails.
    if (!(error instanceof ReplyError && error.kind === 'NOPERM')) throw error;
  }
}

/** One node as `CLUSTER SLOTS` lists it; one without an address is the one that was asked. */
function nodeOf(reply: Reply, asked: RedisNode): RedisNode {
  const [host, port] = asList(reply);
  const name = host === null || host === undefined ? '' : String(host);
  return { host: name === '' || name === '?' ? asked.host : name, port: Number(port) };
}

function first(nodes: readonly RedisNode[]): RedisNode {
  const [node] = nodes;
  if (node === undefined) throw new ConnectionError('the address names no server');
  return node;
}

function distinct(nodes: readonly RedisNode[]): readonly RedisNode[] {
  return [...new Map(nodes.map((node) => [`${node.host} ${node.port}`, node])).values()];
}

/** One that answers and refuses says more than those that are away. */
function noneAnswered(error: unknown, nodes: readonly RedisNode[]): unknown {
  if (!(error instanceof AggregateError)) return error;
  const errors: readonly unknown[] = error.errors;
  const refusal = errors.find((each) => each instanceof ReplyError);
  if (refusal !== undefined) return refusal;
  const reasons = errors.map((each, n) => {
    const { host, port } = nodes[n] ?? { host: '', port: 0 };
    return `${host}:${port}: ${each instanceof Error ? each.message : String(each)}`;
  });
  const codes = errors.map((each) => (each instanceof ConnectionError ? each.code : ''));
  return new ConnectionError(reasons.join('; '), { code: codes.find(Boolean) ?? '' });
}
