/**
 * Users of a Redis server with the rights in docs/operations/stores.md: enough for their purpose, and for nothing else.
 */
import { readFile } from 'node:fs/promises';
import t, { type Test } from 'tap';
import { startRedis, type RedisServer } from '../support/redis/redis-server.js';
import { publishOnStore, runOnStore, type StoreAccess } from '../support/redis/store-commands.js';
import { activated } from '../../support/service/serve-documents.js';
import { makeRoot, startService } from '../../support/service/service.js';

/** The documented commands that make users. */
const LINE = /^ACL SETUSER (?<name>\S+) (?<rules>on >(?<password>\S+) .+)$/gm;

interface Users {
  readonly redis: RedisServer;
  readonly publisher: StoreAccess;
  readonly instance: StoreAccess;
}

async function startWithUsers(t: Test): Promise<Users> {
  const page = await readFile('docs/operations/stores.md', 'utf8');
  const documented = [...page.matchAll(LINE)].map(({ groups }) => ({
    name: groups?.['name'] ?? '',
    rules: groups?.['rules'] ?? '',
    password: groups?.['password'] ?? '',
  }));
  const redis = await startRedis(t, {
    // The administrator, as whom the test looks.
    password: 'administrator',
    users: documented.map(({ name, rules }) => `${name} ${rules}`),
  });
  const root = await makeRoot(t);
  const accessOf = (wanted: RegExp): StoreAccess => {
    const user = documented.find(({ name }) => wanted.test(name));
    if (user === undefined) throw new Error(`no documented user is like ${String(wanted)}`);
    const address = `redis://${user.name}:${user.password}@127.0.0.1:${redis.port}`;
    return { root, env: { SNAPSHOT_STORE: address } };
  };
  return { redis, publisher: accessOf(/publish/), instance: accessOf(/instance|serve|read/) };
}

void t.test('publisher and instance need no more than the documented rights', async (t) => {
  const { redis, publisher, instance } = await startWithUsers(t);
  t.match(await publishOnStore(publisher, 'first'), { code: 0, stderr: '' });
  const { root, env } = instance;
  const service = await startService(t, { root, env: { ...env, POINTER_POLL_SECONDS: '600' } });
  await service.waitForLog('activated');
  const from = service.lines.length;
  t.match(await publishOnStore(publisher, 'second'), { code: 0, stderr: '' });
  await activated(service, { snapshot_id: 'second' }, from);
  t.match(await runOnStore(publisher, 'activate', 'first'), { code: 0, stderr: '' });
  await activated(service, { snapshot_id: 'first' }, from);
  for (const access of [publisher, instance]) {
    t.match(await runOnStore(access, 'list'), { code: 0, stdout: /second/, stderr: '' });
    t.match(await runOnStore(access, 'verify', 'second'), { code: 0, stderr: '' });
  }
  t.match(await runOnStore(publisher, 'archive', 'first', 'second'), { code: 0, stderr: '' });
  t.match(await runOnStore(instance, 'verify', '--archive'), { code: 0, stderr: '' });
  t.match(await runOnStore(publisher, 'remove', 'second'), { code: 0, stderr: '' });
  t.match(await runOnStore(publisher, 'prune', '--keep', '1'), { code: 0, stderr: '' });
  t.match(await publishOnStore(publisher, 'second'), { code: 1, stderr: /second was removed/ });
  t.same(await refusals(redis), [], 'nothing was tried that is not allowed');
});

void t.test('an instance can change nothing, and is told so in one line', async (t) => {
  const { redis, publisher, instance } = await startWithUsers(t);
  for (const id of ['first', 'second']) t.match(await publishOnStore(publisher, id), { code: 0 });
  const before = await contents(redis);
  const attempts = [
    await publishOnStore(instance, 'third'),
    await runOnStore(instance, 'activate', 'first'),
    await runOnStore(instance, 'remove', 'first'),
    await runOnStore(instance, 'archive', 'first'),
    await runOnStore(instance, 'prune', '--keep', '1'),
  ];
  for (const { code, stderr } of attempts) {
    t.equal(code, 1);
    t.match(stderr, /^[^\n]*permission[^\n]*\n$/, 'one line');
  }
  t.same(await contents(redis), before);
});

void t.test('neither can touch what is not of their store', async (t) => {
  const { redis, publisher, instance } = await startWithUsers(t);
  for (const { env } of [publisher, instance]) {
    const { username, password } = new URL(env['SNAPSHOT_STORE'] ?? '');
    const login = ['--user', username, '--pass', password, '--no-auth-warning'];
    for (const words of [
      ['GET', 'elsewhere'],
      ['SET', 'elsewhere', 'x'],
      ['PUBLISH', 'elsewhere', 'x'],
      ['SUBSCRIBE', 'elsewhere'],
      ['EVAL', "return redis.call('SET', 'elsewhere', 'x')", '0'],
      ['CONFIG', 'GET', '*'],
      ['FLUSHALL'],
      ['ACL', 'LIST'],
    ]) {
      await t.rejects(redis.run(...login, ...words), `${username}: ${words.join(' ')}`);
    }
  }
});

/** Commands that users have tried without the right to them, as the server has logged them. */
async function refusals(redis: RedisServer): Promise<readonly string[]> {
  const log = await redis.run('ACL', 'LOG');
  return log === '' ? [] : log.split('\n');
}

/** All keys with their values. */
async function contents(redis: RedisServer): Promise<readonly string[]> {
  const keys = (await redis.run('KEYS', '*')).split('\n').sort();
  return await Promise.all(keys.map(async (key) => `${key} ${await redis.run('DUMP', key)}`));
}
