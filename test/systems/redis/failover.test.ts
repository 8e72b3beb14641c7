/**
 * A store whose master dies, hangs or gives its slot away: sentinels or a cluster choose another server, and only the
 * publisher waits.
 */
import t, { type Test } from 'tap';
import { makeAuthority } from '../support/redis/authority.js';
import { startCluster } from '../support/redis/cluster.js';
import type { RedisServer } from '../support/redis/redis-server.js';
import { startSentinels } from '../support/redis/sentinels.js';
import { publishOnStore, type StoreAccess } from '../support/redis/store-commands.js';
import { activated } from '../../support/service/serve-documents.js';
import { eventually, makeRoot, startService, type Service } from '../../support/service/service.js';
import { standBy } from '../../support/service/steady-load.js';

const DATA_PASSWORD = 'the data’s';
const SENTINEL_PASSWORD = 'the sentinels’ own';

/** A service on a store, which it serves the snapshot `first` from. */
interface Followed {
  readonly service: Service;
  /** Publishes while the service looks, which must serve it. */
  readonly publish: (snapshotId: string) => Promise<void>;
}

/** Polls are too rare to help: only notifications are in time. */
async function follow(t: Test, env: Readonly<Record<string, string>>): Promise<Followed> {
  const access: StoreAccess = { root: await makeRoot(t), env };
  t.match(await publishOnStore(access, 'first'), { code: 0 });
  const service = await startService(t, {
    root: access.root,
    env: { ...env, POINTER_POLL_SECONDS: '600' },
    expect: ['store unreachable', 'archive incomplete', 'pointer older than the last'],
  });
  await service.waitForLog('activated');
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
  { publish }: Followed,
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
