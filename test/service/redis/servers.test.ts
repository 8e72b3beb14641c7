/** The Redis servers that tests start: what those tests rely on, seen by redis-cli. */
import t from 'tap';
import { makeAuthority } from '../../support/redis/authority.js';
import { startCluster } from '../../support/redis/cluster.js';
import { startRedis } from '../../support/redis/redis-server.js';
import { startSentinels } from '../../support/redis/sentinels.js';

void t.test('one server has its data again after it was killed', async (t) => {
  const tls = await makeAuthority(t);
  const redis = await startRedis(t, { password: 'a word', tls, users: ['reader on >b ~* +get'] });
  t.equal(await redis.run('SET', 'key', 'value'), 'OK');
  await redis.kill();
  await t.rejects(redis.run('PING'));
  await redis.start();
  t.equal(await redis.run('GET', 'key'), 'value');
  t.match(await redis.run('ACL', 'LIST'), /user reader on/);
  t.equal(await redis.info('maxmemory_policy'), 'noeviction');
});

void t.test('sentinels make the replica the master', async (t) => {
  const group = await startSentinels(t, { password: 'data', sentinelPassword: 'watch' });
  const [first, second] = group.servers;
  t.equal(await group.master(), first);
  await first.run('SET', 'key', 'value');
  t.equal(await first.run('WAIT', '1', '5000'), '1');
  const failover = group.failover();
  await first.kill();
  t.equal(await failover, second);
  t.equal(await second.run('GET', 'key'), 'value');
  await first.start();
  await group.whenWhole();
  t.equal(await first.info('role'), 'slave');
});

void t.test('a node of the cluster takes the place of its master', async (t) => {
  const cluster = await startCluster(t, { password: 'data' });
  const owner = await cluster.masterOf('{demo}');
  await owner.run('SET', '{demo}:key', 'value');
  t.equal(await owner.run('WAIT', '1', '5000'), '1');
  const failover = cluster.failover();
  await owner.kill();
  const heir = await failover;
  t.equal(await heir.run('GET', '{demo}:key'), 'value');
  await owner.start();
  await cluster.whenWhole();
});
