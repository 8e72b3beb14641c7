/**
 * Opens a client of the one server that holds a store: that of the address, the master that sentinels name, or a node
 * of a cluster.
 *
 * The library's clients of sentinels and clusters find that server, and a plain client is opened to it, as all keys of
 * a store lie there. They are not used further: in an outage they hold commands back without a reason and retry at
 * fixed times, and in a cluster they listen to any node, also to one that leaves it silently.
 */
import { readRegularFile } from '../../../files/regular-file.js';
import type { RedisAddress, RedisNode } from './redis-address.js';
import {
  clientOptions,
  codeOf,
  ConnectionError,
  inTime,
  isReply,
  isSilence,
  library,
  newClient,
  reasonOf,
  socketOf,
  type ClientLogin,
  type RedisClient,
} from './redis-library.js';

/** Sentinels and nodes are asked in turn; slow ones are skipped. */
const ASK_MS = 2000;

/** From the connection to the login. */
const CONNECT_MS = 15_000;

export interface ServerAccess {
  readonly address: RedisAddress;
  /** PEM; undefined: the system's. */
  readonly caFile: string | undefined;
  readonly sentinelPassword: string | undefined;
  /** Any key of the store, which determines the node of a cluster. */
  readonly key: string;
}

/**
 * Connected and logged in. The caller handles its errors, and destroys it.
 *
 * @param wasAway whether a command must succeed too: a server that is loading or full says so to commands only.
 */
export async function openServer(access: ServerAccess, wasAway: boolean): Promise<RedisClient> {
  const { address, caFile } = access;
  const { username, password, database } = address;
  const tls = address.tls ? { ca: await readCa(caFile) } : undefined;
  const login = { username, password, database, tls };
  const client = newClient(await findServer(access, login), login);
  let failure: Error | undefined;
  client.on('error', (error: Error) => {
    failure ??= error;
    // After a malformed answer the library would go on reading.
    client.destroy();
  });
  try {
    await inTime(client.connect(), CONNECT_MS);
    if (wasAway) await inTime(client.ping(), CONNECT_MS);
    return client;
  } catch (reason) {
    client.destroy();
    // The first error is more precise, such as an answer of another protocol.
    const error = failure ?? reason;
    const code = codeOf(error);
    if (tls === undefined || !(isSilence(error) || /^(?:EPROTO|ERR_SSL)/.test(code))) throw error;
    // A server without TLS reads a handshake as the beginning of a line, and waits.
    const why = `${reasonOf(error)} (a server without TLS? \`redis:\` instead of \`rediss:\`)`;
    throw new ConnectionError(why, code);
  }
}

async function findServer(access: ServerAccess, login: ClientLogin): Promise<RedisNode> {
  const { address } = access;
  const search = new AbortController();
  const asking = { ...login, signal: search.signal };
  const errors: Error[] = [];
  const onError = (error: unknown): void => {
    // Some errors of the library are texts.
    if (error instanceof Error) errors.push(error);
  };
  try {
    switch (address.topology) {
      case 'single':
        return firstOf(address);
      case 'sentinel':
        return await findMaster(access, asking, onError);
      case 'cluster':
        return await findOwner(access, asking, onError);
    }
  } catch (error) {
    onError(error);
    // A refusal is more precise than an absence.
    const reasons = new Set(errors.map((each) => (isSilence(each) ? 'no answer' : reasonOf(each))));
    throw (
      errors.find(isReply) ??
      new ConnectionError([...reasons].join('; '), errors.map(codeOf).find(Boolean))
    );
  } finally {
    search.abort();
  }
}

async function findMaster(
  { address, sentinelPassword }: ServerAccess,
  login: ClientLogin,
  onError: (error: unknown) => void,
): Promise<RedisNode> {
  const { masterName, nodes } = address;
  const { tls, signal } = login;
  const sentinelLogin = { password: sentinelPassword, tls, signal, silenceMs: ASK_MS };
  const sentinel = library().createSentinel({
    name: masterName,
    sentinelRootNodes: [...nodes],
    RESP: 2,
    maxCommandRediscovers: 0,
    nodeClientOptions: clientOptions(login),
    sentinelClientOptions: clientOptions(sentinelLogin),
  });
  sentinel.on('error', onError);
  try {
    await inTime(sentinel.connect(), ASK_MS * (nodes.length + 2));
    const master = sentinel.getMasterNode();
    if (master === undefined) throw new ConnectionError(`there is no master ${masterName}`);
    return master;
  } finally {
    // It may wait for the request that took too long.
    sentinel.destroy().catch(onError);
  }
}

async function findOwner(
  { address, key }: ServerAccess,
  login: ClientLogin,
  onError: (error: unknown) => void,
): Promise<RedisNode> {
  // A node that does not know its own address is the one that was asked.
  const nodeAddressMap = (at: string): RedisNode | undefined => {
    const port = /^(?:|\?|null):(\d+)$/.exec(at)?.[1];
    return port === undefined ? undefined : { ...firstOf(address), port: Number(port) };
  };
  const cluster = library().createCluster({
    RESP: 2,
    rootNodes: address.nodes.map((node) => ({
      socket: {
        ...socketOf(node),
        connectTimeout: ASK_MS,
        socketTimeout: ASK_MS,
        ...(login.signal === undefined ? {} : { signal: login.signal }),
      },
    })),
    defaults: clientOptions(login),
    minimizeConnections: true,
    nodeAddressMap,
  });
  cluster.on('error', onError);
  try {
    await inTime(cluster.connect(), ASK_MS * (address.nodes.length + 2));
    const reply = cluster.sendCommand<number>(key, false, ['CLUSTER', 'KEYSLOT', key]);
    const slot = await inTime(reply, ASK_MS);
    const owner = cluster.slots[slot]?.master;
    if (owner === undefined) throw new TypeError('the slot has no node');
    return nodeAddressMap(owner.address) ?? owner;
  } catch (error) {
    // The library assumes that every slot has a node.
    if (!(error instanceof TypeError)) throw error;
    throw new ConnectionError(`no node of the cluster holds the slot of ${key}`);
  } finally {
    cluster.destroy();
  }
}

function firstOf({ nodes: [node] }: RedisAddress): RedisNode {
  if (node === undefined) throw new ConnectionError('the address names no server');
  return node;
}

async function readCa(file: string | undefined): Promise<Buffer | undefined> {
  if (file === undefined) return undefined;
  try {
    return await readRegularFile(file);
  } catch (error) {
    throw new ConnectionError(`REDIS_CA_FILE cannot be read: ${reasonOf(error)}`, 'ERR_TLS_CA');
  }
}
