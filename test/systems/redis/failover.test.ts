/** A store whose master dies: sentinels or a cluster promote another server, and only the publisher waits. */
import t, { type Test } from 'tap';
import { standBy } from '../../support/service/steady-load.js';
import { startCluster } from '../support/redis/cluster.js';
import type { RedisServer } from '../support/redis/redis-server.js';
import { startSentinels } from '../support/redis/sentinels.js';
import { publishOnStore, type StoreAccess } from '../support/redis/store-commands.js';
import { activated } from '../../support/service/serve-documents.js';
import { makeRoot, startService, type Service } from '../../support/service/service.js';

/** Servers with the store's master among them. */
interface Group {
  readonly url: string;
  master(): Promise<RedisServer>;
  failover(): Promise<RedisServer>;
  whenWhole(): Promise<void>;
}

const DATA_PASSWORD = 'the data’s';
const SENTINEL_PASSWORD = 'the sentinels’ own';

const startGroupOfSentinels = (t: Test): ReturnType<typeof startSentinels> =>
  startSentinels(t, { password: DATA_PASSWORD, sentinelPassword: SENTINEL_PASSWORD });

const GROUPS: Readonly<Record<string, (t: Test) => Promise<Group>>> = {
  sentinels: startGroupOfSentinels,
  cluster: async (t) => {
    const cluster = await startCluster(t, DATA_PASSWORD);
    return { ...cluster, master: () => cluster.masterOf('{demo}:active') };
  },
};

/** With polls that are too rare to help: only notifications are in time. */
const RARELY = { POINTER_POLL_SECONDS: '600' };

async function accessOf(t: Test, { url }: Pick<Group, 'url'>): Promise<StoreAccess> {
  const env = { SNAPSHOT_STORE: url, REDIS_SENTINEL_PASSWORD: SENTINEL_PASSWORD };
  return { root: await makeRoot(t), env };
}

/** A service that serves the snapshot `first` from the store. */
async function serveFirst(
  t: Test,
  access: StoreAccess,
  expect: readonly string[] = ['store unreachable', 'archive incomplete'],
): Promise<Service> {
  t.match(await publishOnStore(access, 'first'), { code: 0 });
  const { root, env } = access;
  const service = await startService(t, { root, env: { ...env, ...RARELY }, expect });
  await service.waitForLog('activated');
  return service;
}

/** Publishes under the eyes of the service, which must serve it. */
async function publishAndSee(t: Test, access: StoreAccess, service: Service, id: string) {
  const from = service.lines.length;
  t.match(await publishOnStore(access, id), { code: 0 }, `${id} is published`);
  await activated(service, { snapshot_id: id }, from);
}

for (const [kind, startGroup] of Object.entries(GROUPS)) {
  void t.test(`${kind}: no request fails while masters die, and publishers wait`, async (t) => {
    const group = await startGroup(t);
    const access = await accessOf(t, group);
    const service = await serveFirst(t, access);
    const bystander = standBy(service);

    const master = await group.master();
    let failover = group.failover();
    await master.kill();
    const killedAt = performance.now();
    await publishAndSee(t, access, service, 'begun-without-a-master');
    t.not(await failover, master);
    t.comment(`visible ${Math.round(performance.now() - killedAt)} ms after the kill`);
    await publishAndSee(t, access, service, 'heard-of-by-message');

    // A master that hangs is as dead as one that is killed, and is no longer the master when it goes on.
    await master.start();
    await group.whenWhole();
    const second = await group.master();
    failover = group.failover();
    second.signal('SIGSTOP');
    await publishAndSee(t, access, service, 'begun-while-it-hangs');
    t.equal(await failover, master);
    second.signal('SIGCONT');
    await group.whenWhole();
    await publishAndSee(t, access, service, 'last');

    const { answers, failures } = await bystander.end();
    t.same(failures, [], `${answers} answers`);
  });
}

void t.test('a pointer that a failover has set back is followed, with a warning', async (t) => {
  const group = await startGroupOfSentinels(t);
  const access = await accessOf(t, group);
  const service = await serveFirst(t, access, ['store unreachable', 'pointer older than the last']);
  const [master, replica] = group.servers;
  // Writes that the master takes while its replica is away are lost with it.
  await replica.kill();
  await publishAndSee(t, access, service, 'lost');
  const bystander = standBy(service);
  const from = service.lines.length;
  const failover = group.failover();
  await master.kill();
  await replica.start();
  t.equal(await failover, replica);
  await activated(service, { snapshot_id: 'first' }, from);
  const warning = service.lines.slice(from).find(({ msg }) => msg.startsWith('pointer older'));
  t.match(warning, { snapshot_id: 'first' });
  await publishAndSee(t, access, service, 'lost');
  const { answers, failures } = await bystander.end();
  t.same(failures, [], `${answers} answers`);
});
