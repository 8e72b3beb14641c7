/**
 * Opens a client of the one server that holds a store: the server in the address, the master that sentinels name, or a
 * node of a cluster.
 *
 * The library's sentinel and cluster clients are used only to find that server, since all keys of a store are on it;
 * then a plain client is opened. In an outage, those clients hold commands back without a reason and retry at fixed
 * intervals. A cluster client also subscribes to any node, even one that then leaves the cluster silently.
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

/** Time limit for each sentinel or node that is asked; then the next one is asked. */
const ASK_MS = 2000;

/** Time limit for connection and login. */
const CONNECT_MS = 15_000;

export interface ServerAccess {
  readonly address: RedisAddress;
  /** PEM file of CA certificates; undefined: the system's certificates. */
  readonly caFile: string | undefined;
  readonly sentinelPassword: string | undefined;
  /** Any key of the store, which determines the node of a cluster. */
  readonly key: string;
}

/**
 * A client, connected and logged in. The caller handles its errors, and destroys it.
 *
 * @param wasAway whether a command must succeed too: servers that are loading or have too many clients reject only
 * these.
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
    // The library would continue to read after a malformed answer.
    client.destroy();
  });
  try {
    await inTime(client.connect(), CONNECT_MS);
    if (wasAway) await inTime(client.ping(), CONNECT_MS);
    return client;
  } catch (reason) {
    client.destroy();
    // The first error event is more precise: it tells, for example, that the answer is of another protocol.
    const error = failure ?? reason;
    const code = codeOf(error);
    if (tls === undefined || !(isSilence(error) || /^(?:EPROTO|ERR_SSL)/.test(code))) throw error;
    // A server without TLS takes a TLS handshake for the beginning of a line, and waits for the rest.
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
    // The library reports some errors as plain text, which is ignored.
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
    // An error reply is more precise than a missing answer.
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
    // Not awaited: the library may wait for a request that took too long.
    sentinel.destroy().catch(onError);
  }
}

async function findOwner(
  { address, key }: ServerAccess,
  login: ClientLogin,
  onError: (error: unknown) => void,
): Promise<RedisNode> {
  // A node that does not know its own host leaves it out: the host is that of the node that was asked.
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
    // The library fails with a TypeError for a slot without a node.
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
